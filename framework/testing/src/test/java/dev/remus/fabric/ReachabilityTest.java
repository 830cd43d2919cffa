// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReachabilityTest {
    private static final long SECOND = 1_000_000_000L;

    private final List<String> reports = new ArrayList<>();
    private final Reachability node = new Reachability("Memory Node 2", Duration.ofSeconds(10), reports::add);

    @Test
    void aNodeThatIsUnreachableForLessThanTheLossTimeoutIsNotLost() {
        node.unanswered(3 * SECOND, 5 * SECOND);
        assertThat(node.isReachable()).isFalse();
        node.unanswered(12 * SECOND, 13 * SECOND - 1);
        assertThat(node.isLost()).isFalse();
        node.answered(13 * SECOND - 1);
        assertThat(node.isReachable()).isTrue();
        node.unanswered(14 * SECOND, 23 * SECOND);
        assertThat(node.isLost()).isFalse();
    }

    @Test
    void aNodeThatIsUnreachableForTheLossTimeoutIsLostForGood() {
        node.unanswered(3 * SECOND, 5 * SECOND);
        node.unanswered(12 * SECOND, 13 * SECOND);
        node.answered(14 * SECOND);
        node.ended();
        assertThat(node.isLost()).isTrue();
        assertThat(node.isReachable()).isFalse();
        assertThat(node.lossKind()).isEqualTo(LossKind.UNREACHABLE);
    }

    @Test
    void aNodeWhoseProcessHasEndedIsLostAtOnceForThatReason() {
        node.unanswered(3 * SECOND, 5 * SECOND);
        node.ended();
        node.unanswered(3 * SECOND, 50 * SECOND);
        node.cutOff();
        assertThat(node.isLost()).isTrue();
        assertThat(node.lossKind()).isEqualTo(LossKind.ENDED);
    }

    @Test
    void aNodeThatHasGivenUpThisOneIsLostAsUnreachable() {
        node.cutOff();
        node.ended();
        assertThat(node.isLost()).isTrue();
        assertThat(node.lossKind()).isEqualTo(LossKind.UNREACHABLE);
    }

    @Test
    void eachOutageAndItsEndAreReportedOnce() {
        node.answered(SECOND);
        assertThat(reports).isEmpty();
        node.unanswered(3 * SECOND, 5 * SECOND);
        node.unanswered(3 * SECOND, 6 * SECOND);
        assertThat(reports)
                .containsExactly(
                        "Memory Node 2 is unreachable; if it stays so for 10 s, it is lost: lossTimeout (--loss-timeout)");
        node.answered(7 * SECOND);
        node.answered(8 * SECOND);
        assertThat(reports).hasSize(2).last().isEqualTo("Memory Node 2 is reachable again, after 4 s");
    }

    @Test
    void theTimeThatIsLeftShrinksDuringAnOutage() {
        assertThat(node.nanosLeft(5 * SECOND)).isEqualTo(10 * SECOND);
        node.unanswered(3 * SECOND, 5 * SECOND);
        assertThat(node.nanosLeft(6 * SECOND)).isEqualTo(7 * SECOND);
        assertThat(node.nanosLeft(60 * SECOND)).isZero();
    }
}
