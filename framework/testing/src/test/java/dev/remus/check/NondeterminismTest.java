// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Specifications in which one operation has several possible outcomes. */
class NondeterminismTest {
    /** "up" adds 1 or 2 and returns nothing; "get" returns the sum. */
    private static final class Stairs implements Specification<Integer, String, Integer> {
        @Override
        public Integer initial() {
            return 0;
        }

        @Override
        public List<Integer> after(Integer sum, String operation, Integer result) {
            if (operation.equals("up")) {
                return List.of(sum + 1, sum + 2);
            }
            return sum.equals(result) ? List.of(sum) : List.of();
        }

        @Override
        public List<Integer> afterPending(Integer sum, String operation) {
            return after(sum, operation, sum);
        }
    }

    private final Recorder<String, Integer> recorder = new Recorder<>();

    private boolean isAccepted(int sum) {
        int get = recorder.call(9, "get");
        recorder.returned(get, sum);
        History<String, Integer> withoutOtherGets =
                recorder.history().only(i -> i.id() == get || i.operation().equals("up"));
        return new LinearizabilityChecker<>(new Stairs())
                .check(withoutOtherGets)
                .isAccepted();
    }

    @Test
    void everyOutcomeOfACompletedOperationIsTried() {
        recorder.record(0, "up", () -> null);
        recorder.record(0, "up", () -> null);
        recorder.record(0, "up", () -> null);
        assertThat(List.of(2, 3, 4, 5, 6, 7)).filteredOn(this::isAccepted).containsExactly(3, 4, 5, 6);
    }

    @Test
    void everyOutcomeOfAPendingOperationIsTriedAndThatItDidNotHappen() {
        recorder.call(0, "up");
        recorder.call(1, "up");
        assertThat(List.of(0, 1, 2, 3, 4, 5)).filteredOn(this::isAccepted).containsExactly(0, 1, 2, 3, 4);
    }
}
