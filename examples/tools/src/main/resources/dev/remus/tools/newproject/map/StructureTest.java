package @PACKAGE@;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.remus.check.DeterministicSpecification;
import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.fabric.sim.Fault;
import dev.remus.junit.LocalCluster;
import dev.remus.junit.SimulationTest;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;

class @CLASS@Test {
    private static final int KEYS = 4;

    /** An operation with one key; only a put uses the value. */
    record Operation(String name, long key, long value) {
        @Override
        public String toString() {
            return name + " " + key + (name.equals("put") ? "=" + value : "");
        }
    }

    /** The sequential specification: maps a state and an operation to the next state and the result. */
    static final class Specification implements DeterministicSpecification<Map<Long, Long>, Operation, OptionalLong> {
        @Override
        public Map<Long, Long> initial() {
            return Map.of();
        }

        @Override
        public Step<Map<Long, Long>, OptionalLong> step(Map<Long, Long> map, Operation operation) {
            Map<Long, Long> next = new TreeMap<>(map);
            Long before =
                    switch (operation.name()) {
                        case "put" -> next.put(operation.key(), operation.value());
                        case "remove" -> next.remove(operation.key());
                        default -> map.get(operation.key());
                    };
            return new Step<>(Map.copyOf(next), before == null ? OptionalLong.empty() : OptionalLong.of(before));
        }
    }

    private static OptionalLong apply(Operation operation, @CLASS@ map, ComputeThread ct) {
        return switch (operation.name()) {
            case "put" -> map.put(operation.key(), operation.value(), ct);
            case "remove" -> map.remove(operation.key(), ct);
            default -> map.get(operation.key(), ct);
        };
    }

    /** Threads that pause and requests that are late find what is not done in one step. */
    @SimulationTest(schedules = 500)
    void itIsLinearizableInEverySchedule(Schedule schedule) throws Exception {
        check(schedule);
    }

    @SimulationTest(schedules = 200, faults = {Fault.STOPPED_THREADS, Fault.LOST_COMPUTE_NODES})
    void aThreadThatDiesLosesAndRepeatsNothing(Schedule schedule) throws Exception {
        check(schedule);
    }

    /** All keys are in one bucket, so that threads want the same cells. */
    private static void check(Schedule schedule) throws Exception {
        Recorder<Operation, OptionalLong> recorder = new Recorder<>();
        new SimulatedCluster(4, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(@CLASS@.create(1, ct));
                    }
                })
                .run(ct -> {
                    @CLASS@ map = new @CLASS@(ct.root().get(), ct);
                    SplittableRandom choices = schedule.choices(ct.id());
                    for (int i = 1; i <= 5; i++) {
                        String[] names = {"put", "remove", "get"};
                        long key = 1 + choices.nextInt(KEYS);
                        long value = 10L * (ct.id() + 1) + i; // a value of its own makes findings easier to read
                        Operation operation = new Operation(names[choices.nextInt(3)], key, value);
                        recorder.record(ct.id(), operation, () -> apply(operation, map, ct));
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
        @CLASS@ map = new @CLASS@(@CLASS@.create(1, ct), ct);
        assertEquals(3, roundTrips(() -> map.put(1, 10, ct), ct));
        assertEquals(2, roundTrips(() -> map.put(1, 11, ct), ct));
        assertEquals(1, roundTrips(() -> map.put(1, 11, ct), ct));
        assertEquals(1, roundTrips(() -> map.get(1, ct), ct));
        assertEquals(2, roundTrips(() -> map.remove(1, ct), ct));
        assertEquals(1, roundTrips(() -> map.remove(1, ct), ct), "it is missing");
        assertEquals(2, roundTrips(() -> map.put(1, 12, ct), ct), "it has kept its cell");
        for (long key = 2; key <= 16; key++) {
            map.put(key, key, ct);
        }
        assertThrows(IllegalStateException.class, () -> map.put(17, 17, ct), "the bucket is full");
    }

    private static long roundTrips(Runnable operation, ComputeThread ct) {
        long before = ct.metrics().roundTrips();
        operation.run();
        return ct.metrics().roundTrips() - before;
    }

    /** Runs in every Compute Thread of two processes, on the shared memory of this machine. */
    @LocalCluster(memoryNodes = 1, computeNodes = 2, threadsPerNode = 2, processes = true)
    void processesSeeWhatOthersHavePut(ComputeThread ct) {
        if (ct.id() == 0) {
            ct.root().set(@CLASS@.create(64, ct));
        }
        ct.barrier();
        @CLASS@ map = new @CLASS@(ct.root().get(), ct);
        for (int i = 0; i < 50; i++) {
            long key = 1 + (long) i * ct.threads() + ct.id();
            assertEquals(OptionalLong.empty(), map.put(key, 2 * key, ct), "no other thread puts this key");
        }
        ct.barrier();
        int next = (ct.id() + 1) % ct.threads();
        for (int i = 0; i < 50; i++) {
            long key = 1 + (long) i * ct.threads() + next;
            assertEquals(OptionalLong.of(2 * key), map.remove(key, ct), "another thread has put this key");
        }
        ct.barrier();
        for (long key = 1; key <= 50L * ct.threads(); key++) {
            assertEquals(OptionalLong.empty(), map.get(key, ct), "all keys have been removed");
        }
        ct.barrier();
    }
}
