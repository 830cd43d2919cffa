package dev.remus.options;

import dev.remus.config.AllocationPolicy;
import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterDefaults;
import dev.remus.config.ClusterLimits;
import dev.remus.config.ClusterSetting;
import dev.remus.config.InvalidConfigException;
import dev.remus.config.LanePolicy;
import dev.remus.config.OnNodeLoss;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The options of the framework, which every program includes, and what they add up to. Names and defaults are those of
 * the original Remus where it has them.
 */
public final class RemusOptions {
    /** The id of this process; required, 0..1023. */
    public static final OptionSpec<Long> NODE_ID = OptionSpec.integer(
                    "--node-id",
                    0,
                    ClusterLimits.MAX_NODE_ID,
                    "The id of this node, in one or both of the ranges below")
            .required()
            .perNode();

    /** The lowest Memory Node id; required, 0..1023. */
    public static final OptionSpec<Long> FIRST_MN_ID = OptionSpec.integer(
                    "--first-mn-id", 0, ClusterLimits.MAX_NODE_ID, "The id of the first node that offers memory")
            .required();

    /** The highest Memory Node id; required, 0..1023. */
    public static final OptionSpec<Long> LAST_MN_ID = OptionSpec.integer(
                    "--last-mn-id", 0, ClusterLimits.MAX_NODE_ID, "The id of the last node that offers memory")
            .required();

    /** The lowest Compute Node id; required, 0..1023. */
    public static final OptionSpec<Long> FIRST_CN_ID = OptionSpec.integer(
                    "--first-cn-id", 0, ClusterLimits.MAX_NODE_ID, "The id of the first node that runs Compute Threads")
            .required();

    /** The highest Compute Node id; required, 0..1023. */
    public static final OptionSpec<Long> LAST_CN_ID = OptionSpec.integer(
                    "--last-cn-id", 0, ClusterLimits.MAX_NODE_ID, "The id of the last node that runs Compute Threads")
            .required();

    /** The TCP port of every Memory Node; required, 1..65535. */
    public static final OptionSpec<Long> MN_PORT = OptionSpec.integer(
                    "--mn-port",
                    ClusterLimits.MIN_PORT,
                    ClusterLimits.MAX_PORT,
                    "The TCP port on which each Memory Node listens for connections")
            .required();

    /** The fabric; a name, default {@code shm}. */
    public static final OptionSpec<String> FABRIC = OptionSpec.text(
                    "--fabric", "name", "What carries the operations: shm on one machine, verbs between machines")
            .withDefault(ClusterDefaults.FABRIC);

    /** The name of the cluster; default {@code remus}. */
    public static final OptionSpec<String> CLUSTER = OptionSpec.text(
                    "--cluster",
                    "name",
                    "The name of the cluster, the same on all nodes; keeps clusters on one machine apart")
            .withDefault(ClusterDefaults.CLUSTER);

    /** The hosts of the nodes; by default {@link #HOST_PATTERN} decides. */
    public static final OptionSpec<List<String>> HOSTS = OptionSpec.list(
                    "--hosts",
                    "host",
                    "The host of each node, separated by commas, from the lowest node id to the highest")
            .perNode();

    /** How a host name is made of a node id; default {@code node%d}. */
    public static final OptionSpec<String> HOST_PATTERN = OptionSpec.text(
                    "--host-pattern", "pattern", "The host name of a node, %d being its id; instead of --hosts")
            .withDefault(ClusterDefaults.HOST_PATTERN)
            .perNode();

    /** How long to wait for the other nodes at start, in seconds; default 60, 1..3600. */
    public static final OptionSpec<Long> CONNECT_TIMEOUT = OptionSpec.integer(
                    "--connect-timeout",
                    ClusterLimits.MIN_CONNECT_TIMEOUT_SECONDS,
                    ClusterLimits.MAX_CONNECT_TIMEOUT_SECONDS,
                    "How many seconds to wait for the other nodes at start")
            .withDefault((long) ClusterDefaults.CONNECT_TIMEOUT_SECONDS)
            .perNode();

    /** The size of a segment as log2 of bytes; default 20, 12..36. */
    public static final OptionSpec<Long> SEG_SIZE = OptionSpec.integer(
                    "--seg-size",
                    ClusterLimits.MIN_SEGMENT_SIZE_LOG2,
                    ClusterLimits.MAX_SEGMENT_SIZE_LOG2,
                    "The log2 of the size of each segment in bytes")
            .withDefault((long) ClusterDefaults.SEGMENT_SIZE_LOG2);

    /** Segments per Memory Node; default 2, 1..64. */
    public static final OptionSpec<Long> SEGS_PER_MN = OptionSpec.integer(
                    "--segs-per-mn",
                    1,
                    ClusterLimits.MAX_SEGMENTS_PER_NODE,
                    "The number of segments on each Memory Node")
            .withDefault((long) ClusterDefaults.SEGMENTS_PER_NODE);

