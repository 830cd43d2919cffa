// SPDX-License-Identifier: Apache-2.0
package dev.remus.config;

import java.time.Duration;
import java.util.List;

/**
 * The rules for combinations of settings that make a {@link ClusterConfig} valid, once each value has been checked on
 * its own.
 */
final class ClusterRules {
    /** The most Compute Threads of a whole cluster. */
    private static final int MAX_TOTAL_THREADS = 1 << 20;

    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    /** A shorter silence is nothing unusual. */
    private static final Duration SHORTEST_SILENCE = Duration.ofSeconds(3);

    // These three mirror SegmentHeader and SegmentLayout, on which this package cannot depend.
    /** The segment header. */
    private static final long SEGMENT_HEADER_BYTES = 64;
    /** What a Memory Node keeps beside the header and the words of each Compute Node, rounded up to whole blocks. */
    private static final long SEGMENT_RESERVE_BYTES = 336;

    /** Membership, heartbeat, incarnation, a request to cut it off, a claim, and the reason of a failure. */
    private static final long COMPUTE_NODE_BYTES = 160;

    private final SettingValues values;
    private final int firstMemoryNode;
    private final int lastMemoryNode;
    private final int firstComputeNode;
    private final int lastComputeNode;
    private final int computeNodes;

    /** Once each value has been checked on its own. */
    private ClusterRules(SettingValues values) {
        this.values = values;
        firstMemoryNode = values.get(ClusterSettings.FIRST_MEMORY_NODE);
        lastMemoryNode = values.get(ClusterSettings.LAST_MEMORY_NODE);
        firstComputeNode = values.get(ClusterSettings.FIRST_COMPUTE_NODE);
        lastComputeNode = values.get(ClusterSettings.LAST_COMPUTE_NODE);
        computeNodes = lastComputeNode - firstComputeNode + 1;
    }

    /** @throws InvalidConfigException if a value or a combination is not accepted */
    static void check(SettingValues values) {
        values.checkEach();
        ClusterRules rules = new ClusterRules(values);
        rules.checkNodes();
        rules.checkThreads();
        rules.checkThreadKind();
        rules.checkAllocation();
        rules.checkReturns();
        rules.checkSilence();
        rules.checkHosts();
        rules.checkSegmentHoldsMembership();
    }

    private void checkNodes() {
        if (lastMemoryNode < firstMemoryNode) {
            throw invalid(
                    ClusterSettings.LAST_MEMORY_NODE,
                    "at least %s, which is " + firstMemoryNode,
                    ClusterSettings.FIRST_MEMORY_NODE);
        }
        if (lastComputeNode < firstComputeNode) {
            throw invalid(
                    ClusterSettings.LAST_COMPUTE_NODE,
                    "at least %s, which is " + firstComputeNode,
                    ClusterSettings.FIRST_COMPUTE_NODE);
        }
        if (firstMemoryNode > firstComputeNode) {
            throw invalid(
                    ClusterSettings.FIRST_MEMORY_NODE,
                    "at most %s, which is " + firstComputeNode + ": Memory Node ids are not above Compute Node ids",
                    ClusterSettings.FIRST_COMPUTE_NODE);
        }
        if (lastMemoryNode > lastComputeNode) {
            throw invalid(
                    ClusterSettings.LAST_MEMORY_NODE,
                    "at most %s, which is " + lastComputeNode + ": Memory Node ids are not above Compute Node ids",
                    ClusterSettings.LAST_COMPUTE_NODE);
        }
        if (firstComputeNode > lastMemoryNode + 1) {
            throw invalid(
                    ClusterSettings.FIRST_COMPUTE_NODE,
                    "at most " + (lastMemoryNode + 1) + ": with %s " + lastMemoryNode
                            + " the ids in between would belong to no node",
                    ClusterSettings.LAST_MEMORY_NODE);
        }
    }

    private void checkThreads() {
        int threads = values.get(ClusterSettings.THREADS_PER_NODE);
        if (computeNodes * threads > MAX_TOTAL_THREADS) {
            throw invalid(
                    ClusterSettings.THREADS_PER_NODE,
                    "at most " + MAX_TOTAL_THREADS / computeNodes + " on " + computeNodes
                            + " Compute Nodes: a cluster has at most " + MAX_TOTAL_THREADS + " threads");
        }
        LanePolicy policy = values.get(ClusterSettings.LANE_POLICY);
        int lanes = values.get(ClusterSettings.LANES);
        int most = lanes == ClusterSettings.AUTOMATIC_LANES ? ClusterSettings.MAX_LANES : lanes;
        if (policy == LanePolicy.ONE_TO_ONE && most < threads) {
            throw invalid(
                    ClusterSettings.LANES,
                    "at least %s, which is " + threads + ", with %s " + policy,
                    ClusterSettings.THREADS_PER_NODE,
                    ClusterSettings.LANE_POLICY);
        }
    }

