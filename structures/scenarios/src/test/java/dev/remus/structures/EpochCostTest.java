// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.fabric.CostModel;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.baseline.CentralizedLockQueue;
import dev.remus.structures.baseline.DecentralizedLockQueue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Epochs take few round trips for each operation of each structure, also if its threads wait for each other: on the
 * simulator, with the costs of hardware.
 */
@Tag("any-jdk")
class EpochCostTest {
    private static final double MOST_EXTRA = 0.05;
    private static final int THREADS = 6;
    private static final int KEYS = 16;
    private static final int CAPACITY = 64;
    private static final int LEAST_OPERATIONS = 100;

    private static final long RUN_NANOS = 10_000_000;
    private static final long IDLE_RUN_NANOS = 100_000_000;

    /** The time from one item to the next while consumers wait. */
    private static final long IDLE_NANOS = 200_000;

    /**
     * A structure.
     *
     * @param retires whether it retires blocks
     * @param create makes it
     * @param open makes a thread's operation, which returns whether it counts
     */
    private record Subject(
            boolean retires,
            Function<ComputeThread, RdmaPtr<?>> create,
            BiFunction<RdmaPtr<?>, ComputeThread, BooleanSupplier> open) {}

    static Map<String, Subject> all() {
        Map<String, Subject> all = new LinkedHashMap<>();
        all.put("lazy list", set(LongLazyListSet::create, (p, ct) -> new LongLazyListSet(new RdmaPtr<>(p.raw()))));
        all.put(
                "fast list",
                set(LongFastLazyListSet::create, (p, ct) -> new LongFastLazyListSet(new RdmaPtr<>(p.raw()))));
        all.put(
                "cached list",
                set(LongCachedLazyListSet::create, (p, ct) -> new LongCachedLazyListSet(new RdmaPtr<>(p.raw()))));
        all.put(
                "lock-free list",
                set(LongLockFreeListSet::create, (p, ct) -> new LongLockFreeListSet(new RdmaPtr<>(p.raw()))));
        all.put("map", new Subject(true, LongLongMap::create, EpochCostTest::updates));
        all.put("bc", queue(ct -> CentralizedLockQueue.create(CAPACITY, Codecs.LONG, ct), EpochCostTest::bc));
        all.put("bd", queue(ct -> DecentralizedLockQueue.create(CAPACITY, Codecs.LONG, ct), EpochCostTest::bd));
        all.put("nd", queue(ct -> LockFreeQueue.create(CAPACITY, Codecs.LONG, ct), EpochCostTest::nd));
        all.put("buffered", producers(ct -> BufferedQueue.create(CAPACITY, Codecs.LONG, ct), EpochCostTest::buffered));
        all.put(
                "relaxed",
                producers(ct -> RelaxedBufferedQueue.create(CAPACITY, Codecs.LONG, ct), EpochCostTest::relaxed));
        all.put("bc, waiting", idle(ct -> CentralizedLockQueue.create(CAPACITY, Codecs.LONG, ct), EpochCostTest::bc));
        all.put("bd, waiting", idle(ct -> DecentralizedLockQueue.create(CAPACITY, Codecs.LONG, ct), EpochCostTest::bd));
        all.put("nd, waiting", idle(ct -> LockFreeQueue.create(CAPACITY, Codecs.LONG, ct), EpochCostTest::nd));
        return all;
    }

    private static RemoteQueue<Long> bc(RdmaPtr<?> pointer, ComputeThread ct) {
        return new CentralizedLockQueue<>(new RdmaPtr<>(pointer.raw()), Codecs.LONG, ct);
    }

    private static RemoteQueue<Long> bd(RdmaPtr<?> pointer, ComputeThread ct) {
        return new DecentralizedLockQueue<>(new RdmaPtr<>(pointer.raw()), Codecs.LONG, ct);
    }

    private static RemoteQueue<Long> nd(RdmaPtr<?> pointer, ComputeThread ct) {
        return new LockFreeQueue<>(new RdmaPtr<>(pointer.raw()), Codecs.LONG, ct);
    }

    private static RemoteQueue<Long> buffered(RdmaPtr<?> pointer, ComputeThread ct) {
        return new BufferedQueue<>(new RdmaPtr<>(pointer.raw()), Codecs.LONG, ct);
    }

    private static RemoteQueue<Long> relaxed(RdmaPtr<?> pointer, ComputeThread ct) {
        return new RelaxedBufferedQueue<>(new RdmaPtr<>(pointer.raw()), Codecs.LONG, ct);
    }

    private static Subject set(
            Function<ComputeThread, RdmaPtr<?>> create, BiFunction<RdmaPtr<?>, ComputeThread, RemoteLongSet> open) {
        return new Subject(true, create, (pointer, ct) -> {
            RemoteLongSet set = open.apply(pointer, ct);
            SplittableRandom random = new SplittableRandom(ct.id());
            return () -> {
                long key = random.nextLong(KEYS);
                switch (random.nextInt(3)) {
                    case 0 -> set.contains(key, ct);
                    case 1 -> set.insert(key, ct);
                    default -> set.remove(key, ct);
                }
                return true;
            };
        });
    }

