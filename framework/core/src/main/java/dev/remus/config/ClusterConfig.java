package dev.remus.config;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Everything that all nodes of a cluster share: its nodes, its memory, its lanes and its policies. It does not hold the
 * id of the node that reads it, so one value serves every node.
 *
 * <p>Immutable, and valid by construction: {@link Builder#build()} has checked every range (see {@link ClusterLimits})
 * and every combination. Two nodes agree when their configurations are {@linkplain #equals(Object) equal}.
 *
 * <p>Node ids: the Memory Nodes are {@code firstMemoryNode..lastMemoryNode}, the Compute Nodes are
 * {@code firstComputeNode..lastComputeNode}, both ends included. The ranges may overlap (a node may be both), Memory
 * Node ids are not above Compute Node ids, and together they leave no gap. They need not start at 0.
 */
public final class ClusterConfig {
    private final ClusterValues values;

    private ClusterConfig(ClusterValues values) {
        this.values = values;
        ClusterRules.check(this);
    }

    /**
     * Starts a configuration from the values of {@link ClusterDefaults}. The two ranges of node ids have no default.
     *
     * @return a builder that still needs {@link Builder#memoryNodes} and {@link Builder#computeNodes}
     */
    public static Builder builder() {
        return new Builder(new ClusterValues());
    }

    /**
     * Starts a configuration from this one.
     *
     * @return a builder that holds all values of this configuration
     */
    public Builder toBuilder() {
        return new Builder(values.copy());
    }

    /**
     * What carries the operations ({@code --fabric}).
     *
     * @return what carries the operations
     */
    public String fabric() {
        return values.fabric;
    }

    /**
     * The name of the cluster, which keeps clusters on one machine apart ({@code --cluster}).
     *
     * @return the name of the cluster
     */
    public String cluster() {
        return values.cluster;
    }

    /**
     * The host of each node, in the order of node ids from the lowest one; empty when {@link #hostPattern} decides
     * ({@code --hosts}).
     *
     * @return an unmodifiable list
     */
    public List<String> hosts() {
        return values.hosts;
    }

    /**
     * The host name of a node, with one {@code %d} in the place of its id; used when {@link #hosts} is empty
     * ({@code --host-pattern}).
     *
     * @return the host name of a node
     */
    public String hostPattern() {
        return values.hostPattern;
    }

    /**
     * The lowest Memory Node id; this node is "Memory Node 0", where barrier and root live ({@code --first-mn-id}).
     *
     * @return the lowest Memory Node id
     */
    public int firstMemoryNode() {
        return values.firstMemoryNode;
    }

    /**
     * The highest Memory Node id ({@code --last-mn-id}).
     *
     * @return the highest Memory Node id
     */
    public int lastMemoryNode() {
        return values.lastMemoryNode;
    }

    /**
     * The lowest Compute Node id ({@code --first-cn-id}).
     *
     * @return the lowest Compute Node id
     */
    public int firstComputeNode() {
        return values.firstComputeNode;
    }

    /**
     * The highest Compute Node id ({@code --last-cn-id}).
     *
     * @return the highest Compute Node id
     */
    public int lastComputeNode() {
        return values.lastComputeNode;
    }

    /**
     * The TCP port on which each Memory Node listens ({@code --mn-port}).
     *
     * @return the TCP port on which each Memory Node listens
     */
    public int memoryPort() {
        return values.memoryPort;
    }

    /**
     * The number of Compute Threads of each Compute Node ({@code --cn-threads}).
     *
     * @return the number of Compute Threads of each Compute Node
     */
    public int threadsPerNode() {
        return values.threadsPerNode;
    }

    /**
     * The size of each segment, as log2 of bytes ({@code --seg-size}).
     *
     * @return the size of each segment
     */
    public int segmentSizeLog2() {
        return values.segmentSizeLog2;
    }

    /**
     * The number of segments of each Memory Node ({@code --segs-per-mn}).
     *
     * @return the number of segments of each Memory Node
     */
    public int segmentsPerNode() {
        return values.segmentsPerNode;
    }

    /**
     * The number of lanes from each Compute Node to each Memory Node ({@code --qp-lanes}).
     *
     * @return the number of lanes from each Compute Node to each Memory Node
     */
    public int lanes() {
        return values.lanes;
    }

    /**
     * How the lane of an operation is picked ({@code --qp-sched-pol}).
     *
     * @return how the lane of an operation is picked
     */
    public LanePolicy lanePolicy() {
        return values.lanePolicy;
    }

    /**
     * The most bytes that each Compute Thread's registered buffer may have, as log2 ({@code --cn-thread-bufsz}).
     *
     * @return the log2 of the most bytes that it may have
     */
    public int threadBufferLog2() {
        return values.threadBufferLog2;
    }

    /**
     * How the segment of a new object is picked ({@code --alloc-pol}).
     *
     * @return how the segment of a new object is picked
     */
    public AllocationPolicy allocationPolicy() {
        return values.allocationPolicy;
    }

    /**
     * The number of operations that one Compute Thread may have outstanding ({@code --cn-ops-per-thread}). Each {@linkplain
     * #lanes lane} has room for the requests of its fabric's {@code Lane.depth()}, 256 as a rule: the default of two lanes
     * is full when 64 threads of a node have 8 operations outstanding each at one Memory Node, and a thread then waits for
     * room.
     *
     * @return the number of operations that one Compute Thread may have outstanding
     */
    public int opsPerThread() {
        return values.opsPerThread;
    }

    /**
     * The number of records that each read cache of a Compute Thread may hold ({@code --cn-cache-records}).
     *
     * @return the number of records, 0 for no caches
     */
    public int cacheRecords() {
        return values.cacheRecords;
    }

    /**
     * What the other nodes do when a node is lost ({@code --on-node-loss}).
     *
     * @return what the other nodes do when a node is lost
     */
    public OnNodeLoss onNodeLoss() {
        return values.onNodeLoss;
    }

    /**
     * Whether every allocated block carries a state word, so that a double free is found on any node ({@code --check-
     * memory}).
     *
     * @return true when it does
     */
    public boolean checkMemory() {
        return values.checkMemory;
    }

    /**
     * What else all Compute Nodes must agree on: options of the program, which the nodes compare when they connect.
     *
     * @return their values by their names, in a fixed order
     */
    public Map<String, String> agreed() {
        return values.agreed;
    }

    /**
     * How long a node waits for the others at start ({@code --connect-timeout}).
     *
     * @return how long a node waits for the others at start
     */
    public Duration connectTimeout() {
        return values.connectTimeout;
    }

    /**
     * The size of each segment in bytes.
     *
     * @return a power of two
     */
    public long segmentBytes() {
        return 1L << values.segmentSizeLog2;
    }

    /**
     * The most bytes that each Compute Thread's registered buffer may have.
     *
     * @return a power of two
     */
    public int threadBufferBytes() {
        return 1 << values.threadBufferLog2;
    }

    /**
     * Whether a node offers memory.
     *
     * @param nodeId any number
     * @return true when it is the id of a Memory Node of this cluster
     */
    public boolean isMemoryNode(int nodeId) {
        return nodeId >= values.firstMemoryNode && nodeId <= values.lastMemoryNode;
    }

    /**
     * Whether a node runs Compute Threads.
     *
     * @param nodeId any number
     * @return true when it is the id of a Compute Node of this cluster
     */
    public boolean isComputeNode(int nodeId) {
        return nodeId >= values.firstComputeNode && nodeId <= values.lastComputeNode;
    }

    /**
     * The number of Memory Nodes.
     *
     * @return at least 1
     */
    public int memoryNodes() {
        return values.lastMemoryNode - values.firstMemoryNode + 1;
    }

    /**
     * The number of Compute Nodes.
     *
     * @return at least 1
     */
    public int computeNodes() {
        return values.lastComputeNode - values.firstComputeNode + 1;
    }

    /**
     * The number of nodes; one that is both a Memory Node and a Compute Node counts once.
     *
     * @return at least 1
     */
    public int nodes() {
        return highestNode() - lowestNode() + 1;
    }

    /**
     * The number of Compute Threads of the whole cluster.
     *
     * @return at least 1
     */
    public int totalThreads() {
        return computeNodes() * values.threadsPerNode;
    }

    /**
     * The lowest node id of the cluster.
     *
     * @return the id of a Memory Node
     */
    public int lowestNode() {
        return values.firstMemoryNode;
    }

    /**
     * The highest node id of the cluster.
     *
     * @return the id of a Compute Node
     */
    public int highestNode() {
        return values.lastComputeNode;
    }

    /**
     * The host on which a node runs: its entry in {@link #hosts}, or else what {@link #hostPattern} makes of its id.
     *
     * @param nodeId the id of a node of this cluster
     * @return a host name or an address
     * @throws IllegalArgumentException when the cluster has no such node
     */
    public String host(int nodeId) {
        if (nodeId < lowestNode() || nodeId > highestNode()) {
            throw new IllegalArgumentException("There is no node " + nodeId + " in the cluster, its ids are "
                    + lowestNode() + ".." + highestNode());
        }
        return values.hosts.isEmpty()
                ? values.hostPattern.replace("%d", Integer.toString(nodeId))
                : values.hosts.get(nodeId - lowestNode());
    }

    /** Equal when all values are equal. */
    @Override
    public boolean equals(Object other) {
        return other instanceof ClusterConfig that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    /** Names the nodes, the rest being in the options that a program prints. */
    @Override
    public String toString() {
        return "cluster " + values.cluster + " on " + values.fabric + ": Memory Nodes " + values.firstMemoryNode + ".."
                + values.lastMemoryNode
                + ", Compute Nodes " + values.firstComputeNode + ".." + values.lastComputeNode + ", "
                + values.threadsPerNode
                + " threads each";
    }

    /** Collects the values of a {@link ClusterConfig}. Checks nothing before {@link #build()}. Not thread safe. */
    public static final class Builder {
        private final ClusterValues values;

        private Builder(ClusterValues values) {
            this.values = values;
        }

        /**
         * What carries the operations ({@code --fabric}).
         *
         * @param value the new value
         * @return this
         */
        public Builder fabric(String value) {
            values.fabric = Objects.requireNonNull(value, "fabric");
            return this;
        }

        /**
         * The name of the cluster, which keeps clusters on one machine apart ({@code --cluster}).
         *
         * @param value the new value
         * @return this
         */
        public Builder cluster(String value) {
            values.cluster = Objects.requireNonNull(value, "cluster");
            return this;
        }

        /**
         * The host of each node, in the order of node ids from the lowest one; empty when {@link
         * #hostPattern(String)} decides ({@code --hosts}).
         *
         * @param value the new value
         * @return this
         */
        public Builder hosts(List<String> value) {
            values.hosts = List.copyOf(value);
            return this;
        }

        /**
         * The host name of a node, with one {@code %d} in the place of its id; used when {@link #hosts(List)} is
         * empty ({@code --host-pattern}).
         *
         * @param value the new value
         * @return this
         */
        public Builder hostPattern(String value) {
            values.hostPattern = Objects.requireNonNull(value, "hostPattern");
            return this;
        }

        /**
         * The range of Memory Nodes, both ends included ({@code --first-mn-id} and {@code --last-mn-id}).
         *
         * @param first the lowest Memory Node id
         * @param last the highest Memory Node id
         * @return this
         */
        public Builder memoryNodes(int first, int last) {
            values.firstMemoryNode = first;
            values.lastMemoryNode = last;
            return this;
        }

        /**
         * The range of Compute Nodes, both ends included ({@code --first-cn-id} and {@code --last-cn-id}).
         *
         * @param first the lowest Compute Node id
         * @param last the highest Compute Node id
         * @return this
         */
        public Builder computeNodes(int first, int last) {
            values.firstComputeNode = first;
            values.lastComputeNode = last;
            return this;
        }

        /**
         * The TCP port on which each Memory Node listens ({@code --mn-port}).
         *
         * @param value the new value
         * @return this
         */
        public Builder memoryPort(int value) {
            values.memoryPort = value;
            return this;
        }

        /**
         * The number of Compute Threads of each Compute Node ({@code --cn-threads}).
         *
         * @param value the new value
         * @return this
         */
        public Builder threadsPerNode(int value) {
            values.threadsPerNode = value;
            return this;
        }

        /**
         * The size of each segment, as log2 of bytes ({@code --seg-size}).
         *
         * @param value the new value
         * @return this
         */
        public Builder segmentSizeLog2(int value) {
            values.segmentSizeLog2 = value;
            return this;
        }

        /**
         * The number of segments of each Memory Node ({@code --segs-per-mn}).
         *
         * @param value the new value
         * @return this
         */
        public Builder segmentsPerNode(int value) {
            values.segmentsPerNode = value;
            return this;
        }

        /**
         * The number of lanes from each Compute Node to each Memory Node ({@code --qp-lanes}).
         *
         * @param value the new value
         * @return this
         */
        public Builder lanes(int value) {
            values.lanes = value;
            return this;
        }

        /**
         * How the lane of an operation is picked ({@code --qp-sched-pol}).
         *
         * @param value the new value
         * @return this
         */
        public Builder lanePolicy(LanePolicy value) {
            values.lanePolicy = Objects.requireNonNull(value, "lanePolicy");
            return this;
        }

        /**
         * The most bytes that each Compute Thread's registered buffer may have, as log2 ({@code --cn-thread-bufsz}).
         *
         * @param value the new value
         * @return this
         */
        public Builder threadBufferLog2(int value) {
            values.threadBufferLog2 = value;
            return this;
        }

        /**
         * How the segment of a new object is picked ({@code --alloc-pol}).
         *
         * @param value the new value
         * @return this
         */
        public Builder allocationPolicy(AllocationPolicy value) {
            values.allocationPolicy = Objects.requireNonNull(value, "allocationPolicy");
            return this;
        }

        /**
         * The number of operations that one Compute Thread may have outstanding ({@code --cn-ops-per-thread}).
         *
         * @param value the new value
         * @return this
         */
        public Builder opsPerThread(int value) {
            values.opsPerThread = value;
            return this;
        }

        /**
         * The number of records that each read cache of a Compute Thread may hold ({@code --cn-cache-records}).
         *
         * @param value the new value, 0 for no caches
         * @return this
         */
        public Builder cacheRecords(int value) {
            values.cacheRecords = value;
            return this;
        }

        /**
         * What the other nodes do when a node is lost ({@code --on-node-loss}).
         *
         * @param value the new value
         * @return this
         */
        public Builder onNodeLoss(OnNodeLoss value) {
            values.onNodeLoss = Objects.requireNonNull(value, "onNodeLoss");
            return this;
        }

        /**
         * Whether every allocated block carries a state word, so that a double free is found on any node
         * ({@code --check-memory}).
         *
         * @param value the new value
         * @return this
         */
        public Builder checkMemory(boolean value) {
            values.checkMemory = value;
            return this;
        }

        /**
         * What else all Compute Nodes must agree on: options of the program.
         *
         * @param value their values by their names, in the order that all nodes have
         * @return this
         */
        public Builder agreed(Map<String, String> value) {
            values.agreed = Collections.unmodifiableMap(new LinkedHashMap<>(value));
            return this;
        }

        /**
         * How long a node waits for the others at start ({@code --connect-timeout}).
         *
         * @param value the new value
         * @return this
         */
        public Builder connectTimeout(Duration value) {
            values.connectTimeout = Objects.requireNonNull(value, "connectTimeout");
            return this;
        }

        /**
         * Checks everything and makes the configuration.
         *
         * @return an immutable configuration; this builder can go on and make another
         * @throws InvalidConfigException when a value is out of range or two of them contradict each other; it names
         *     the option to change
         */
        public ClusterConfig build() {
            return new ClusterConfig(values.copy());
        }
    }
}
