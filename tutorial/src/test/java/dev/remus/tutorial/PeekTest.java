// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial;

import dev.remus.check.DeterministicSpecification;
import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.junit.SimulationTest;
import dev.remus.memory.RdmaPtr;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.tutorial.page10.DequeOperation;
import dev.remus.tutorial.page10.DequeSpecification;
import dev.remus.tutorial.page10.LockFreeDeque;
import dev.remus.tutorial.page10.RemoteDeque;
import dev.remus.tutorial.page10.Side;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;

/** The solution of page 10, beside pushes and pops. */
@Tag("any-jdk")
class PeekTest {
    private static final int CAPACITY = 3;
    private static final int OPERATIONS = 8;

    /** @param isPeek whether it is a peek at that side; if not, the operation */
    private record Call(boolean isPeek, DequeOperation operation) {}

    /** A peek returns what a pop would, and leaves the items as they are. */
    private static final class WithPeek implements DeterministicSpecification<List<Integer>, Call, String> {
        private final DequeSpecification deque = new DequeSpecification(CAPACITY);

        @Override
        public List<Integer> initial() {
            return deque.initial();
        }

        @Override
        public Step<List<Integer>, String> step(List<Integer> items, Call call) {
            Step<List<Integer>, String> step = deque.step(items, call.operation());
            return call.isPeek() ? new Step<>(items, step.result()) : step;
        }
    }

    @SimulationTest(schedules = 50)
    void aPeekReturnsTheItemAtAnEndAndLeavesItThere(Schedule schedule) throws Exception {
        Recorder<Call, String> recorder = new Recorder<>();
        new SimulatedCluster(4, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(LockFreeDeque.create(CAPACITY, ct));
                    }
                })
                .run(ct -> {
                    LockFreeDeque deque =
                            new LockFreeDeque(new RdmaPtr<>(ct.root().get().raw()), ct);
                    SplittableRandom random = schedule.choices(ct.id());
                    for (int i = 0; i < OPERATIONS; i++) {
                        Side side = random.nextBoolean() ? Side.LEFT : Side.RIGHT;
                        int kind = random.nextInt(3);
                        int item = 10 * ct.id() + i;
                        DequeOperation operation =
                                new DequeOperation(side, kind == 0 ? OptionalInt.of(item) : OptionalInt.empty());
                        recorder.record(ct.id(), new Call(kind == 2, operation), () -> switch (kind) {
                            case 0 -> deque.push(side, item, ct) ? "pushed" : "full";
                            case 1 -> text(deque.pop(side, ct));
                            default -> text(deque.peek(side, ct));
                        });
                    }
                });
        new LinearizabilityChecker<>(new WithPeek()).judge(recorder.history());
    }

    private static String text(long item) {
        return item == RemoteDeque.EMPTY ? "empty" : "" + item;
    }
}
