package dev.remus.config;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What makes a {@link ClusterConfig} valid: first each value on its own, then the combinations. Kept apart from the
 * value so that all rules can be read in one place.
 */
final class ClusterRules {
    /** The segment header, see the memory layout of a segment. */
    private static final long SEGMENT_HEADER_BYTES = 64;
    /** What a Memory Node keeps beside the header and the words of each Compute Node, rounded up to whole blocks. */
    private static final long SEGMENT_RESERVE_BYTES = 336;

    /** Membership, sign of life, and the reason of a failure. */
    private static final long COMPUTE_NODE_BYTES = 144;

    // Cluster names become file names, so neither separators nor hidden files.
    private static final Pattern CLUSTER_NAME =
            Pattern.compile("(?!\\.)[A-Za-z0-9._-]{1," + ClusterLimits.MAX_CLUSTER_NAME_LENGTH + "}");

    private static final Pattern WORD = Pattern.compile("\\S+");
    private static final Pattern HOST_PATTERN = Pattern.compile("[^\\s%]*%d[^\\s%]*");

    private ClusterRules() {}

    static void check(ClusterConfig c) {
        checkValues(c);
        checkNodes(c);
        checkThreads(c);
        checkAllocation(c);
        checkHosts(c);
        checkSegmentHoldsMembership(c);
    }

    private static void checkValues(ClusterConfig c) {
        text(ClusterSetting.FABRIC, c.fabric(), WORD, "the name of a fabric, without spaces");
        text(
                ClusterSetting.CLUSTER,
                c.cluster(),
                CLUSTER_NAME,
                "1 to " + ClusterLimits.MAX_CLUSTER_NAME_LENGTH
                        + " characters of A-Z a-z 0-9 . _ - that do not start with a dot");
        text(
                ClusterSetting.HOST_PATTERN,
                c.hostPattern(),
                HOST_PATTERN,
                "a host name with exactly one %%d for the node id");
        range(ClusterSetting.FIRST_MEMORY_NODE, c.firstMemoryNode(), 0, ClusterLimits.MAX_NODE_ID);
        range(ClusterSetting.LAST_MEMORY_NODE, c.lastMemoryNode(), 0, ClusterLimits.MAX_NODE_ID);
        range(ClusterSetting.FIRST_COMPUTE_NODE, c.firstComputeNode(), 0, ClusterLimits.MAX_NODE_ID);
        range(ClusterSetting.LAST_COMPUTE_NODE, c.lastComputeNode(), 0, ClusterLimits.MAX_NODE_ID);
        range(ClusterSetting.MEMORY_PORT, c.memoryPort(), ClusterLimits.MIN_PORT, ClusterLimits.MAX_PORT);
        range(ClusterSetting.THREADS_PER_NODE, c.threadsPerNode(), 1, ClusterLimits.MAX_THREADS_PER_NODE);
        range(
                ClusterSetting.SEGMENT_SIZE_LOG2,
                c.segmentSizeLog2(),
                ClusterLimits.MIN_SEGMENT_SIZE_LOG2,
                ClusterLimits.MAX_SEGMENT_SIZE_LOG2);
        range(ClusterSetting.SEGMENTS_PER_NODE, c.segmentsPerNode(), 1, ClusterLimits.MAX_SEGMENTS_PER_NODE);
        range(ClusterSetting.LANES, c.lanes(), 1, ClusterLimits.MAX_LANES);
        range(
                ClusterSetting.THREAD_BUFFER_LOG2,
                c.threadBufferLog2(),
                ClusterLimits.MIN_THREAD_BUFFER_LOG2,
                ClusterLimits.MAX_THREAD_BUFFER_LOG2);
        range(ClusterSetting.CACHE_RECORDS, c.cacheRecords(), 0, ClusterLimits.MAX_CACHE_RECORDS);
        range(ClusterSetting.OPS_PER_THREAD, c.opsPerThread(), 1, ClusterLimits.MAX_OPS_PER_THREAD);
        duration(ClusterSetting.CONNECT_TIMEOUT, c.connectTimeout());
    }

    private static void checkNodes(ClusterConfig c) {
        if (c.lastMemoryNode() < c.firstMemoryNode()) {
            throw new InvalidConfigException(
                    ClusterSetting.LAST_MEMORY_NODE,
                    c.lastMemoryNode(),
                    "at least %s, which is " + c.firstMemoryNode(),
                    ClusterSetting.FIRST_MEMORY_NODE);
        }
        if (c.lastComputeNode() < c.firstComputeNode()) {
            throw new InvalidConfigException(
                    ClusterSetting.LAST_COMPUTE_NODE,
                    c.lastComputeNode(),
                    "at least %s, which is " + c.firstComputeNode(),
                    ClusterSetting.FIRST_COMPUTE_NODE);
        }
        if (c.firstMemoryNode() > c.firstComputeNode()) {
            throw new InvalidConfigException(
                    ClusterSetting.FIRST_MEMORY_NODE,
                    c.firstMemoryNode(),
                    "at most %s, which is " + c.firstComputeNode() + ": Memory Node ids are not above Compute Node ids",
                    ClusterSetting.FIRST_COMPUTE_NODE);
        }
        if (c.lastMemoryNode() > c.lastComputeNode()) {
            throw new InvalidConfigException(
                    ClusterSetting.LAST_MEMORY_NODE,
                    c.lastMemoryNode(),
                    "at most %s, which is " + c.lastComputeNode() + ": Memory Node ids are not above Compute Node ids",
                    ClusterSetting.LAST_COMPUTE_NODE);
        }
        if (c.firstComputeNode() > c.lastMemoryNode() + 1) {
            throw new InvalidConfigException(
                    ClusterSetting.FIRST_COMPUTE_NODE,
                    c.firstComputeNode(),
                    "at most " + (c.lastMemoryNode() + 1) + ": with %s " + c.lastMemoryNode()
                            + " the ids in between would belong to no node",
                    ClusterSetting.LAST_MEMORY_NODE);
        }
    }