    /** How the segment of a new object is picked; default {@code GLOBAL-RR}. */
    public static final OptionSpec<AllocationPolicy> ALLOC_POL = OptionSpec.choice(
                    "--alloc-pol", AllocationPolicy.class, "How Compute Threads pick the segment for a new object")
            .withDefault(ClusterDefaults.ALLOCATION_POLICY)
            .perNode();

    /** Compute Threads per Compute Node; required, 1..4096. */
    public static final OptionSpec<Long> CN_THREADS = OptionSpec.integer(
                    "--cn-threads",
                    1,
                    ClusterLimits.MAX_THREADS_PER_NODE,
                    "The number of Compute Threads on each Compute Node")
            .required();

    /** Lanes from each Compute Node to each Memory Node; default 2, 1..64. */
    public static final OptionSpec<Long> QP_LANES = OptionSpec.integer(
                    "--qp-lanes",
                    1,
                    ClusterLimits.MAX_LANES,
                    "The number of lanes from each Compute Node to each Memory Node")
            .withDefault((long) ClusterDefaults.LANES)
            .perNode();

    /** How a lane is picked; default {@code RAND}. */
    public static final OptionSpec<LanePolicy> QP_SCHED_POL = OptionSpec.choice(
                    "--qp-sched-pol", LanePolicy.class, "How Compute Threads pick the lane of an operation")
            .withDefault(ClusterDefaults.LANE_POLICY)
            .perNode();

    /** The size of each Compute Thread's registered buffer as log2 of bytes; default 20, 12..30. */
    public static final OptionSpec<Long> CN_THREAD_BUFSZ = OptionSpec.integer(
                    "--cn-thread-bufsz",
                    ClusterLimits.MIN_THREAD_BUFFER_LOG2,
                    ClusterLimits.MAX_THREAD_BUFFER_LOG2,
                    "The log2 of the most bytes that each Compute Thread's buffer may have")
            .withDefault((long) ClusterDefaults.THREAD_BUFFER_LOG2)
            .perNode();

    /** Operations that one Compute Thread may have outstanding; default 8, 1..1024. */
    public static final OptionSpec<Long> CN_OPS_PER_THREAD = OptionSpec.integer(
                    "--cn-ops-per-thread",
                    1,
                    ClusterLimits.MAX_OPS_PER_THREAD,
                    "The number of operations that a Compute Thread may have outstanding; a lane has room for 256 requests,"
                            + " and threads that find none wait")
            .withDefault((long) ClusterDefaults.OPS_PER_THREAD)
            .perNode();

    /** Records that each read cache of a Compute Thread may hold; default 65536, 0..1048576. */
    public static final OptionSpec<Long> CN_CACHE_RECORDS = OptionSpec.integer(
                    "--cn-cache-records",
                    0,
                    ClusterLimits.MAX_CACHE_RECORDS,
                    "The number of records that a structure with a read cache may keep in each Compute Thread;"
                            + " 0 for no caches")
            .withDefault((long) ClusterDefaults.CACHE_RECORDS)
            .perNode();

    /** What happens when a node is lost; default {@code abort}. */
    public static final OptionSpec<OnNodeLoss> ON_NODE_LOSS = OptionSpec.choice(
                    "--on-node-loss",
                    OnNodeLoss.class,
                    "When a node is lost: end everything with status 1, or only what waits for that node; a Memory Node then"
                            + " ends with 0 if other Compute Nodes finished, and none failed or never joined")
            .withDefault(ClusterDefaults.ON_NODE_LOSS);

    /** Whether every allocated block is watched for double frees; a flag. */
    public static final OptionSpec<Boolean> CHECK_MEMORY =
            OptionSpec.flag("--check-memory", "Report double frees of all threads and nodes, at some cost per block");

    /** The folder for results; default {@code results}. */
    public static final OptionSpec<Path> OUT = OptionSpec.path("--out", "The folder for results")
            .withDefault(Path.of("results"))
            .perNode();

    private static final List<OptionGroup> GROUPS = List.of(
            new OptionGroup(
                    "Cluster",
                    NODE_ID,
                    FIRST_MN_ID,
                    LAST_MN_ID,
                    FIRST_CN_ID,
                    LAST_CN_ID,
                    MN_PORT,
                    FABRIC,
                    CLUSTER,
                    HOSTS,
                    HOST_PATTERN,
                    CONNECT_TIMEOUT),
            new OptionGroup("Memory", SEG_SIZE, SEGS_PER_MN, ALLOC_POL),
            new OptionGroup(
                    "Lanes and threads",
                    CN_THREADS,
                    QP_LANES,
                    QP_SCHED_POL,
                    CN_THREAD_BUFSZ,
                    CN_OPS_PER_THREAD,
                    CN_CACHE_RECORDS),
            new OptionGroup("Behaviour", ON_NODE_LOSS, CHECK_MEMORY, OUT));

