// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.lists;

import dev.remus.cli.progress.Progress;
import dev.remus.config.AllocationPolicy;
import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.config.Reclamation;
import dev.remus.node.SegmentUse;
import dev.remus.tools.harness.IntSetExperiment;
import dev.remus.tools.harness.IntSetResult;
import dev.remus.tools.harness.IntSetWorkload;
import dev.remus.tools.harness.KeyRange;
import dev.remus.tools.harness.Metric;
import dev.remus.tools.harness.RunLength;
import dev.remus.tools.reproduce.claims.ClaimTrial;
import dev.remus.tools.reproduce.testbed.Testbed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One run of the experiment with sets.
 *
 * @param figure the name of the figure that it belongs to
 * @param length the length of its run
 * @param series the list
 * @param policy how threads pick the segment for a new node
 * @param lanes lanes from each Compute Node to each Memory Node
 * @param memoryNodes the Memory Nodes, the first of which are Compute Nodes too
 * @param computeNodes the Compute Nodes
 * @param threadsPerNode Compute Threads of a node
 * @param keys the number of keys, half of which are in the list at first
 * @param updates the percentage of operations that insert or remove, half each
 */
record ListTrial(
        String figure,
        RunLength length,
        ListSeries series,
        AllocationPolicy policy,
        int lanes,
        int memoryNodes,
        int computeNodes,
        int threadsPerNode,
        int keys,
        int updates)
        implements ClaimTrial {
    /** The condition that names the figure. */
    static final String FIGURE = "figure";

    /** Follows the name of a list in tables if all of its nodes are on one Memory Node, unlike the threads. */
    static final String ON_ONE_NODE = " on one Memory Node";

    /** Room for all nodes that are inserted in a short run. */
    private static final int SEGMENT_LOG2 = 22;

    private static final double MICROS_PER_SECOND = 1e6;

    /** A copy for a figure. */
    ListTrial in(String other) {
        return new ListTrial(
                other, length, series, policy, lanes, memoryNodes, computeNodes, threadsPerNode, keys, updates);
    }

    ListTrial lasting(RunLength other) {
        return new ListTrial(
                figure, other, series, policy, lanes, memoryNodes, computeNodes, threadsPerNode, keys, updates);
    }

    ListTrial with(ListSeries other) {
        return new ListTrial(
                figure, length, other, policy, lanes, memoryNodes, computeNodes, threadsPerNode, keys, updates);
    }

    ListTrial with(AllocationPolicy other) {
        return new ListTrial(
                figure, length, series, other, lanes, memoryNodes, computeNodes, threadsPerNode, keys, updates);
    }

    ListTrial withLanes(int other) {
        return new ListTrial(
                figure, length, series, policy, other, memoryNodes, computeNodes, threadsPerNode, keys, updates);
    }

    ListTrial withNodes(int memory, int compute) {
        return new ListTrial(figure, length, series, policy, lanes, memory, compute, threadsPerNode, keys, updates);
    }

    ListTrial withThreadsPerNode(int other) {
        return new ListTrial(figure, length, series, policy, lanes, memoryNodes, computeNodes, other, keys, updates);
    }

    ListTrial withKeys(int other) {
        return new ListTrial(
                figure, length, series, policy, lanes, memoryNodes, computeNodes, threadsPerNode, other, updates);
    }

    ListTrial withUpdates(int percent) {
        return new ListTrial(
                figure, length, series, policy, lanes, memoryNodes, computeNodes, threadsPerNode, keys, percent);
    }

    @Override
    public int threads() {
        return computeNodes * threadsPerNode;
    }

    /** Round trips of one operation of each thread, roughly. */
    long roundTrips() {
        return series.roundTrips(keys) * threads();
    }

    @Override
    public Map<String, Object> conditions() {
        Map<String, Object> conditions = new LinkedHashMap<>();
        conditions.put(FIGURE, figure);
        conditions.put("list", memoryNodes == computeNodes ? series : series + ON_ONE_NODE);
        conditions.put("policy", policy.optionName());
        conditions.put("lanes", lanes);
        conditions.put("memory_nodes", memoryNodes);
        conditions.put("compute_nodes", computeNodes);
        conditions.put("threads", threads());
        conditions.put("keys", keys);
        conditions.put("updates", updates);
        return conditions;
    }

    @Override
    public Map<String, Double> run(Testbed testbed, long seed, Progress progress) throws Exception {
        IntSetWorkload workload = new IntSetWorkload(
                length, 50, (updates + 1) / 2, updates / 2, new KeyRange(0, keys - 1L), false, 0, seed, false);
        ClusterConfig.Builder cluster = ClusterConfig.builder()
                .memoryNodes(0, memoryNodes - 1)
                .computeNodes(0, computeNodes - 1)
                .threadsPerNode(threadsPerNode)
                .lanes(lanes)
                .lanePolicy(LanePolicy.RAND)
                .allocationPolicy(policy)
                .segmentSizeLog2(SEGMENT_LOG2)
                .reclaim(Reclamation.BARRIER); // as the published lists were measured
        List<IntSetExperiment> nodes = new ArrayList<>();
        for (int node = 0; node < computeNodes; node++) {
            nodes.add(new IntSetExperiment(series.factory(), workload, progress, notice -> {}));
        }
        AtomicReference<IntSetResult> result = new AtomicReference<>();
        testbed.run(cluster, seed, ct -> nodes.get(ct.nodeId()).run(ct).ifPresent(result::set));
        return figures(Objects.requireNonNull(result.get(), "the result of the thread with id 0"));
    }

    private Map<String, Double> figures(IntSetResult result) {
        double operations = result.get(Metric.OP_COUNT);
        double roundTrips = result.get(Metric.ROUND_TRIPS) / operations;
        double micros = threads() * MICROS_PER_SECOND / result.throughput();
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(ListFigure.THROUGHPUT, result.throughput());
        figures.put(ListFigure.ROUND_TRIPS, roundTrips);
        figures.put(ListFigure.OPERATION, micros);
        figures.put(ListFigure.ROUND_TRIP, micros / roundTrips);
        figures.put(ListFigure.USED_SEGMENTS, usedSegments(result.segments()));
        return figures;
    }

    /**
     * How evenly segments are used: the fewest bytes in one, divided by the median, because one segment also holds what
     * the experiment itself allocates.
     */
    private static double usedSegments(List<SegmentUse> segments) {
        long[] used = segments.stream().mapToLong(SegmentUse::used).sorted().toArray();
        return (double) used[0] / used[used.length / 2];
    }
}
