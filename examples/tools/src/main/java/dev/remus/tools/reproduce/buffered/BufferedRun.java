// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.buffered;

import dev.remus.cli.progress.Progress;
import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.tools.reproduce.claims.ClaimTrial;
import dev.remus.tools.reproduce.testbed.RunFailedException;
import dev.remus.tools.reproduce.testbed.Testbed;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One run on one Memory Node. On the model, each thread has a node of its own.
 *
 * @param point what is run
 * @param effort its size
 */
record BufferedRun(BufferedPoint point, BufferedEffort effort) implements ClaimTrial {
    private static final int MIN_SEGMENT_LOG2 = 20;

    /** Bytes of an item in the ring: the item, its state, and the position of its block in a relaxed queue. */
    private static final long BYTES_PER_ITEM = 3 * Long.BYTES;

    @Override
    public Map<String, Object> conditions() {
        Map<String, Object> conditions = new LinkedHashMap<>();
        conditions.put("load", point.load());
        conditions.put("queue", point.series());
        conditions.put("producers", point.producers());
        conditions.put("batch", point.batch());
        return conditions;
    }

    @Override
    public int threads() {
        return 1 + point.producers();
    }

    @Override
    public Map<String, Double> run(Testbed testbed, long seed, Progress progress) throws Exception {
        return result(new BufferedTrial(point, effort, progress), testbed, seed).figures();
    }

    /**
     * The result of a trial.
     *
     * @throws RunFailedException if its items do not balance
     */
    BufferedResult result(BufferedTrial trial, Testbed testbed, long seed) throws Exception {
        long bytes = BYTES_PER_ITEM * effort.capacity(point) + (1 << (MIN_SEGMENT_LOG2 - 1));
        ClusterConfig.Builder cluster = ClusterConfig.builder()
                .memoryNodes(0, 0)
                .computeNodes(1, testbed.isModelled() ? threads() : 1)
                .threadsPerNode(testbed.isModelled() ? 1 : threads())
                .lanes(2)
                .lanePolicy(LanePolicy.RAND)
                .segmentSizeLog2(Math.max(MIN_SEGMENT_LOG2, Long.SIZE - Long.numberOfLeadingZeros(bytes - 1)));
        AtomicReference<BufferedResult> result = new AtomicReference<>();
        testbed.run(cluster, seed, ct -> trial.run(ct).ifPresent(result::set));
        BufferedResult found = Objects.requireNonNull(result.get(), "the result of the thread with id 0");
        if (!found.isBalanced()) {
            throw new RunFailedException("the books do not balance: " + found.books(), null);
        }
        return found;
    }
}
