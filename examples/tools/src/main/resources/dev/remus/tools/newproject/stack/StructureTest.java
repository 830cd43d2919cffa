package @PACKAGE@;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.remus.check.DeterministicSpecification;
import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.fabric.sim.Fault;
import dev.remus.junit.LocalCluster;
import dev.remus.junit.SimulationTest;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;

class @CLASS@Test {
    private static final long POP = 0;

    /** Pushes a value, or pops one if the value is {@link #POP}. */
    record Operation(long value) {
        @Override
        public String toString() {
            return value == POP ? "pop" : "push " + value;
        }
    }

    /** The sequential specification: maps a state and an operation to the next state and the result. */
    static final class Specification implements DeterministicSpecification<List<Long>, Operation, OptionalLong> {
        @Override
        public List<Long> initial() {
            return List.of();
        }

        @Override
        public Step<List<Long>, OptionalLong> step(List<Long> stack, Operation operation) {
            List<Long> next = new ArrayList<>(stack);
            if (operation.value() != POP) {
                next.add(operation.value());
                return new Step<>(List.copyOf(next), OptionalLong.empty());
            }
            if (stack.isEmpty()) {
                return new Step<>(stack, OptionalLong.empty());
            }
            long last = next.remove(next.size() - 1);
            return new Step<>(List.copyOf(next), OptionalLong.of(last));
        }
    }

    private static OptionalLong apply(Operation operation, @CLASS@ stack, ComputeThread ct) {
        if (operation.value() == POP) {
            return stack.pop(ct);
        }
        stack.push(operation.value(), ct);
        return OptionalLong.empty();
    }

    /** Threads that pause and requests that are late find ABA: without the tag this test fails. */
    @SimulationTest(schedules = 500)
    void itIsLinearizableInEverySchedule(Schedule schedule) throws Exception {
        check(schedule);
    }

    @SimulationTest(schedules = 200, faults = {Fault.STOPPED_THREADS, Fault.LOST_COMPUTE_NODES})
    void aThreadThatDiesBlocksNoOther(Schedule schedule) throws Exception {
        check(schedule);
    }

    private static void check(Schedule schedule) throws Exception {
        Recorder<Operation, OptionalLong> recorder = new Recorder<>();
        new SimulatedCluster(4, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(@CLASS@.create(ct));
                        @CLASS@ stack = new @CLASS@(ct.root().get());
                        for (int i = 1; i <= 3; i++) {
                            Operation push = new Operation(i);
                            recorder.record(ct.id(), push, () -> apply(push, stack, ct));
                        }
                    }
                })
                .run(ct -> {
                    @CLASS@ stack = new @CLASS@(ct.root().get());
                    SplittableRandom choices = schedule.choices(ct.id());
                    for (int i = 1; i <= 6; i++) {
                        long value = 10L * (ct.id() + 1) + i; // a value of its own makes findings easier to read
                        Operation operation = new Operation(choices.nextInt(3) == 0 ? value : POP);
                        recorder.record(ct.id(), operation, () -> apply(operation, stack, ct));
                    }
                });
        new LinearizabilityChecker<>(new Specification()).judge(recorder.history());
    }

    /** One thread works, so there is no contention. */
    @LocalCluster(memoryNodes = 1, computeNodes = 1, threadsPerNode = 2)
    void eachMethodCostsTheRoundTripsOfTheClassComment(ComputeThread ct) {
        if (ct.id() > 0) {
            return;
        }
        @CLASS@ stack = new @CLASS@(@CLASS@.create(ct));
        stack.push(1, ct);
        stack.pop(ct); // the next push reuses the block
        assertEquals(4, roundTrips(() -> stack.push(2, ct), ct));
        assertEquals(3, roundTrips(() -> stack.pop(ct), ct));
        assertEquals(1, roundTrips(() -> stack.pop(ct), ct), "it is empty");
    }

    private static long roundTrips(Runnable operation, ComputeThread ct) {
        long before = ct.metrics().roundTrips();
        operation.run();
        return ct.metrics().roundTrips() - before;
    }

    /** Runs in every Compute Thread of two processes, on the shared memory of this machine. */
    @LocalCluster(memoryNodes = 1, computeNodes = 2, threadsPerNode = 2, processes = true)
    void processesPopWhatOthersHavePushed(ComputeThread ct) {
        if (ct.id() == 0) {
            ct.root().set(@CLASS@.create(ct));
        }
        ct.barrier();
        @CLASS@ stack = new @CLASS@(ct.root().get());
        for (int i = 0; i < 1000; i++) {
            stack.push(i, ct);
            assertTrue(stack.pop(ct).isPresent(), "a push comes before each pop");
        }
        ct.barrier();
        assertTrue(stack.pop(ct).isEmpty(), "all values have been popped");
        ct.barrier();
    }
}