    private static void checkThreads(ClusterConfig c) {
        if (c.totalThreads() > ClusterLimits.MAX_TOTAL_THREADS) {
            throw new InvalidConfigException(
                    ClusterSetting.THREADS_PER_NODE,
                    c.threadsPerNode(),
                    "at most " + ClusterLimits.MAX_TOTAL_THREADS / c.computeNodes() + " on " + c.computeNodes()
                            + " Compute Nodes: a cluster has at most " + ClusterLimits.MAX_TOTAL_THREADS + " threads");
        }
        if (c.lanePolicy() == LanePolicy.ONE_TO_ONE && c.lanes() < c.threadsPerNode()) {
            throw new InvalidConfigException(
                    ClusterSetting.LANES,
                    c.lanes(),
                    "at least %s, which is " + c.threadsPerNode() + ", with %s " + LanePolicy.ONE_TO_ONE,
                    ClusterSetting.THREADS_PER_NODE,
                    ClusterSetting.LANE_POLICY);
        }
    }

    private static void checkAllocation(ClusterConfig c) {
        boolean everyNodeIsBoth =
                c.firstMemoryNode() == c.firstComputeNode() && c.lastMemoryNode() == c.lastComputeNode();
        if (c.allocationPolicy().isLocal() && !everyNodeIsBoth) {
            throw new InvalidConfigException(
                    ClusterSetting.ALLOCATION_POLICY,
                    c.allocationPolicy(),
                    "every node to be both: Memory Nodes are " + c.firstMemoryNode() + ".." + c.lastMemoryNode()
                            + ", Compute Nodes are " + c.firstComputeNode() + ".." + c.lastComputeNode());
        }
    }

    private static void checkHosts(ClusterConfig c) {
        List<String> hosts = c.hosts();
        if (hosts.isEmpty()) {
            return;
        }
        String given = String.join(",", hosts);
        if (hosts.size() != c.nodes()) {
            throw new InvalidConfigException(
                    ClusterSetting.HOSTS,
                    given,
                    "exactly one host per node, that is " + c.nodes() + " for the ids " + c.lowestNode() + ".."
                            + c.highestNode() + ", not " + hosts.size());
        }
        for (String host : hosts) {
            if (!WORD.matcher(host).matches()) {
                throw new InvalidConfigException(
                        ClusterSetting.HOSTS, given, "host names that are neither empty nor have spaces");
            }
        }
    }

    /**
     * The first segment of each Memory Node holds some words for each Compute Node. Asking for no more than half of
     * it leaves room for what the segment is there for.
     */
    private static void checkSegmentHoldsMembership(ClusterConfig c) {
        long needed = SEGMENT_HEADER_BYTES + COMPUTE_NODE_BYTES * c.computeNodes() + SEGMENT_RESERVE_BYTES;
        if (needed > c.segmentBytes() / 2) {
            int atLeast = Long.SIZE - Long.numberOfLeadingZeros(2 * needed - 1);
            throw new InvalidConfigException(
                    ClusterSetting.SEGMENT_SIZE_LOG2,
                    c.segmentSizeLog2(),
                    "at least " + atLeast + ": " + c.computeNodes() + " Compute Nodes take " + needed
                            + " bytes of a segment, which may be half of it at most");
        }
    }

    private static void text(ClusterSetting setting, String given, Pattern accepted, String needs) {
        if (!accepted.matcher(given).matches()) {
            throw new InvalidConfigException(setting, given, needs);
        }
    }

    private static void range(ClusterSetting setting, int given, int min, int max) {
        if (given < min || given > max) {
            throw new InvalidConfigException(setting, given, "a whole number from " + min + " to " + max);
        }
    }

    private static void duration(ClusterSetting setting, Duration given) {
        Duration min = Duration.ofSeconds(ClusterLimits.MIN_CONNECT_TIMEOUT_SECONDS);
        Duration max = Duration.ofSeconds(ClusterLimits.MAX_CONNECT_TIMEOUT_SECONDS);
        if (given.compareTo(min) < 0 || given.compareTo(max) > 0) {
            throw new InvalidConfigException(
                    setting, given, "from " + min.toSeconds() + " to " + max.toSeconds() + " seconds");
        }
    }
}