    private static BooleanSupplier updates(RdmaPtr<?> pointer, ComputeThread ct) {
        LongLongMap map = new LongLongMap(new RdmaPtr<>(pointer.raw()), -1, ct);
        SplittableRandom random = new SplittableRandom(ct.id());
        return () -> {
            map.put(random.nextLong(KEYS), random.nextLong(), ct);
            return true;
        };
    }

    /** Each thread enqueues and dequeues. */
    private static Subject queue(
            Function<ComputeThread, RdmaPtr<?>> create, BiFunction<RdmaPtr<?>, ComputeThread, RemoteQueue<Long>> open) {
        return new Subject(false, create, (pointer, ct) -> {
            RemoteQueue<Long> queue = open.apply(pointer, ct);
            SplittableRandom random = new SplittableRandom(ct.id());
            return () -> {
                if (random.nextBoolean()) {
                    queue.tryEnqueue(1L, ct);
                } else {
                    queue.tryDequeue(ct);
                }
                return true;
            };
        });
    }

    /** The first thread dequeues, the others enqueue; those that cannot wait. */
    private static Subject producers(
            Function<ComputeThread, RdmaPtr<?>> create, BiFunction<RdmaPtr<?>, ComputeThread, RemoteQueue<Long>> open) {
        return new Subject(false, create, (pointer, ct) -> {
            RemoteQueue<Long> queue = open.apply(pointer, ct);
            return () -> orPause(ct.id() == 0 ? queue.tryDequeue(ct).isItem() : queue.tryEnqueue(1L, ct), ct);
        });
    }

    /** The first thread enqueues an item at times, the others wait for it. */
    private static Subject idle(
            Function<ComputeThread, RdmaPtr<?>> create, BiFunction<RdmaPtr<?>, ComputeThread, RemoteQueue<Long>> open) {
        return new Subject(false, create, (pointer, ct) -> {
            RemoteQueue<Long> queue = open.apply(pointer, ct);
            long[] next = {ct.nanoTime()};
            return () -> {
                if (ct.id() != 0) {
                    return orPause(queue.tryDequeue(ct).isItem(), ct);
                } else if (ct.nanoTime() < next[0]) {
                    return orPause(false, ct);
                }
                next[0] += IDLE_NANOS;
                return queue.tryEnqueue(1L, ct);
            };
        });
    }

    private static boolean orPause(boolean isDone, ComputeThread ct) {
        if (!isDone) {
            ct.pause();
        }
        return isDone;
    }

    @ParameterizedTest
    @MethodSource("names")
    void epochsTakeATwentiethOfARoundTripForAnOperationAtMost(String name) throws Exception {
        Subject subject = all().get(name);
        long nanos = name.endsWith("waiting") ? IDLE_RUN_NANOS : RUN_NANOS;
        ClusterConfig config = SimulatedCluster.small(THREADS)
                .segmentSizeLog2(20)
                .checkMemory(false)
                .reclaim(Reclamation.EPOCHS)
                .build();
        long[] operations = new long[1];
        long[] extra = new long[1];
        long[] epochs = new long[1];
        CostModel costs = CostModel.read("infiniband-fdr");
        new SimulatedCluster(
                        config,
                        Schedule.random(1).observedBy(s -> s.costs(costs).maxSteps(Long.MAX_VALUE)))
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(subject.create.apply(ct));
                    }
                })
                .run(ct -> {
                    BooleanSupplier operation = subject.open.apply(ct.root().get(), ct);
                    operateFor(nanos, operation, ct); // not counted: waiting threads begin with short intervals
                    long before = ct.metrics().reclamationRoundTrips();
                    int done = operateFor(nanos, operation, ct);
                    operations[0] += done;
                    extra[0] += ct.metrics().reclamationRoundTrips() - before;
                    epochs[0] += ct.metrics().epochs();
                });
        assertThat(operations[0]).isGreaterThan(LEAST_OPERATIONS);
        assertThat((double) extra[0] / operations[0])
                .as("%s: %d for %d operations", name, extra[0], operations[0])
                .isLessThanOrEqualTo(MOST_EXTRA);
        assertThat(epochs[0] > THREADS).as("%s: %d epochs", name, epochs[0]).isEqualTo(subject.retires);
    }

    private static int operateFor(long nanos, BooleanSupplier operation, ComputeThread ct) {
        int done = 0;
        for (long start = ct.nanoTime(); ct.nanoTime() - start < nanos; ct.quiescent()) {
            done += operation.getAsBoolean() ? 1 : 0;
        }
        return done;
    }

    static Iterable<String> names() {
        return all().keySet();
    }
}