    private RemusOptions() {}

    /**
     * All options of the framework, for {@link OptionSet#include}.
     *
     * @return a new array; the groups in it are the same at every call
     */
    public static OptionGroup[] groups() {
        return GROUPS.toArray(new OptionGroup[0]);
    }

    /**
     * The configuration that all nodes of the cluster share. Options that are not {@linkplain OptionSpec#perNode per node}
     * must be the same on all of them.
     *
     * @param arguments of a program that includes {@link #groups}
     * @return a valid configuration
     * @throws UsageException when options contradict each other; it names the one to change
     */
    public static ClusterConfig clusterConfig(Arguments arguments) {
        if (arguments.isGiven(HOSTS) && arguments.isGiven(HOST_PATTERN)) {
            throw arguments.usageError(HOST_PATTERN, "to be left out when --hosts is given");
        }
        try {
            return ClusterConfig.builder()
                    .fabric(arguments.get(FABRIC))
                    .cluster(arguments.get(CLUSTER))
                    .hosts(arguments.get(HOSTS))
                    .hostPattern(arguments.get(HOST_PATTERN))
                    .memoryNodes(integer(arguments, FIRST_MN_ID), integer(arguments, LAST_MN_ID))
                    .computeNodes(integer(arguments, FIRST_CN_ID), integer(arguments, LAST_CN_ID))
                    .memoryPort(integer(arguments, MN_PORT))
                    .threadsPerNode(integer(arguments, CN_THREADS))
                    .segmentSizeLog2(integer(arguments, SEG_SIZE))
                    .segmentsPerNode(integer(arguments, SEGS_PER_MN))
                    .lanes(integer(arguments, QP_LANES))
                    .lanePolicy(arguments.get(QP_SCHED_POL))
                    .threadBufferLog2(integer(arguments, CN_THREAD_BUFSZ))
                    .allocationPolicy(arguments.get(ALLOC_POL))
                    .opsPerThread(integer(arguments, CN_OPS_PER_THREAD))
                    .cacheRecords(integer(arguments, CN_CACHE_RECORDS))
                    .onNodeLoss(arguments.get(ON_NODE_LOSS))
                    .checkMemory(arguments.get(CHECK_MEMORY))
                    .agreed(arguments.agreed(GROUPS))
                    .connectTimeout(Duration.ofSeconds(arguments.get(CONNECT_TIMEOUT)))
                    .build();
        } catch (InvalidConfigException e) {
            throw arguments.usageError(e.message(RemusOptions::optionName));
        }
    }

    /** The option that sets it. */
    private static String optionName(ClusterSetting setting) {
        OptionSpec<?> spec = switch (setting) {
            case FABRIC -> FABRIC;
            case CLUSTER -> CLUSTER;
            case HOST_PATTERN -> HOST_PATTERN;
            case HOSTS -> HOSTS;
            case FIRST_MEMORY_NODE -> FIRST_MN_ID;
            case LAST_MEMORY_NODE -> LAST_MN_ID;
            case FIRST_COMPUTE_NODE -> FIRST_CN_ID;
            case LAST_COMPUTE_NODE -> LAST_CN_ID;
            case MEMORY_PORT -> MN_PORT;
            case THREADS_PER_NODE -> CN_THREADS;
            case SEGMENT_SIZE_LOG2 -> SEG_SIZE;
            case SEGMENTS_PER_NODE -> SEGS_PER_MN;
            case LANES -> QP_LANES;
            case LANE_POLICY -> QP_SCHED_POL;
            case THREAD_BUFFER_LOG2 -> CN_THREAD_BUFSZ;
            case ALLOCATION_POLICY -> ALLOC_POL;
            case OPS_PER_THREAD -> CN_OPS_PER_THREAD;
            case CACHE_RECORDS -> CN_CACHE_RECORDS;
            case CONNECT_TIMEOUT -> CONNECT_TIMEOUT;
        };
        return spec.name();
    }

    /**
     * The id of this process.
     *
     * @param arguments of a program that includes {@link #groups}
     * @return the id of a node of the cluster
     * @throws UsageException when the id is in neither range, or the cluster itself is not valid
     */
    public static int nodeId(Arguments arguments) {
        ClusterConfig config = clusterConfig(arguments);
        int id = integer(arguments, NODE_ID);
        if (!config.isMemoryNode(id) && !config.isComputeNode(id)) {
            throw arguments.usageError(
                    NODE_ID,
                    "a Memory Node id from " + config.firstMemoryNode() + " to " + config.lastMemoryNode()
                            + " or a Compute Node id from " + config.firstComputeNode() + " to "
                            + config.lastComputeNode());
        }
        return id;
    }

    private static int integer(Arguments arguments, OptionSpec<Long> spec) {
        return Math.toIntExact(arguments.get(spec));
    }
}
