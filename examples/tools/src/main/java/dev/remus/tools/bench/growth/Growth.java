// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.growth;

import dev.remus.node.ComputeThread;
import dev.remus.structures.LongLongMap;
import dev.remus.structures.MapShape;
import dev.remus.structures.MapTable;
import dev.remus.tools.bench.suite.BenchCluster;
import dev.remus.tools.latency.Latencies;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/**
 * Lets a hash map grow under load, and times each operation twice: by the clock, and by the processor time of its
 * thread. The threads of one process insert, read and update by turns; an operation includes the announcement of a
 * quiescent state after it. What the clock shows beyond the processor time are pauses of the Java VM, other threads
 * on the processor, and a thread's own back-off after another has changed the same bucket: the map itself has no waits.
 */
final class Growth {
    private static final int SLOTS_OF_A_BUCKET = MapShape.DEFAULT.slots();

    /** A bucket is full when it is split, so on average ln 2 of the slots are used; some more, to be sure. */
    private static final double KEYS_PER_SLOT = 0.74;

    /** A block of 64 bytes for each key, its share of a bucket, and blocks that are retired. */
    private static final double BYTES_PER_KEY = 100;

    private static final int SMALLEST_SEGMENT_LOG2 = 24;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final String fabric;
    private final int threads;
    private final long keysAtFirst;
    private final long keys;
    private final Latencies<GrowthOperation> byClock = new Latencies<>(GrowthOperation.class);
    private final Latencies<GrowthOperation> byProcessor = new Latencies<>(GrowthOperation.class);
    private long slotsAtFirst;
    private long slots;
    private long nanos;

    /**
     * @param from the number of slots with which it begins, about
     * @param to the number of slots to which it grows, about
     */
    Growth(String fabric, int threads, long from, long to) {
        this.fabric = fabric;
        this.threads = threads;
        this.keysAtFirst = (long) (from * KEYS_PER_SLOT);
        this.keys = (long) (to * KEYS_PER_SLOT);
    }

    /** Runs it, once. */
    void run() throws Exception {
        long bytes = (long) (keys * BYTES_PER_KEY);
        int segmentLog2 = Math.max(SMALLEST_SEGMENT_LOG2, Long.SIZE - Long.numberOfLeadingZeros(bytes));
        new BenchCluster(fabric, 1, threads, segmentLog2).run(this::run);
    }

    private void run(ComputeThread ct) {
        if (ct.id() == 0) {
            ct.root().set(LongLongMap.create(ct));
        }
        ct.barrier();
        LongLongMap map = new LongLongMap(ct.root().<MapTable>get(), -1, ct);
        if (ct.id() == 0) {
            for (long key = 0; key < keysAtFirst; key++) {
                map.put(key, key, ct);
            }
            slotsAtFirst = slots(map, ct);
        }
        Load load = new Load(map, ct);
        ct.barrier();
        long start = System.nanoTime();
        load.run();
        ct.barrier();
        add(load);
        if (ct.id() == 0) {
            nanos = System.nanoTime() - start;
            slots = slots(map, ct);
        }
        ct.barrier();
    }

    /** A walk takes one round trip for each bucket. */
    private static long slots(LongLongMap map, ComputeThread ct) {
        long before = ct.metrics().roundTrips();
        map.size(ct);
        return SLOTS_OF_A_BUCKET * (ct.metrics().roundTrips() - before);
    }

    private synchronized void add(Load load) {
        byClock.add(load.byClock);
        byProcessor.add(load.byProcessor);
    }

    /** What one thread does. */
    private final class Load {
        private final Latencies<GrowthOperation> byClock = new Latencies<>(GrowthOperation.class);
        private final Latencies<GrowthOperation> byProcessor = new Latencies<>(GrowthOperation.class);
        private final LongLongMap map;
        private final ComputeThread ct;
        private long clock;
        private long processor;

        Load(LongLongMap map, ComputeThread ct) {
            this.map = map;
            this.ct = ct;
        }

        void run() {
            clock = System.nanoTime();
            processor = THREADS.getCurrentThreadCpuTime();
            for (long key = keysAtFirst + ct.id(); key < keys; key += threads) {
                map.put(key, key, ct);
                record(GrowthOperation.INSERT);
                map.get(present(key), ct);
                record(GrowthOperation.READ);
                map.put(present(key), key, ct);
                record(GrowthOperation.UPDATE);
            }
        }

        /** One of the keys that are there: of the first ones, or of those that this thread has inserted. */
        private long present(long last) {
            long chosen = ct.random().nextLong(last + 1);
            return chosen < keysAtFirst ? chosen : last - (last - chosen) / threads * threads;
        }

        /** From the end of the operation before to that of this one. */
        private void record(GrowthOperation operation) {
            ct.quiescent();
            long processorNow = THREADS.getCurrentThreadCpuTime();
            long now = System.nanoTime();
            byProcessor.record(operation, processorNow - processor);
            byClock.record(operation, now - clock);
            processor = processorNow;
            clock = now;
        }
    }

    // ------------------------------------------------------------------------------------------------ results

    /** The number of slots at the beginning. */
    long slotsAtFirst() {
        return slotsAtFirst;
    }

    /** The number of slots at the end. */
    long slots() {
        return slots;
    }

    /** The time in which it grew, in nanoseconds. */
    long nanos() {
        return nanos;
    }

    /** How long operations took by the clock. */
    Latencies<GrowthOperation> byClock() {
        return byClock;
    }

    /** How long operations took by the processor time of their thread. */
    Latencies<GrowthOperation> byProcessor() {
        return byProcessor;
    }

    /** The longest operation of any kind, in nanoseconds; 0 if there was none. */
    static long longest(Latencies<GrowthOperation> of) {
        return Arrays.stream(GrowthOperation.values())
                .flatMap(operation -> of.summary(operation).stream())
                .mapToLong(summary -> summary.max())
                .max()
                .orElse(0);
    }
}
