package @PACKAGE@;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.remus.check.DeterministicSpecification;
import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.fabric.OutcomeUnknownException;
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
    private static final long DEQUEUE = 0;

    /** Enqueues a value, or dequeues one if the value is {@link #DEQUEUE}. */
    record Operation(long value) {
        @Override
        public String toString() {
            return value == DEQUEUE ? "dequeue" : "enqueue " + value;
        }
    }

    /** The sequential specification: maps a state and an operation to the next state and the result. */
    static final class Specification implements DeterministicSpecification<List<Long>, Operation, OptionalLong> {
        @Override
        public List<Long> initial() {
            return List.of();
        }

        @Override
        public Step<List<Long>, OptionalLong> step(List<Long> queue, Operation operation) {
            List<Long> next = new ArrayList<>(queue);
            if (operation.value() != DEQUEUE) {
                next.add(operation.value());
                return new Step<>(List.copyOf(next), OptionalLong.empty());
            }
            if (queue.isEmpty()) {
                return new Step<>(queue, OptionalLong.empty());
            }
            long first = next.remove(0);
            return new Step<>(List.copyOf(next), OptionalLong.of(first));
        }
    }

    private static OptionalLong apply(Operation operation, @CLASS@ queue, ComputeThread ct) {
        if (operation.value() == DEQUEUE) {
            return queue.dequeue(ct);
        }
        queue.enqueue(operation.value(), ct);
        return OptionalLong.empty();
    }

    /** Threads that pause and requests that are late find what is done outside the locks. */
    @SimulationTest(schedules = 500)
    void itIsLinearizableInEverySchedule(Schedule schedule) throws Exception {
        check(schedule, 3);
    }

    @SimulationTest(schedules = 200, faults = {Fault.STOPPED_THREADS, Fault.LOST_COMPUTE_NODES})
    void aThreadThatDiesLosesAndRepeatsNothing(Schedule schedule) throws Exception {
        check(schedule, 3);
    }

    /** The queue is empty at first: what a broken lane leaves behind mostly does harm once all before it is taken. */
    @SimulationTest(schedules = 2000, faults = Fault.BROKEN_LANES)
    void aThreadWhoseLaneBreaksLosesAndRepeatsNothing(Schedule schedule) throws Exception {
        check(schedule, 0);
    }

    private static void check(Schedule schedule, int prefilled) throws Exception {
        Recorder<Operation, OptionalLong> recorder = new Recorder<>();
        new SimulatedCluster(4, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(@CLASS@.create(ct));
                        @CLASS@ queue = new @CLASS@(ct.root().get(), ct);
                        for (int i = 1; i <= prefilled; i++) {
                            Operation enqueue = new Operation(i);
                            recorder.record(ct.id(), enqueue, () -> apply(enqueue, queue, ct));
                        }
                    }
                })
                .run(ct -> {
                    @CLASS@ queue = new @CLASS@(ct.root().get(), ct);
                    SplittableRandom choices = schedule.choices(ct.id());
                    for (int i = 1; i <= 4; i++) { // few enough for the checker to find an order or refute all
                        long value = 10L * (ct.id() + 1) + i; // a value of its own makes findings easier to read
                        Operation operation = new Operation(choices.nextBoolean() ? value : DEQUEUE);
                        try {
                            recorder.record(ct.id(), operation, () -> apply(operation, queue, ct));
                        } catch (OutcomeUnknownException e) {
                            return; // its lane broke: the operation may have taken effect, or not
                        }
                    }
                });
        new LinearizabilityChecker<>(new Specification()).judge(recorder.history());
    }

    /** One thread works, so there is no contention. The lock costs more in a cluster of one thread. */
    @LocalCluster(memoryNodes = 1, computeNodes = 1, threadsPerNode = 2)
    void eachMethodCostsTheRoundTripsOfTheClassComment(ComputeThread ct) {
        if (ct.id() > 0) {
            return;
        }
        @CLASS@ queue = new @CLASS@(@CLASS@.create(ct), ct);
        for (int i = 0; i < 20; i++) {
            queue.enqueue(i, ct);
            queue.dequeue(ct);
        } // by now, the thread takes many blocks with one round trip
        assertEquals(8, roundTrips(() -> queue.enqueue(2, ct), ct));
        assertEquals(8, roundTrips(() -> queue.dequeue(ct), ct));
        assertEquals(6, roundTrips(() -> queue.dequeue(ct), ct), "it is empty");
    }

    private static long roundTrips(Runnable operation, ComputeThread ct) {
        long before = ct.metrics().roundTrips();
        operation.run();
        return ct.metrics().roundTrips() - before;
    }

    /** Runs in every Compute Thread of two processes, on the shared memory of this machine. */
    @LocalCluster(memoryNodes = 1, computeNodes = 2, threadsPerNode = 2, processes = true)
    void processesDequeueWhatOthersHaveEnqueued(ComputeThread ct) {
        if (ct.id() == 0) {
            ct.root().set(@CLASS@.create(ct));
        }
        ct.barrier();
        @CLASS@ queue = new @CLASS@(ct.root().get(), ct);
        for (int i = 0; i < 1000; i++) {
            queue.enqueue(i, ct);
            assertTrue(queue.dequeue(ct).isPresent(), "an enqueue comes before each dequeue");
        }
        ct.barrier();
        assertTrue(queue.dequeue(ct).isEmpty(), "all values have been dequeued");
        ct.barrier();
    }
}
