// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.memory.SegmentLayout;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * The workload of an {@link IntSetExperiment}. All nodes of a cluster use the same workload; the thread with id 0 gives
 * its seed to all.
 *
 * @param length the length of each thread's run
 * @param prefill the percentage of the keys that are in the set before the run
 * @param insert the percentage of operations that insert
 * @param remove the percentage of operations that remove; the others search
 * @param keys the keys, all equally likely in every operation
 * @param fitsKeys whether the threads use fewer of these keys if round trips are slow, see {@link #fittedTo}
 * @param reclaimEvery with {@code --reclaim barrier}, operations per thread between two barriers, where the memory of
 *     removed keys is reclaimed; 0 to choose by the size of the memory
 * @param seed the seed of all random choices
 * @param latency whether each operation is timed
 */
public record IntSetWorkload(
        RunLength length,
        int prefill,
        int insert,
        int remove,
        KeyRange keys,
        boolean fitsKeys,
        long reclaimEvery,
        long seed,
        boolean latency) {
    private static final long OPERATION_NANOS = 20_000_000;
    private static final long MIN_KEYS = 64;
    private static final long MIN_BETWEEN_BARRIERS = 16;
    private static final long MAX_BETWEEN_BARRIERS = 8192;

    /** Rejects values out of range. */
    public IntSetWorkload {
        Objects.requireNonNull(length, "length");
        Objects.requireNonNull(keys, "keys");
        if (reclaimEvery < 0) {
            throw new IllegalArgumentException("reclaimEvery " + reclaimEvery + ": needs at least 0");
        }
        if (prefill < 0 || prefill > 100) {
            throw new IllegalArgumentException("prefill " + prefill + ": needs 0 to 100 percent");
        }
        if (insert < 0 || remove < 0 || insert + remove > 100) {
            throw new IllegalArgumentException(
                    "insert " + insert + ", remove " + remove + ": together they need 0 to 100 percent");
        }
    }

    /** The defaults of {@link IntSetOptions}, with a seed from the clock. */
    public static IntSetWorkload defaults() {
        return new IntSetWorkload(
                RunLength.ofOperations(65_536),
                50,
                50,
                50,
                new KeyRange(0, 4096),
                false,
                0,
                System.currentTimeMillis(),
                true);
    }

    /** A copy with another number of operations per thread. */
    public IntSetWorkload withOperations(long perThread) {
        return with(RunLength.ofOperations(perThread));
    }

    /** A copy with another length. */
    public IntSetWorkload with(RunLength other) {
        return new IntSetWorkload(other, prefill, insert, remove, keys, fitsKeys, reclaimEvery, seed, latency);
    }

    /** A copy with another percentage of prefilled keys. */
    public IntSetWorkload withPrefill(int percent) {
        return new IntSetWorkload(length, percent, insert, remove, keys, fitsKeys, reclaimEvery, seed, latency);
    }

    /** A copy with other percentages of inserts and removes. */
    public IntSetWorkload withRatios(int insertPercent, int removePercent) {
        return new IntSetWorkload(
                length, prefill, insertPercent, removePercent, keys, fitsKeys, reclaimEvery, seed, latency);
    }

    /** A copy with other keys, all of which are used. */
    public IntSetWorkload withKeys(long lb, long ub) {
        return new IntSetWorkload(
                length, prefill, insert, remove, new KeyRange(lb, ub), false, reclaimEvery, seed, latency);
    }

    /** A copy with another number of operations between barriers, 0 to choose. */
    public IntSetWorkload withReclaimEvery(long perThread) {
        return new IntSetWorkload(length, prefill, insert, remove, keys, fitsKeys, perThread, seed, latency);
    }

    /** A copy with another seed. */
    public IntSetWorkload withSeed(long other) {
        return new IntSetWorkload(length, prefill, insert, remove, keys, fitsKeys, reclaimEvery, other, latency);
    }

    /** A copy with or without timing each operation. */
    public IntSetWorkload withLatency(boolean timed) {
        return new IntSetWorkload(length, prefill, insert, remove, keys, fitsKeys, reclaimEvery, seed, timed);
    }

    /**
     * A copy with as many of the keys as let an operation on a list take about 20 ms: half as many round trips as keys.
     * It has at least 65 keys, but never more than this workload.
     *
     * @param roundTripNanos the time of a round trip while all threads make them
     */
    public IntSetWorkload fittedTo(long roundTripNanos) {
        long fit = Long.highestOneBit(Math.max(MIN_KEYS, 2 * OPERATION_NANOS / Math.max(1, roundTripNanos)));
        boolean all = BigInteger.valueOf(fit + 1).compareTo(keys.size()) >= 0;
        return withKeys(keys.lb(), all ? keys.ub() : keys.lb() + fit);
    }

    /** The percentage of operations that search. */
    public int get() {
        return 100 - insert - remove;
    }

    /**
     * The number of keys that are in the set before the run.
     *
     * @throws ArithmeticException if it exceeds a long
     */
    public long prefilledKeys() {
        return keys.share(prefill).longValueExact();
    }

    /**
     * This workload for a given cluster. With {@code --reclaim barrier}, a {@link #reclaimEvery} of 0 is replaced, so
     * that at most a quarter of the memory awaits the barrier, even if every operation removes a key.
     */
    public IntSetWorkload in(ClusterConfig cluster) {
        if (reclaimEvery > 0 || cluster.reclaim() != Reclamation.BARRIER) {
            return this;
        }
        long quarter = memory(cluster) / 4 / ((long) cluster.totalThreads() * SegmentLayout.BLOCK);
        return withReclaimEvery(Math.max(MIN_BETWEEN_BARRIERS, Math.min(MAX_BETWEEN_BARRIERS, quarter)));
    }

    /** Whether the prefilled keys fit into the memory of a cluster; each takes at least a block. */
    public boolean fits(ClusterConfig cluster) {
        return keys.share(prefill).compareTo(BigInteger.valueOf(maxKeys(cluster))) <= 0;
    }

    /** The most keys that the memory of a cluster holds if it holds nothing else. */
    static long maxKeys(ClusterConfig cluster) {
        return memory(cluster) / SegmentLayout.BLOCK;
    }

    private static long memory(ClusterConfig cluster) {
        return cluster.segmentBytes() * cluster.segmentsPerNode() * cluster.memoryNodes();
    }

    /** One thread's random source: different for each thread, the same in every run with the same seed. */
    SplittableRandom random(int thread) {
        SplittableRandom source = new SplittableRandom(seed);
        for (int i = 0; i < thread; i++) {
            source.split();
        }
        return source.split();
    }

    /** Draws the kind of the next operation. */
    OperationKind drawKind(SplittableRandom random) {
        int drawn = random.nextInt(100);
        if (drawn < insert) {
            return OperationKind.INSERT;
        }
        return drawn < insert + remove ? OperationKind.REMOVE : OperationKind.GET;
    }

    /**
     * A hash of everything that all nodes must agree on. It avoids the record's toString(), whose first call takes a
     * JVM 0.1 s.
     */
    long fingerprint(IntSetFactory factory) {
        long[] agreed = {
            length.operations(),
            length.nanos(),
            prefill,
            insert,
            remove,
            keys.lb(),
            keys.ub(),
            fitsKeys ? 1 : 0,
            reclaimEvery,
            latency ? 1 : 0
        };
        return 31L * Arrays.hashCode(agreed) + factory.name().hashCode();
    }
}
