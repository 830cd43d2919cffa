// SPDX-License-Identifier: Apache-2.0
package dev.remus.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.remus.check.History;
import java.util.List;
import org.junit.jupiter.api.Test;

class OperationLogTest {
    private final OperationLog log = new OperationLog(3);

    @Test
    void operationsAreReadAsTheyWereRecorded() {
        log.call(255, Long.MIN_VALUE, 1_000);
        log.returned(255, Long.MAX_VALUE, 1_500);
        log.call(0, -1, -2_000);
        log.returned(7, -3, -1_000);
        RecordedRun run = RecordedRun.of(List.of(new OperationLog(0), log));
        assertThat(run.size()).isEqualTo(2);
        assertThat(List.of(run.thread(0), run.kind(0), run.outcome(0))).containsExactly(1, 255, 255);
        assertThat(List.of(run.value(0), run.called(0), run.returned(0)))
                .containsExactly(Long.MAX_VALUE, 1_000L, 1_500L);
        assertThat(List.of(run.kind(1), run.outcome(1))).containsExactly(0, 7);
        assertThat(List.of(run.value(1), run.called(1), run.returned(1))).containsExactly(-3L, -2_000L, -1_000L);
        assertThat(run.clockErrorNanos()).isZero();
    }

    @Test
    void theClockIsReadBeforeAndAfterTheOperation() {
        long before = System.nanoTime();
        log.call(1, 5);
        log.returned(1);
        RecordedRun run = RecordedRun.of(List.of(log));
        assertThat(run.value(0)).isEqualTo(5);
        assertThat(run.called(0)).isGreaterThanOrEqualTo(before);
        assertThat(run.returned(0)).isGreaterThan(run.called(0)).isLessThanOrEqualTo(System.nanoTime() + 1);
    }

    @Test
    void anOperationThatDoesNotReturnStaysPending() {
        log.call(1, 5, 10);
        log.call(2, 6, 20);
        log.returned(0, 6, 20);
        RecordedRun run = RecordedRun.of(List.of(log));
        assertThat(run.isPending(0)).isTrue();
        assertThat(run.isPending(1)).isFalse();
        assertThat(run.returned(1)).as("a coarse clock").isEqualTo(21);
    }

    @Test
    void anOperationWithoutEffectCanBeWithdrawn() {
        log.call(1, 5);
        log.withdraw();
        assertThat(log.size()).isZero();
        assertThat(RecordedRun.of(List.of(log, log)).withdrawn()).isEqualTo(2);
        assertThatIllegalStateException().isThrownBy(log::withdraw);
        assertThatIllegalStateException().isThrownBy(() -> log.returned(1));
    }

    @Test
    void aCodeOutOfRangeIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> log.call(256, 5)).withMessageContaining("0 to 255");
        assertThat(log.size()).isZero();
        log.call(1, 5);
        assertThatIllegalArgumentException().isThrownBy(() -> log.returned(-1)).withMessageContaining("code of -1");
    }

    @Test
    void aFullLogTakesNoMore() {
        for (int i = 0; i < 3; i++) {
            assertThat(log.isFull()).isFalse();
            log.call(1, i);
            log.returned(1);
        }
        assertThat(log.isFull()).isTrue();
        assertThatIllegalStateException()
                .isThrownBy(() -> log.call(1, 3))
                .withMessage("the log is full: it has room for 3 operations");
        assertThatIllegalArgumentException().isThrownBy(() -> new OperationLog(-1));
    }

    @Test
    void anyCheckerGetsAHistory() {
        log.call(1, 5, 10);
        log.returned(1, 5, 20);
        log.call(2, 6, 30);
        RecordedRun.Codes<String, String> codes = new RecordedRun.Codes<>() {
            @Override
            public String operation(int kind, long value) {
                return kind + "(" + value + ")";
            }

            @Override
            public String result(int kind, int outcome, long value) {
                return "result " + outcome;
            }

            @Override
            public String pending() {
                return "";
            }
        };
        History<String, String> history = RecordedRun.of(List.of(log)).history(codes, i -> true);
        assertThat(history).hasToString("[1(5) → result 1 by thread 0, 2(6) pending by thread 0]");
        assertThat(RecordedRun.of(List.of(log)).history(codes, i -> i == 1).size())
                .isEqualTo(1);
    }
}