    private void checkReturns() {
        int returns = values.get(ClusterSettings.RETURNS);
        if (returns == 0) {
            return;
        }
        if (values.get(ClusterSettings.ON_NODE_LOSS) != OnNodeLoss.CONTINUE) {
            throw invalid(
                    ClusterSettings.RETURNS,
                    "0 unless %s is " + OnNodeLoss.CONTINUE + ": otherwise a loss ends the run",
                    ClusterSettings.ON_NODE_LOSS);
        }
        int threads = computeNodes * values.get(ClusterSettings.THREADS_PER_NODE);
        if (threads > MAX_TOTAL_THREADS / (1 + returns)) {
            throw invalid(
                    ClusterSettings.RETURNS,
                    "at most " + (MAX_TOTAL_THREADS / threads - 1) + " with " + threads
                            + " threads: each time, all get new ids, of which there are " + MAX_TOTAL_THREADS);
        }
    }

    private void checkSilence() {
        Duration silence = values.get(ClusterSettings.KILL_SILENT);
        if (!silence.isZero() && silence.compareTo(SHORTEST_SILENCE) < 0) {
            throw invalid(
                    ClusterSettings.KILL_SILENT,
                    "0, or at least " + SHORTEST_SILENCE.toSeconds() + ": a node shows that it runs once a second");
        }
    }

    private void checkThreadKind() {
        boolean isVirtual = values.get(ClusterSettings.THREAD_KIND) == ThreadKind.VIRTUAL;
        if (isVirtual && Runtime.version().feature() < FIRST_WITH_VIRTUAL_THREADS) {
            throw invalid(
                    ClusterSettings.THREAD_KIND,
                    ThreadKind.PLATFORM + " on this Java " + Runtime.version().feature()
                            + ": virtual threads exist from Java " + FIRST_WITH_VIRTUAL_THREADS + " on");
        }
        if (!isVirtual && values.get(ClusterSettings.CORES) > 0) {
            throw invalid(
                    ClusterSettings.CORES,
                    "0 unless %s is " + ThreadKind.VIRTUAL + ": it bounds the processors of virtual threads",
                    ClusterSettings.THREAD_KIND);
        }
    }

    private void checkAllocation() {
        boolean everyNodeIsBoth = firstMemoryNode == firstComputeNode && lastMemoryNode == lastComputeNode;
        if (values.get(ClusterSettings.ALLOCATION_POLICY).isLocal() && !everyNodeIsBoth) {
            throw invalid(
                    ClusterSettings.ALLOCATION_POLICY,
                    "every node to be both: Memory Nodes are " + firstMemoryNode + ".." + lastMemoryNode
                            + ", Compute Nodes are " + firstComputeNode + ".." + lastComputeNode);
        }
    }

    private void checkHosts() {
        List<String> hosts = values.get(ClusterSettings.HOSTS);
        int nodes = lastComputeNode - firstMemoryNode + 1;
        if (!hosts.isEmpty() && hosts.size() != nodes) {
            throw invalid(
                    ClusterSettings.HOSTS,
                    "exactly one host per node, that is " + nodes + " for the ids " + firstMemoryNode + ".."
                            + lastComputeNode + ", not " + hosts.size());
        }
    }

    /**
     * The first segment of each Memory Node holds some words for each Compute Node, and with epochs one for each
     * thread. They take at most half of it, so that objects have room too.
     */
    private void checkSegmentHoldsMembership() {
        long needed = SEGMENT_HEADER_BYTES + COMPUTE_NODE_BYTES * computeNodes + epochBytes() + SEGMENT_RESERVE_BYTES;
        if (needed > (1L << values.get(ClusterSettings.SEGMENT_SIZE_LOG2)) / 2) {
            int atLeast = Long.SIZE - Long.numberOfLeadingZeros(2 * needed - 1);
            throw invalid(
                    ClusterSettings.SEGMENT_SIZE_LOG2,
                    "at least " + atLeast + ": " + computeNodes + " Compute Nodes take " + needed
                            + " bytes of a segment, which may be half of it at most");
        }
    }

    /** The epoch, and an announcement of each Compute Thread, in each life of its node. */
    private long epochBytes() {
        boolean hasEpochs = values.get(ClusterSettings.RECLAIM) == Reclamation.EPOCHS;
        long lives = 1L + values.get(ClusterSettings.RETURNS);
        return hasEpochs ? Long.BYTES * (1L + lives * computeNodes * values.get(ClusterSettings.THREADS_PER_NODE)) : 0;
    }

    private <T> InvalidConfigException invalid(Setting<T> setting, String needs, Setting<?>... mentioned) {
        return new InvalidConfigException(setting, setting.type().format(values.get(setting)), needs, mentioned);
    }
}
