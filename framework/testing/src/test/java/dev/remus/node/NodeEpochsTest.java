// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import org.junit.jupiter.api.Test;

/** A thread that stands still is reported once, with its node. */
class NodeEpochsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int FOURTH_THREAD = 3;

    private final ClusterConfig config = TestCluster.config(1, 2, 2).build();
    private final NodeEpochs epochs = new NodeEpochs(config, () -> 77);

    @Test
    void aThreadIsReportedAfterSomeSecondsWithItsNodeAndTheGarbageThatItHoldsUp() {
        epochs.held(FOURTH_THREAD, 5, 0, 3 * SECOND);
        assertThat(epochs.notice(3 * SECOND)).isEmpty();
        epochs.held(FOURTH_THREAD, 5, 0, 7 * SECOND);
        assertThat(epochs.notice(9 * SECOND)).isEqualTo("2 1 9 77");
        assertThat(epochs.describe(FOURTH_THREAD, 9 * SECOND))
                .isEqualTo("Compute Thread 1 of Compute Node 2 has announced no quiescent state for 9 s");
    }

    @Test
    void aStallKeepsItsBeginningWhenOtherThreadsSeeItToo() {
        epochs.held(FOURTH_THREAD, 5, 0, 7 * SECOND);
        epochs.held(1, 5, SECOND, 8 * SECOND);
        assertThat(epochs.notice(9 * SECOND)).isEqualTo("2 1 9 77");
    }

    @Test
    void aStallEndsWithItsEpoch() {
        epochs.held(FOURTH_THREAD, 5, 0, 7 * SECOND);
        epochs.seen(5, 8 * SECOND);
        assertThat(epochs.notice(8 * SECOND)).isNotEmpty();
        epochs.seen(6, 8 * SECOND);
        assertThat(epochs.notice(8 * SECOND)).isEmpty();
        epochs.held(1, 6, 8 * SECOND, 20 * SECOND);
        assertThat(epochs.notice(20 * SECOND)).isEqualTo("1 1 12 77");
    }
}
