package dev.remus.config;

/** What a {@link ClusterConfig} can be asked for, under the names of its builder. */
public enum ClusterSetting {
    /** {@link ClusterConfig.Builder#fabric}. */
    FABRIC("fabric"),
    /** {@link ClusterConfig.Builder#cluster}. */
    CLUSTER("cluster"),
    /** {@link ClusterConfig.Builder#hosts}. */
    HOSTS("hosts"),
    /** {@link ClusterConfig.Builder#hostPattern}. */
    HOST_PATTERN("hostPattern"),
    /** The first argument of {@link ClusterConfig.Builder#memoryNodes}. */
    FIRST_MEMORY_NODE("memoryNodes(first, ...)"),
    /** The second argument of {@link ClusterConfig.Builder#memoryNodes}. */
    LAST_MEMORY_NODE("memoryNodes(..., last)"),
    /** The first argument of {@link ClusterConfig.Builder#computeNodes}. */
    FIRST_COMPUTE_NODE("computeNodes(first, ...)"),
    /** The second argument of {@link ClusterConfig.Builder#computeNodes}. */
    LAST_COMPUTE_NODE("computeNodes(..., last)"),
    /** {@link ClusterConfig.Builder#memoryPort}. */
    MEMORY_PORT("memoryPort"),
    /** {@link ClusterConfig.Builder#threadsPerNode}. */
    THREADS_PER_NODE("threadsPerNode"),
    /** {@link ClusterConfig.Builder#segmentSizeLog2}. */
    SEGMENT_SIZE_LOG2("segmentSizeLog2"),
    /** {@link ClusterConfig.Builder#segmentsPerNode}. */
    SEGMENTS_PER_NODE("segmentsPerNode"),
    /** {@link ClusterConfig.Builder#lanes}. */
    LANES("lanes"),
    /** {@link ClusterConfig.Builder#lanePolicy}. */
    LANE_POLICY("lanePolicy"),
    /** {@link ClusterConfig.Builder#threadBufferLog2}. */
    THREAD_BUFFER_LOG2("threadBufferLog2"),
    /** {@link ClusterConfig.Builder#allocationPolicy}. */
    ALLOCATION_POLICY("allocationPolicy"),
    /** {@link ClusterConfig.Builder#opsPerThread}. */
    OPS_PER_THREAD("opsPerThread"),
    /** {@link ClusterConfig.Builder#cacheRecords}. */
    CACHE_RECORDS("cacheRecords"),
    /** {@link ClusterConfig.Builder#connectTimeout}. */
    CONNECT_TIMEOUT("connectTimeout");

    private final String builderName;

    ClusterSetting(String builderName) {
        this.builderName = builderName;
    }

    /** The name in the builder, with the argument where the method has two. */
    @Override
    public String toString() {
        return builderName;
    }
}
