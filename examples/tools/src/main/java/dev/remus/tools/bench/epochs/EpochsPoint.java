// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.epochs;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.fabric.CostModel;
import dev.remus.fabric.sim.RandomScheduler;
import dev.remus.fabric.sim.Simulator;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * What a simulated cluster did in a time. Each operation of a thread replaces a value: it reads the pointer to a block
 * and the block, stores a new block, swaps the pointer, and retires the old block.
 *
 * @param threads the number of threads
 * @param nodes the number of nodes, each a Memory Node and a Compute Node
 * @param seconds the measured time, in seconds of the model
 * @param operations the operations of all threads in that time
 * @param epochs how often each thread announced an epoch in that time, on average
 * @param extraRoundTrips the round trips that announced epochs and moved them on
 * @param retiredMost the most blocks that a thread held retired at one time
 * @param busiest the busiest part of the hardware during the whole run
 */
record EpochsPoint(
        int threads,
        int nodes,
        double seconds,
        long operations,
        double epochs,
        long extraRoundTrips,
        int retiredMost,
        String busiest) {
    private static final int BLOCK_BYTES = 64;
    private static final int SEGMENT_LOG2 = 20;
    private static final int MOST_NODES = 100;

    /** For each thread, so that two threads seldom replace the same value at once. */
    private static final int VALUES = 16;

    /** This part of the time is not measured. */
    private static final int WARM_UP_PART = 4;

    /** Counts of one thread or of all. */
    private static final class Counts {
        private long operations;
        private long epochs;
        private long extraRoundTrips;
        private int retiredMost;

        void add(ComputeThread ct, int sign) {
            epochs += sign * ct.metrics().epochs();
            extraRoundTrips += sign * ct.metrics().reclamationRoundTrips();
            retiredMost = Math.max(retiredMost, ct.metrics().retiredMost());
        }
    }

    /**
     * Simulates a cluster.
     *
     * @param nanos how long it runs, in nanoseconds of the model
     */
    static EpochsPoint measure(int threads, long nanos, long seed, CostModel model) throws Exception {
        int nodes = nodes(threads);
        ClusterConfig config = ClusterConfig.builder()
                .cluster("model")
                .memoryNodes(0, nodes - 1)
                .computeNodes(0, nodes - 1)
                .threadsPerNode(threads / nodes)
                .segmentSizeLog2(SEGMENT_LOG2)
                .reclaim(Reclamation.EPOCHS)
                .build();
        Simulator[] simulator = new Simulator[1];
        Schedule schedule = new Schedule(seed, new RandomScheduler(seed), Set.of(), Set.of())
                .observedBy(s -> simulator[0] = s.costs(model).maxSteps(Long.MAX_VALUE));
        Counts counts = new Counts();
        long[] slots = new long[threads * VALUES];
        new SimulatedCluster(config, schedule)
                .prepared(ct -> {
                    for (int i = 0; i < VALUES; i++) {
                        slots[ct.id() * VALUES + i] = newSlot(ct);
                    }
                })
                .run(ct -> work(slots, nanos, schedule.choices(ct.id()), counts, ct));
        long warmUp = nanos / WARM_UP_PART;
        return new EpochsPoint(
                threads,
                nodes,
                (nanos - warmUp) / 1e9,
                counts.operations,
                (double) counts.epochs / threads,
                counts.extraRoundTrips,
                counts.retiredMost,
                simulator[0].busiest());
    }

    /** The most nodes that divide the threads evenly. */
    private static int nodes(int threads) {
        int nodes = Math.min(threads, MOST_NODES);
        while (threads % nodes != 0) {
            nodes--;
        }
        return nodes;
    }

    private static long newSlot(ComputeThread ct) {
        long slot = ct.allocateNear(Long.BYTES);
        long block = ct.allocateNear(BLOCK_BYTES);
        ct.write(block, 0);
        ct.write(slot, block);
        return slot;
    }

    private static void work(long[] slots, long nanos, SplittableRandom random, Counts counts, ComputeThread ct) {
        long start = ct.nanoTime();
        boolean isMeasuring = false;
        for (long time = 0; time < nanos; time = ct.nanoTime() - start) {
            if (!isMeasuring && time >= nanos / WARM_UP_PART) {
                isMeasuring = true;
                counts.add(ct, -1);
            }
            replace(slots[random.nextInt(slots.length)], ct);
            counts.operations += isMeasuring ? 1 : 0;
            ct.quiescent();
        }
        counts.add(ct, 1);
    }

    private static void replace(long slot, ComputeThread ct) {
        long fresh = ct.allocate(BLOCK_BYTES);
        while (true) {
            long old = ct.read(slot);
            ct.write(fresh, ct.read(old) + 1);
            if (ct.compareAndSwap(slot, old, fresh) == old) {
                ct.schedReclaim(old, BLOCK_BYTES);
                return;
            }
            ct.pause();
        }
    }

    double epochsPerSecond() {
        return epochs / seconds;
    }

    double extraRoundTripsPerOperation() {
        return (double) extraRoundTrips / Math.max(1, operations);
    }

    /** The head of a Markdown table. */
    static String head() {
        return "| threads | nodes | operations/s | epochs/s | extra round trips per operation | most retired of a thread"
                + " | busiest |\n|---|---|---|---|---|---|---|";
    }

    /** A row of that table. */
    String row() {
        return String.format(
                Locale.ROOT,
                "| %,d | %,d | %,.0f | %,.0f | %.3f | %,d | %s |",
                threads,
                nodes,
                operations / seconds,
                epochsPerSecond(),
                extraRoundTripsPerOperation(),
                retiredMost,
                busiest);
    }

    /** A row of a CSV file. */
    Map<String, String> cells() {
        Map<String, String> cells = new LinkedHashMap<>();
        cells.put("threads", Integer.toString(threads));
        cells.put("nodes", Integer.toString(nodes));
        cells.put("operations_per_second", String.format(Locale.ROOT, "%.0f", operations / seconds));
        cells.put("epochs_per_second", String.format(Locale.ROOT, "%.1f", epochsPerSecond()));
        cells.put("extra_round_trips_per_op", String.format(Locale.ROOT, "%.4f", extraRoundTripsPerOperation()));
        cells.put("retired_most", Integer.toString(retiredMost));
        return cells;
    }
}
