// SPDX-License-Identifier: Apache-2.0
package dev.remus.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a cluster: its nodes, its memory, its lanes and its policies. The id of the node that reads them is
 * not among them, so one value serves every node.
 *
 * <p>Immutable, and valid by construction: {@link Builder#build()} checks every value, and every combination.
 * Both ends of the ranges of node ids are included. The ranges may overlap (a node may be both), Memory Node ids are
 * not above Compute Node ids, and together they leave no gap. They need not start at 0.
 */
public final class ClusterConfig {
    private final SettingValues values;

    private ClusterConfig(SettingValues values) {
        ClusterRules.check(values);
        this.values = values;
    }

    /** Starts from the defaults. {@link Builder#memoryNodes} and {@link Builder#computeNodes} have none. */
    public static Builder builder() {
        return new Builder(SettingValues.ofDefaults());
    }

    /** Starts from all values of this configuration. */
    public Builder toBuilder() {
        return new Builder(values.copy());
    }

    /** The value of a setting. */
    public <T> T get(Setting<T> setting) {
        return values.get(setting);
    }

    /** The name of the fabric, which carries the operations ({@code --fabric}). */
    public String fabric() {
        return get(ClusterSettings.FABRIC);
    }

    /** The name of the cluster, which keeps clusters on one machine apart ({@code --cluster}). */
    public String cluster() {
        return get(ClusterSettings.CLUSTER);
    }

    /** The name of the file with the cluster's secret, or the word for none ({@code --cluster-secret}). */
    public String clusterSecret() {
        return get(ClusterSettings.CLUSTER_SECRET);
    }

    /** The host of each node from the lowest id, unmodifiable; empty for {@link #hostPattern} ({@code --hosts}). */
    public List<String> hosts() {
        return get(ClusterSettings.HOSTS);
    }

    /** A host name with one {@code %d} for the node id, used without {@link #hosts} ({@code --host-pattern}). */
    public String hostPattern() {
        return get(ClusterSettings.HOST_PATTERN);
    }

    /** The lowest Memory Node id, of "Memory Node 0", which holds barrier and root ({@code --first-mn-id}). */
    public int firstMemoryNode() {
        return get(ClusterSettings.FIRST_MEMORY_NODE);
    }

    /** The highest Memory Node id ({@code --last-mn-id}). */
    public int lastMemoryNode() {
        return get(ClusterSettings.LAST_MEMORY_NODE);
    }

    /** The lowest Compute Node id ({@code --first-cn-id}). */
    public int firstComputeNode() {
        return get(ClusterSettings.FIRST_COMPUTE_NODE);
    }

    /** The highest Compute Node id ({@code --last-cn-id}). */
    public int lastComputeNode() {
        return get(ClusterSettings.LAST_COMPUTE_NODE);
    }

    /** The TCP port on which each Memory Node listens ({@code --mn-port}). */
    public int memoryPort() {
        return get(ClusterSettings.MEMORY_PORT);
    }

    /** The number of Compute Threads of each Compute Node ({@code --cn-threads}). */
    public int threadsPerNode() {
        return get(ClusterSettings.THREADS_PER_NODE);
    }

    /** The threads that run the Compute Threads ({@code --cn-thread-kind}). */
    public ThreadKind threadKind() {
        return get(ClusterSettings.THREAD_KIND);
    }

    /** How many processors the virtual Compute Threads of a process use at once, 0 for all ({@code --cn-cores}). */
    public int cores() {
        return get(ClusterSettings.CORES);
    }

    /** The size of each segment, as log2 of bytes ({@code --seg-size}). */
    public int segmentSizeLog2() {
        return get(ClusterSettings.SEGMENT_SIZE_LOG2);
    }

    /** The number of segments of each Memory Node ({@code --segs-per-mn}). */
    public int segmentsPerNode() {
        return get(ClusterSettings.SEGMENTS_PER_NODE);
    }

    /** The lanes from each Compute Node to each Memory Node ({@code --qp-lanes}), by default for this machine. */
    public int lanes() {
        int lanes = get(ClusterSettings.LANES);
        return lanes == ClusterSettings.AUTOMATIC_LANES ? lanePolicy().usefulLanes(threadsPerNode()) : lanes;
    }

    /** How the lane of an operation is picked ({@code --qp-sched-pol}). */
    public LanePolicy lanePolicy() {
        return get(ClusterSettings.LANE_POLICY);
    }

    /** The largest size of each Compute Thread's registered buffer, as log2 of bytes ({@code --cn-thread-bufsz}). */
    public int threadBufferLog2() {
        return get(ClusterSettings.THREAD_BUFFER_LOG2);
    }

    /** How the segment of a new object is picked ({@code --alloc-pol}). */
    public AllocationPolicy allocationPolicy() {
        return get(ClusterSettings.ALLOCATION_POLICY);
    }

    /** How long an allocation waits for retired blocks, if they return by epochs ({@code --alloc-wait}). */
    public Duration allocationWait() {
        return get(ClusterSettings.ALLOCATION_WAIT);
    }

    /** The number of operations that one Compute Thread may have outstanding ({@code --cn-ops-per-thread}). */
    public int opsPerThread() {
        return get(ClusterSettings.OPS_PER_THREAD);
    }

    /** The most records in a read cache for each Compute Thread, 0 for no caches ({@code --cn-cache-records}). */
    public int cacheRecords() {
        return get(ClusterSettings.CACHE_RECORDS);
    }

    /** The hardware or the microseconds that shm emulates, or the word for none ({@code --latency}). */
    public String emulatedLatency() {
        return get(ClusterSettings.EMULATED_LATENCY);
    }

    /** Whether operations take the time of other hardware, so that a measurement is none of this machine. */
    public boolean emulatesLatency() {
        return !emulatedLatency().equals(ClusterSettings.NO_LATENCY);
    }

    /** The reaction of the other nodes to the loss of a node ({@code --on-node-loss}). */
    public OnNodeLoss onNodeLoss() {
        return get(ClusterSettings.ON_NODE_LOSS);
    }

    /** How retired blocks become free again ({@code --reclaim}). */
    public Reclamation reclaim() {
        return get(ClusterSettings.RECLAIM);
    }

    /** Whether wrong uses of memory are reported: see {@code dev.remus.memory} ({@code --check-memory}). */
    public boolean checkMemory() {
        return get(ClusterSettings.CHECK_MEMORY);
    }

    /** How long a node waits for the others at start ({@code --connect-timeout}). */
    public Duration connectTimeout() {
        return get(ClusterSettings.CONNECT_TIMEOUT);
    }

    /** How often each Compute Node may come back after it was lost or has left, or come late ({@code --returns}). */
    public int returns() {
        return get(ClusterSettings.RETURNS);
    }

    /** How long a node may be unreachable before it is lost ({@code --loss-timeout}). */
    public Duration lossTimeout() {
        return get(ClusterSettings.LOSS_TIMEOUT);
    }

    /** How long a Compute Node may be silent before it is killed; zero for ever ({@code --kill-silent}). */
    public Duration killSilent() {
        return get(ClusterSettings.KILL_SILENT);
    }

    /** After which time a card sends a packet again ({@code --ack-timeout}). */
    public int ackTimeout() {
        return get(ClusterSettings.ACK_TIMEOUT);
    }

    /** How often a card sends a packet again ({@code --retry-count}). */
    public int retryCount() {
        return get(ClusterSettings.RETRY_COUNT);
    }

    /** How often a card sends a message again to a receiver that is not ready ({@code --rnr-retry-count}). */
    public int rnrRetryCount() {
        return get(ClusterSettings.RNR_RETRY_COUNT);
    }

    /** The class of service of packets ({@code --traffic-class}). */
    public int trafficClass() {
        return get(ClusterSettings.TRAFFIC_CLASS);
    }

    /** Options of the program by name, in a fixed order, which Compute Nodes compare; unmodifiable. */
    public Map<String, String> agreed() {
        return values.agreed();
    }

    /** The size of each segment in bytes, a power of two. */
    public long segmentBytes() {
        return 1L << segmentSizeLog2();
    }

    /** The largest size of each Compute Thread's registered buffer in bytes, a power of two. */
    public int threadBufferBytes() {
        return 1 << threadBufferLog2();
    }

    /** Whether a number is the id of a Memory Node of this cluster. */
    public boolean isMemoryNode(int nodeId) {
        return nodeId >= firstMemoryNode() && nodeId <= lastMemoryNode();
    }

    /** Whether a number is the id of a Compute Node of this cluster. */
    public boolean isComputeNode(int nodeId) {
        return nodeId >= firstComputeNode() && nodeId <= lastComputeNode();
    }

    /** The number of Memory Nodes, at least 1. */
    public int memoryNodes() {
        return lastMemoryNode() - firstMemoryNode() + 1;
    }

    /** The number of Compute Nodes, at least 1. */
    public int computeNodes() {
        return lastComputeNode() - firstComputeNode() + 1;
    }

    /** The number of nodes; one that is both a Memory Node and a Compute Node counts once. */
    public int nodes() {
        return highestNode() - lowestNode() + 1;
    }

    /** The number of Compute Threads of the whole cluster. */
    public int totalThreads() {
        return computeNodes() * threadsPerNode();
    }

    /** The number of ids of Compute Threads: those of a node that has come back have ids of their own. */
    public int threadIds() {
        return totalThreads() * (1 + returns());
    }

    /** The lowest node id of the cluster, that of a Memory Node. */
    public int lowestNode() {
        return firstMemoryNode();
    }

    /** The highest node id of the cluster, that of a Compute Node. */
    public int highestNode() {
        return lastComputeNode();
    }

    /** The host on which a node of the cluster runs: its entry in {@link #hosts}, or its id in {@link #hostPattern}. */
    public String host(int nodeId) {
        if (nodeId < lowestNode() || nodeId > highestNode()) {
            throw new IllegalArgumentException("no node " + nodeId + ", only " + lowestNode() + ".." + highestNode());
        }
        return hosts().isEmpty()
                ? hostPattern().replace("%d", Integer.toString(nodeId))
                : hosts().get(nodeId - lowestNode());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ClusterConfig that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    /** Names the nodes; programs print the other settings as options. */
    @Override
    public String toString() {
        return "cluster " + cluster() + " on " + fabric() + ": Memory Nodes " + firstMemoryNode() + ".."
                + lastMemoryNode() + ", Compute Nodes " + firstComputeNode() + ".." + lastComputeNode() + ", "
                + threadsPerNode() + " threads each";
    }

    /** Collects the values of a {@link ClusterConfig}. Checks nothing before {@link #build()}. Not thread safe. */
    public static final class Builder {
        private final SettingValues values;

        private Builder(SettingValues values) {
            this.values = values;
        }

        /** Sets any setting. */
        public <T> Builder set(Setting<T> setting, T value) {
            values.set(setting, value);
            return this;
        }

        /** Sets {@link ClusterConfig#fabric}. */
        public Builder fabric(String value) {
            return set(ClusterSettings.FABRIC, value);
        }

        /** Sets {@link ClusterConfig#cluster}. */
        public Builder cluster(String value) {
            return set(ClusterSettings.CLUSTER, value);
        }

        /** Sets {@link ClusterConfig#clusterSecret}. */
        public Builder clusterSecret(String value) {
            return set(ClusterSettings.CLUSTER_SECRET, value);
        }

        /** Sets {@link ClusterConfig#hosts}. */
        public Builder hosts(List<String> value) {
            return set(ClusterSettings.HOSTS, value);
        }

        /** Sets {@link ClusterConfig#hostPattern}. */
        public Builder hostPattern(String value) {
            return set(ClusterSettings.HOST_PATTERN, value);
        }

        /** Sets the range of Memory Nodes, both ends included. */
        public Builder memoryNodes(int first, int last) {
            return set(ClusterSettings.FIRST_MEMORY_NODE, first).set(ClusterSettings.LAST_MEMORY_NODE, last);
        }

        /** Sets the range of Compute Nodes, both ends included. */
        public Builder computeNodes(int first, int last) {
            return set(ClusterSettings.FIRST_COMPUTE_NODE, first).set(ClusterSettings.LAST_COMPUTE_NODE, last);
        }

        /** Sets {@link ClusterConfig#memoryPort}. */
        public Builder memoryPort(int value) {
            return set(ClusterSettings.MEMORY_PORT, value);
        }

        /** Sets {@link ClusterConfig#threadsPerNode}. */
        public Builder threadsPerNode(int value) {
            return set(ClusterSettings.THREADS_PER_NODE, value);
        }

        /** Sets {@link ClusterConfig#threadKind}. */
        public Builder threadKind(ThreadKind value) {
            return set(ClusterSettings.THREAD_KIND, value);
        }

        /** Sets {@link ClusterConfig#cores}. */
        public Builder cores(int value) {
            return set(ClusterSettings.CORES, value);
        }

        /** Sets {@link ClusterConfig#segmentSizeLog2}. */
        public Builder segmentSizeLog2(int value) {
            return set(ClusterSettings.SEGMENT_SIZE_LOG2, value);
        }

        /** Sets {@link ClusterConfig#segmentsPerNode}. */
        public Builder segmentsPerNode(int value) {
            return set(ClusterSettings.SEGMENTS_PER_NODE, value);
        }

        /** Sets {@link ClusterConfig#lanes}. */
        public Builder lanes(int value) {
            return set(ClusterSettings.LANES, value);
        }

        /** Sets {@link ClusterConfig#lanePolicy}. */
        public Builder lanePolicy(LanePolicy value) {
            return set(ClusterSettings.LANE_POLICY, value);
        }

        /** Sets {@link ClusterConfig#threadBufferLog2}. */
        public Builder threadBufferLog2(int value) {
            return set(ClusterSettings.THREAD_BUFFER_LOG2, value);
        }

        /** Sets {@link ClusterConfig#allocationPolicy}. */
        public Builder allocationPolicy(AllocationPolicy value) {
            return set(ClusterSettings.ALLOCATION_POLICY, value);
        }

        /** Sets {@link ClusterConfig#allocationWait}. */
        public Builder allocationWait(Duration value) {
            return set(ClusterSettings.ALLOCATION_WAIT, value);
        }

        /** Sets {@link ClusterConfig#opsPerThread}. */
        public Builder opsPerThread(int value) {
            return set(ClusterSettings.OPS_PER_THREAD, value);
        }

        /** Sets {@link ClusterConfig#cacheRecords}. */
        public Builder cacheRecords(int value) {
            return set(ClusterSettings.CACHE_RECORDS, value);
        }

        /** Sets {@link ClusterConfig#emulatedLatency}. */
        public Builder emulatedLatency(String value) {
            return set(ClusterSettings.EMULATED_LATENCY, value);
        }

        /** Sets {@link ClusterConfig#reclaim}. */
        public Builder reclaim(Reclamation value) {
            return set(ClusterSettings.RECLAIM, value);
        }

        /** Sets {@link ClusterConfig#onNodeLoss}. */
        public Builder onNodeLoss(OnNodeLoss value) {
            return set(ClusterSettings.ON_NODE_LOSS, value);
        }

        /** Sets {@link ClusterConfig#checkMemory}. */
        public Builder checkMemory(boolean value) {
            return set(ClusterSettings.CHECK_MEMORY, value);
        }

        /** Sets {@link ClusterConfig#connectTimeout}. */
        public Builder connectTimeout(Duration value) {
            return set(ClusterSettings.CONNECT_TIMEOUT, value);
        }

        /** Sets {@link ClusterConfig#returns}. */
        public Builder returns(int value) {
            return set(ClusterSettings.RETURNS, value);
        }

        /** Sets {@link ClusterConfig#lossTimeout}. Nodes agree on it if they agree on the whole seconds. */
        public Builder lossTimeout(Duration value) {
            return set(ClusterSettings.LOSS_TIMEOUT, value);
        }

        /** Sets {@link ClusterConfig#killSilent}. */
        public Builder killSilent(Duration value) {
            return set(ClusterSettings.KILL_SILENT, value);
        }

        /** Sets {@link ClusterConfig#ackTimeout}. */
        public Builder ackTimeout(int value) {
            return set(ClusterSettings.ACK_TIMEOUT, value);
        }

        /** Sets {@link ClusterConfig#retryCount}. */
        public Builder retryCount(int value) {
            return set(ClusterSettings.RETRY_COUNT, value);
        }

        /** Sets {@link ClusterConfig#rnrRetryCount}. */
        public Builder rnrRetryCount(int value) {
            return set(ClusterSettings.RNR_RETRY_COUNT, value);
        }

        /** Sets {@link ClusterConfig#trafficClass}. */
        public Builder trafficClass(int value) {
            return set(ClusterSettings.TRAFFIC_CLASS, value);
        }

        /** Sets {@link ClusterSettings#DEVICE}. */
        public Builder device(String value) {
            return set(ClusterSettings.DEVICE, value);
        }

        /** Sets {@link ClusterSettings#GID_INDEX}. */
        public Builder gidIndex(int value) {
            return set(ClusterSettings.GID_INDEX, value);
        }

        /** Sets {@link ClusterConfig#agreed}: values by name, in an order that is the same on all nodes. */
        public Builder agreed(Map<String, String> value) {
            values.agreed(value);
            return this;
        }

        /** Makes the configuration, or throws an {@link InvalidConfigException} that names the setting to change. */
        public ClusterConfig build() {
            return new ClusterConfig(values.copy());
        }
    }
}
