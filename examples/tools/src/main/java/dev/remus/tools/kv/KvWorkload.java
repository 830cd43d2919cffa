// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import dev.remus.config.ClusterConfig;
import dev.remus.tools.harness.RunLength;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * The workload of a {@link KvExperiment}. All nodes of a cluster use the same workload; the thread with id 0 gives its
 * seed to all.
 *
 * @param length the length of each thread's run
 * @param warmUpNanos the time of operations before the run that are not measured; 0 for none
 * @param map the map
 * @param records the number of keys that are loaded before
 * @param valueBytes the size of a value, at least 8
 * @param mix the kinds of operations
 * @param scanLength the most entries of a scan; lengths from 1 are equally likely
 * @param choice the choice of keys
 * @param rate the operations per second that all threads together begin, whether or not earlier ones have ended: an
 *     open loop; 0 for a closed one, in which each begins when the one before has ended
 * @param seed the seed of all random choices
 * @param latency whether each operation is timed
 */
record KvWorkload(
        RunLength length,
        long warmUpNanos,
        KvMap map,
        int records,
        int valueBytes,
        KvMix mix,
        int scanLength,
        KeyChoice choice,
        long rate,
        long seed,
        boolean latency) {
    /** Of the memory, the part that may be retired and not yet reclaimed. */
    private static final int PART_FOR_GARBAGE = 4;

    private static final long MIN_BETWEEN_BARRIERS = 16;
    private static final long MAX_BETWEEN_BARRIERS = 8192;

    /** Rejects values out of range. */
    KvWorkload {
        Objects.requireNonNull(length, "length");
        Objects.requireNonNull(map, "map");
        Objects.requireNonNull(mix, "mix");
        Objects.requireNonNull(choice, "choice");
        if (records < 1 || valueBytes < Long.BYTES || rate < 0 || warmUpNanos < 0) {
            throw new IllegalArgumentException("records " + records + ", value bytes " + valueBytes + ", rate " + rate
                    + ", warm-up " + warmUpNanos + ": needs at least 1, 8, 0 and 0");
        }
        if (scanLength < 1 || !map.isOrdered() && mix.scan() > 0) {
            throw new IllegalArgumentException("scans of " + scanLength + " entries, " + mix.scan() + " %, of a " + map
                    + ": needs at least 1 entry, and an order for scans");
        }
    }

    /** A copy with another seed. */
    KvWorkload withSeed(long other) {
        return new KvWorkload(
                length, warmUpNanos, map, records, valueBytes, mix, scanLength, choice, rate, other, latency);
    }

    /**
     * Operations per thread between two barriers, with {@code --reclaim barrier}: so many that at most a quarter of the
     * memory awaits the barrier, even if every operation retires a block.
     */
    long reclaimEvery(ClusterConfig cluster) {
        long garbage = memory(cluster) / PART_FOR_GARBAGE / (cluster.totalThreads() * KvMap.blockBytes(valueBytes));
        return Math.max(MIN_BETWEEN_BARRIERS, Math.min(MAX_BETWEEN_BARRIERS, garbage));
    }

    /** The most records that the memory of a cluster has room for, next to blocks that await their reclamation. */
    long maxRecords(ClusterConfig cluster) {
        long usable = memory(cluster) / PART_FOR_GARBAGE * (PART_FOR_GARBAGE - 1);
        return usable / map.bytesOf(valueBytes);
    }

    /**
     * The number of keys that each thread can insert in a run that ends by time, in the memory of a cluster; then the
     * run ends sooner.
     *
     * @param reserved the number of keys for which all threads leave room
     */
    long mostInserts(ClusterConfig cluster, long reserved) {
        return mix.insert() == 0
                ? Long.MAX_VALUE
                : Math.max(0, maxRecords(cluster) - records - reserved) / cluster.threadIds();
    }

    /** About as many records as the run inserts; 0 if it ends by time, so that this is unknown. */
    long expectedInserts(int threads) {
        return length.isTimed() ? 0 : (long) ((double) length.operations() * threads * mix.insert() / 100);
    }

    private static long memory(ClusterConfig cluster) {
        return cluster.segmentBytes() * cluster.segmentsPerNode() * cluster.memoryNodes();
    }

    /** One thread's random source: different for each thread, the same in every run with the same seed. */
    SplittableRandom random(int thread) {
        return new SplittableRandom(seed + thread * 0x9E3779B97F4A7C15L).split();
    }

    /** A hash of everything that all nodes must agree on. */
    long fingerprint() {
        long[] agreed = {
            length.operations(),
            length.nanos(),
            warmUpNanos,
            map.ordinal(),
            records,
            valueBytes,
            mix.update(),
            mix.insert(),
            mix.rmw(),
            mix.remove(),
            mix.scan(),
            scanLength,
            choice.distribution().ordinal(),
            Double.doubleToLongBits(choice.skew()),
            choice.hotKeys(),
            choice.hotOperations(),
            rate,
            latency ? 1 : 0
        };
        return Arrays.hashCode(agreed);
    }
}
