// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a rejected history of an importer's specification, with texts as operations, shrinks to by itself. */
class MinimisedStackTest {
    private final Recorder<String, String> recorder = new Recorder<>();

    /** A stack: "push 25", "pop". */
    private static final class Stack implements DeterministicSpecification<List<String>, String, String> {
        @Override
        public List<String> initial() {
            return List.of();
        }

        @Override
        public Step<List<String>, String> step(List<String> items, String operation) {
            List<String> next = new ArrayList<>(items);
            if (operation.startsWith("push ")) {
                next.add(operation.substring("push ".length()));
                return new Step<>(next, "done");
            }
            return items.isEmpty() ? new Step<>(items, "EMPTY") : new Step<>(next, next.remove(next.size() - 1));
        }
    }

    /** A counter: "increment" returns what the count was. */
    private static final class Counter implements DeterministicSpecification<Long, String, String> {
        @Override
        public Long initial() {
            return 0L;
        }

        @Override
        public Step<Long, String> step(Long count, String increment) {
            return new Step<>(count + 1, String.valueOf(count));
        }
    }

    private void happens(int thread, String operation, String result) {
        recorder.record(thread, operation, () -> result);
    }

    private List<String> left(DeterministicSpecification<?, String, String> specification) {
        var minimiser = new Minimiser<>(new LinearizabilityChecker<>(specification));
        return minimiser.minimise(recorder.history()).history().invocations().stream()
                .map(i -> i.operation() + " -> " + i.result())
                .toList();
    }

    @Test
    void anItemPoppedTwiceStaysWithItsPushAndBothPops() {
        happens(0, "push 25", "done");
        happens(1, "push 26", "done");
        happens(0, "pop", "26");
        happens(1, "pop", "25");
        happens(0, "pop", "25");
        assertThat(left(new Stack())).containsExactly("push 25 -> done", "pop -> 25", "pop -> 25");
    }

    @Test
    void aCountReturnedTwiceStaysWithTheIncrementBefore() {
        happens(0, "increment", "0");
        happens(1, "increment", "1");
        happens(0, "increment", "1");
        assertThat(left(new Counter())).hasSize(3);
    }

    @Test
    void anItemThatWasNeverPushedStaysAlone() {
        happens(0, "push 25", "done");
        happens(1, "pop", "25");
        happens(0, "pop", "99");
        assertThat(left(new Stack())).containsExactly("pop -> 99");
    }

    @Test
    void theErrorOfJudgeDrawsTheSame() {
        happens(0, "push 1", "done");
        happens(0, "pop", "1");
        happens(1, "push 25", "done");
        happens(1, "pop", "25");
        happens(0, "pop", "25");
        var error = catchThrowableOfType(
                RejectedHistoryError.class, () -> new LinearizabilityChecker<>(new Stack()).judge(recorder.history()));
        assertThat(error).hasMessageContaining("push 25").hasMessageNotContaining("push 1");
    }
}
