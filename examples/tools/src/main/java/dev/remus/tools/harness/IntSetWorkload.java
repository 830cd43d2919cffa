package dev.remus.tools.harness;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.SegmentLayout;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * What an {@link IntSetExperiment} does. All nodes of a cluster use the same, but for the seed, which the lead thread gives to
 * all.
 *
 * @param length how long each thread goes on
 * @param prefill how many percent of the keys are in the set before
 * @param insert how many percent of the operations insert
 * @param remove how many percent of the operations remove; the rest asks whether a key is in the set
 * @param keys the keys, each equally likely in every operation
 * @param fitsKeys whether the threads take fewer of these keys where round trips are slow, see {@link #fittedTo}
 * @param reclaimEvery after how many operations of each thread all meet at a barrier, so that the memory of removed keys
 *     can be used again; 0 to choose by the size of the memory
 * @param seed decides what each thread draws
 * @param latency whether the time of each operation is taken
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
    private static final long FEWEST_KEYS = 64;
    private static final long FEWEST_BETWEEN_BARRIERS = 16;
    private static final long MOST_BETWEEN_BARRIERS = 8192;

    /** Refuses what is out of range. */
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

    /** What the options of {@link IntSetOptions} are by default, with a seed from the clock. */
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

    /** The same with another number of operations per thread. */
    public IntSetWorkload withOperations(long perThread) {
        return with(RunLength.ofOperations(perThread));
    }

    /** The same, as long as another. */
    public IntSetWorkload with(RunLength other) {
        return new IntSetWorkload(other, prefill, insert, remove, keys, fitsKeys, reclaimEvery, seed, latency);
    }

    /** The same with another part of the keys in the set before. */
    public IntSetWorkload withPrefill(int percent) {
        return new IntSetWorkload(length, percent, insert, remove, keys, fitsKeys, reclaimEvery, seed, latency);
    }

    /** The same with other parts of the operations that insert and remove. */
    public IntSetWorkload withRatios(int insertPercent, int removePercent) {
        return new IntSetWorkload(
                length, prefill, insertPercent, removePercent, keys, fitsKeys, reclaimEvery, seed, latency);
    }

    /** The same with other keys, and with all of them. */
    public IntSetWorkload withKeys(long lb, long ub) {
        return new IntSetWorkload(
                length, prefill, insert, remove, new KeyRange(lb, ub), false, reclaimEvery, seed, latency);
    }

    /** The same with another number of operations between barriers, 0 to choose. */
    public IntSetWorkload withReclaimEvery(long perThread) {
        return new IntSetWorkload(length, prefill, insert, remove, keys, fitsKeys, perThread, seed, latency);
    }

    /** The same with another seed. */
    public IntSetWorkload withSeed(long other) {
        return new IntSetWorkload(length, prefill, insert, remove, keys, fitsKeys, reclaimEvery, other, latency);
    }

    /** The same with or without taking the time of each operation. */
    public IntSetWorkload withLatency(boolean taken) {
        return new IntSetWorkload(length, prefill, insert, remove, keys, fitsKeys, reclaimEvery, seed, taken);
    }

    /**
     * The same with so many of the keys that an operation on a list takes about 20 ms: half as many round trips as there are
     * keys. At least 64 keys, at most those that there are.
     *
     * @param roundTripNanos how long a round trip takes while all threads work
     */
    public IntSetWorkload fittedTo(long roundTripNanos) {
        long fit = Long.highestOneBit(Math.max(FEWEST_KEYS, 2 * OPERATION_NANOS / Math.max(1, roundTripNanos)));
        boolean all = BigInteger.valueOf(fit + 1).compareTo(keys.size()) >= 0;
        return withKeys(keys.lb(), all ? keys.ub() : keys.lb() + fit);
    }

    /** How many percent of the operations ask whether a key is in the set. */
    public int get() {
        return 100 - insert - remove;
    }

    /**
     * How many keys are in the set before.
     *
     * @throws ArithmeticException if they are more than a long can count
     */
    public long prefilledKeys() {
        return keys.share(prefill).longValueExact();
    }

    /**
     * The same workload for a certain cluster: with {@link #reclaimEvery} chosen, if that is to be, such that in the worst
     * case, in which every operation removes a key, a quarter of the memory waits for the barrier.
     */
    public IntSetWorkload in(ClusterConfig cluster) {
        if (reclaimEvery > 0) {
            return this;
        }
        long quarter = memory(cluster) / 4 / ((long) cluster.totalThreads() * SegmentLayout.BLOCK);
        return withReclaimEvery(Math.max(FEWEST_BETWEEN_BARRIERS, Math.min(MOST_BETWEEN_BARRIERS, quarter)));
    }

    /** Whether the keys that are in the set before could fit into the memory of a cluster: each takes a block at least. */
    public boolean fits(ClusterConfig cluster) {
        return keys.share(prefill).compareTo(BigInteger.valueOf(mostKeys(cluster))) <= 0;
    }

    /** How many keys the memory of a cluster could hold if nothing else was in it. */
    static long mostKeys(ClusterConfig cluster) {
        return memory(cluster) / SegmentLayout.BLOCK;
    }

    private static long memory(ClusterConfig cluster) {
        return cluster.segmentBytes() * cluster.segmentsPerNode() * cluster.memoryNodes();
    }

    /** One thread's source of chance: its own, and the same at every run with the same seed. */
    SplittableRandom random(int thread) {
        SplittableRandom source = new SplittableRandom(seed);
        for (int i = 0; i < thread; i++) {
            source.split();
        }
        return source.split();
    }

    /** What the next operation does. */
    OperationKind drawKind(SplittableRandom random) {
        int drawn = random.nextInt(100);
        if (drawn < insert) {
            return OperationKind.INSERT;
        }
        return drawn < insert + remove ? OperationKind.REMOVE : OperationKind.GET;
    }

    /** What all nodes have to agree on, in a word. A record's own toString() takes each Java VM a tenth of a second the first time. */
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
