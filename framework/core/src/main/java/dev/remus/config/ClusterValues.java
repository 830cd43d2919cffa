package dev.remus.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The values of a {@link ClusterConfig}, which says what they are; here each starts as its default. A builder changes its
 * own, a configuration never does.
 */
final class ClusterValues implements Cloneable {
    /** No node id; the check of the range refuses it and names the option. */
    private static final int NOT_GIVEN = -1;

    String fabric = ClusterDefaults.FABRIC;
    String cluster = ClusterDefaults.CLUSTER;
    List<String> hosts = List.of();
    String hostPattern = ClusterDefaults.HOST_PATTERN;
    int firstMemoryNode = NOT_GIVEN;
    int lastMemoryNode = NOT_GIVEN;
    int firstComputeNode = NOT_GIVEN;
    int lastComputeNode = NOT_GIVEN;
    int memoryPort = ClusterDefaults.MEMORY_PORT;
    int threadsPerNode = ClusterDefaults.THREADS_PER_NODE;
    int segmentSizeLog2 = ClusterDefaults.SEGMENT_SIZE_LOG2;
    int segmentsPerNode = ClusterDefaults.SEGMENTS_PER_NODE;
    int lanes = ClusterDefaults.LANES;
    LanePolicy lanePolicy = ClusterDefaults.LANE_POLICY;
    int threadBufferLog2 = ClusterDefaults.THREAD_BUFFER_LOG2;
    AllocationPolicy allocationPolicy = ClusterDefaults.ALLOCATION_POLICY;
    int opsPerThread = ClusterDefaults.OPS_PER_THREAD;
    int cacheRecords = ClusterDefaults.CACHE_RECORDS;
    OnNodeLoss onNodeLoss = ClusterDefaults.ON_NODE_LOSS;
    boolean checkMemory;
    Map<String, String> agreed = Map.of();
    Duration connectTimeout = Duration.ofSeconds(ClusterDefaults.CONNECT_TIMEOUT_SECONDS);

    /** Values of one's own, the same for now. */
    ClusterValues copy() {
        try {
            return (ClusterValues) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ClusterValues that && all().equals(that.all());
    }

    @Override
    public int hashCode() {
        return all().hashCode();
    }

    private List<Object> all() {
        return List.of(
                fabric,
                cluster,
                hosts,
                hostPattern,
                firstMemoryNode,
                lastMemoryNode,
                firstComputeNode,
                lastComputeNode,
                memoryPort,
                threadsPerNode,
                segmentSizeLog2,
                segmentsPerNode,
                lanes,
                lanePolicy,
                threadBufferLog2,
                allocationPolicy,
                opsPerThread,
                cacheRecords,
                onNodeLoss,
                checkMemory,
                agreed,
                connectTimeout);
    }
}
