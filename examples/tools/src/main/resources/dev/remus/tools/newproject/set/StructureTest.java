package @PACKAGE@;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

class @CLASS@Test {
    private static final int KEYS = 4;

    /** An operation with one key. */
    record Operation(String name, long key) {
        @Override
        public String toString() {
            return name + " " + key;
        }
    }

    /** The sequential specification: maps a state and an operation to the next state and the result. */
    static final class Specification implements DeterministicSpecification<Set<Long>, Operation, Boolean> {
        @Override
        public Set<Long> initial() {
            return Set.of();
        }

        @Override
        public Step<Set<Long>, Boolean> step(Set<Long> keys, Operation operation) {
            Set<Long> next = new TreeSet<>(keys);
            boolean result =
                    switch (operation.name()) {
                        case "insert" -> next.add(operation.key());
                        case "remove" -> next.remove(operation.key());
                        default -> keys.contains(operation.key());
                    };
            return new Step<>(Set.copyOf(next), result);
        }
    }

    private static boolean apply(Operation operation, @CLASS@ set, ComputeThread ct) {
        return switch (operation.name()) {
            case "insert" -> set.insert(operation.key(), ct);
            case "remove" -> set.remove(operation.key(), ct);
            default -> set.contains(operation.key(), ct);
        };
    }

    /** Threads that pause and requests that are late find what is done outside the lock. */
    @SimulationTest(schedules = 500)
    void itIsLinearizableInEverySchedule(Schedule schedule) throws Exception {
        check(schedule);
    }

    @SimulationTest(schedules = 200, faults = {Fault.STOPPED_THREADS, Fault.LOST_COMPUTE_NODES})
    void aThreadThatDiesLosesAndRepeatsNothing(Schedule schedule) throws Exception {
        check(schedule);
    }

    private static void check(Schedule schedule) throws Exception {
        Recorder<Operation, Boolean> recorder = new Recorder<>();
        new SimulatedCluster(4, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(@CLASS@.create(ct));
                    }
                })
                .run(ct -> {
                    @CLASS@ set = new @CLASS@(ct.root().get(), ct);
                    SplittableRandom choices = schedule.choices(ct.id());
                    for (int i = 0; i < 5; i++) {
                        String[] names = {"insert", "remove", "contains"};
                        Operation operation = new Operation(names[choices.nextInt(3)], choices.nextInt(KEYS));
                        recorder.record(ct.id(), operation, () -> apply(operation, set, ct));
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
        @CLASS@ set = new @CLASS@(@CLASS@.create(ct), ct);
        for (long key = 1; key <= 3; key++) {
            set.insert(key, ct);
        }
        set.remove(2, ct);
        ct.reclaimDeferred(); // the next insert reuses the block
        assertEquals(1 + 1, roundTrips(() -> set.contains(1, ct), ct));
        assertEquals(1 + 2, roundTrips(() -> set.contains(4, ct), ct));
        assertEquals(7 + 2, roundTrips(() -> set.insert(2, ct), ct));
        assertEquals(6 + 3, roundTrips(() -> set.remove(3, ct), ct));
        assertEquals(6 + 1, roundTrips(() -> set.remove(1, ct), ct));
    }

    private static long roundTrips(Runnable operation, ComputeThread ct) {
        long before = ct.metrics().roundTrips();
        operation.run();
        return ct.metrics().roundTrips() - before;
    }

    /** Runs in every Compute Thread of two processes, on the shared memory of this machine. */
    @LocalCluster(memoryNodes = 1, computeNodes = 2, threadsPerNode = 2, processes = true)
    void processesSeeWhatOthersHaveInserted(ComputeThread ct) {
        if (ct.id() == 0) {
            ct.root().set(@CLASS@.create(ct));
        }
        ct.barrier();
        @CLASS@ set = new @CLASS@(ct.root().get(), ct);
        for (int i = 0; i < 50; i++) {
            assertTrue(set.insert((long) i * ct.threads() + ct.id(), ct), "no other thread inserts this key");
        }
        ct.barrier();
        int next = (ct.id() + 1) % ct.threads();
        for (int i = 0; i < 50; i++) {
            assertTrue(set.remove((long) i * ct.threads() + next, ct), "another thread has inserted this key");
        }
        ct.barrier();
        for (int i = 0; i < 50 * ct.threads(); i++) {
            assertFalse(set.contains(i, ct), "all keys have been removed");
        }
        ct.barrier();
        ct.reclaimDeferred();
    }
}
