// SPDX-License-Identifier: Apache-2.0
package dev.remus.config;

import static dev.remus.config.Agreement.COMPARED;
import static dev.remus.config.Agreement.COMPUTE_NODES;
import static dev.remus.config.Agreement.LAYOUT;
import static dev.remus.config.Agreement.NAMES_CLUSTER;
import static dev.remus.config.Agreement.OFFERED;
import static dev.remus.config.Agreement.PER_NODE;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The table of all settings of a cluster. It feeds the builder and the validation of {@link ClusterConfig}, the
 * command-line options, their help, the page {@code SETTINGS.md} and the comparison between nodes.
 *
 * <p>A new setting is one entry here and one method each in {@link ClusterConfig} and its builder. Names, ranges and
 * defaults are those of the original Remus where it has the setting, so that experiments compare. Its two lanes, drawn
 * at random for each operation, are the exception.
 */
public final class ClusterSettings {
    /** The largest node id: a remote pointer has 10 bits for it. */
    public static final int MAX_NODE_ID = 1023;

    /** The largest TCP port. */
    public static final int MAX_PORT = 65_535;

    /** The longest name of a cluster, in characters. */
    public static final int MAX_CLUSTER_NAME_LENGTH = 64;

    /** The most segments of one Memory Node: a remote pointer has 6 bits for the segment. */
    public static final int MAX_SEGMENTS_PER_NODE = 64;

    /** The value of {@link #LANES} that leaves the number to the node. */
    public static final int AUTOMATIC_LANES = 0;

    /** The most lanes from a Compute Node to a Memory Node. */
    public static final int MAX_LANES = 64;

    /** The {@link #EMULATED_LATENCY} of a fabric that emulates none. */
    public static final String NO_LATENCY = "none";

    /** The {@link #CLUSTER_SECRET} of a cluster whose nodes prove nothing to each other. */
    public static final String NO_SECRET = "none";

    /** The word for whatever device has an address of the host. */
    public static final String ANY_DEVICE = "any";

    /** The GID index that leaves the choice to the connection manager. */
    public static final int ANY_GID = -1;

    // A segment is at least a page. The blocks of the largest, of 64 bytes each, can be counted in 31 bits.
    private static final int MIN_SEGMENT_LOG2 = 12;
    private static final int MAX_SEGMENT_LOG2 = 36;

    // A Java array or buffer holds the largest.
    private static final int MIN_BUFFER_LOG2 = 12;
    private static final int MAX_BUFFER_LOG2 = 30;

    private static final List<Setting<?>> ALL = new ArrayList<>();
    private static final SettingGroup CLUSTER_GROUP = new SettingGroup("Cluster");
    private static final SettingGroup MEMORY_GROUP = new SettingGroup("Memory");
    private static final SettingGroup THREADS_GROUP = new SettingGroup("Lanes and threads");
    private static final SettingGroup RDMA_GROUP = new SettingGroup("RDMA connections");
    private static final SettingGroup BEHAVIOUR_GROUP = new SettingGroup("Behaviour");

    /** The lowest Memory Node id. */
    public static final Setting<Integer> FIRST_MEMORY_NODE = entry(
                    CLUSTER_GROUP, "--first-mn-id", "memoryNodes(first, ...)", nodeId(), LAYOUT)
            .required("The id of the first node that offers memory", null);

    /** The highest Memory Node id. */
    public static final Setting<Integer> LAST_MEMORY_NODE = entry(
                    CLUSTER_GROUP, "--last-mn-id", "memoryNodes(..., last)", nodeId(), LAYOUT)
            .required("The id of the last node that offers memory", null);

    /** The lowest Compute Node id. */
    public static final Setting<Integer> FIRST_COMPUTE_NODE = entry(
                    CLUSTER_GROUP, "--first-cn-id", "computeNodes(first, ...)", nodeId(), LAYOUT)
            .required("The id of the first node that runs Compute Threads", null);

    /** The highest Compute Node id. */
    public static final Setting<Integer> LAST_COMPUTE_NODE = entry(
                    CLUSTER_GROUP, "--last-cn-id", "computeNodes(..., last)", nodeId(), LAYOUT)
            .required("The id of the last node that runs Compute Threads", null);

    /** The TCP port of each Memory Node. */
    public static final Setting<Integer> MEMORY_PORT = entry(
                    CLUSTER_GROUP, "--mn-port", "memoryPort", ValueType.integer(1, MAX_PORT), NAMES_CLUSTER)
            .required("The TCP port on which each Memory Node listens for connections", 18_515);

    /** The fabric: by default shared memory on one machine, which needs no hardware. */
    public static final Setting<String> FABRIC = entry(
                    CLUSTER_GROUP,
                    "--fabric",
                    "fabric",
                    ValueType.text("name", Pattern.compile("\\S+"), "the name of a fabric, without spaces"),
                    NAMES_CLUSTER)
            .withDefault("The fabric, which carries the operations: shm on one machine, verbs between machines", "shm");

    /** The name of the cluster, part of file names: so it has no separators and is not hidden. */
    public static final Setting<String> CLUSTER = entry(
                    CLUSTER_GROUP,
                    "--cluster",
                    "cluster",
                    ValueType.text(
                            "name",
                            Pattern.compile("(?!\\.)[A-Za-z0-9._-]{1," + MAX_CLUSTER_NAME_LENGTH + "}"),
                            "1 to " + MAX_CLUSTER_NAME_LENGTH
                                    + " characters of A-Z a-z 0-9 . _ - that do not start with a dot"),
                    NAMES_CLUSTER)
            .withDefault(
                    "The name of the cluster, the same on all nodes; keeps clusters on one machine apart", "remus");

    /** The file by which a node proves that it belongs to the cluster. */
    public static final Setting<String> CLUSTER_SECRET = entry(
                    CLUSTER_GROUP,
                    "--cluster-secret",
                    "clusterSecret",
                    ValueType.text("file", Pattern.compile(".+"), "the name of a file, or none"),
                    PER_NODE)
            .withDefault(
                    "A file with the same secret on all nodes, mode 0600, of this user: on verbs, nodes prove to each"
                            + " other that they have it before memory is granted; none for no proof",
                    NO_SECRET);

    /** The host of each node. */
    public static final Setting<List<String>> HOSTS = entry(
                    CLUSTER_GROUP,
                    "--hosts",
                    "hosts",
                    ValueType.list(
                            "host",
                            Pattern.compile("[^\\s,]+"),
                            "host names separated by commas, none of them empty or with a space"),
                    PER_NODE)
            .withDefault(
                    "The host of each node, separated by commas, from the lowest node id to the highest", List.of());

    /** The pattern of host names: by default what CloudLab profiles call their machines. */
    public static final Setting<String> HOST_PATTERN = entry(
                    CLUSTER_GROUP,
                    "--host-pattern",
                    "hostPattern",
                    ValueType.text(
                            "pattern",
                            Pattern.compile("[^\\s%]*%d[^\\s%]*"),
                            "a host name with exactly one %d for the node id"),
                    PER_NODE)
            .withDefault("The host name of each node, with %d for its id; instead of --hosts", "node%d");

    /** How long a node waits for the others at start. */
    public static final Setting<Duration> CONNECT_TIMEOUT = entry(
                    CLUSTER_GROUP, "--connect-timeout", "connectTimeout", ValueType.seconds(1, 3600), PER_NODE)
            .withDefault("How many seconds to wait for the other nodes at start", Duration.ofSeconds(60));

    /** The size of each segment, as log2 of bytes. */
    public static final Setting<Integer> SEGMENT_SIZE_LOG2 = entry(
                    MEMORY_GROUP,
                    "--seg-size",
                    "segmentSizeLog2",
                    ValueType.integer(MIN_SEGMENT_LOG2, MAX_SEGMENT_LOG2),
                    OFFERED)
            .withDefault("The log2 of the size of each segment in bytes", 20);

    /** The number of segments of each Memory Node. */
    public static final Setting<Integer> SEGMENTS_PER_NODE = entry(
                    MEMORY_GROUP,
                    "--segs-per-mn",
                    "segmentsPerNode",
                    ValueType.integer(1, MAX_SEGMENTS_PER_NODE),
                    OFFERED)
            .withDefault("The number of segments on each Memory Node", 2);

    /** How the segment of a new object is picked. */
    public static final Setting<AllocationPolicy> ALLOCATION_POLICY = entry(
                    MEMORY_GROUP, "--alloc-pol", "allocationPolicy", ValueType.choice(AllocationPolicy.class), PER_NODE)
            .withDefault("How Compute Threads pick the segment for a new object", AllocationPolicy.GLOBAL_RR);

    /** How long an allocation waits for retired blocks. */
    public static final Setting<Duration> ALLOCATION_WAIT = entry(
                    MEMORY_GROUP, "--alloc-wait", "allocationWait", ValueType.seconds(0, 3600), PER_NODE)
            .withDefault(
                    "With --reclaim epochs: how many seconds a Compute Thread waits for retired blocks when memory is"
                            + " full",
                    Duration.ofSeconds(10));

    /** The number of Compute Threads of each Compute Node. */
    public static final Setting<Integer> THREADS_PER_NODE = entry(
                    THREADS_GROUP, "--cn-threads", "threadsPerNode", ValueType.integer(1, 4096), LAYOUT)
            .required("The number of Compute Threads on each Compute Node", 1);

    /** The threads that run the Compute Threads. */
    public static final Setting<ThreadKind> THREAD_KIND = entry(
                    THREADS_GROUP, "--cn-thread-kind", "threadKind", ValueType.choice(ThreadKind.class), PER_NODE)
            .withDefault(
                    "The threads that run the Compute Threads of a node; virtual, from Java 21 on: while one waits, others"
                            + " use its processor",
                    ThreadKind.PLATFORM);

    /** The number of processors that virtual Compute Threads may use. */
    public static final Setting<Integer> CORES = entry(
                    THREADS_GROUP, "--cn-cores", "cores", ValueType.integer(0, 1024), PER_NODE)
            .withDefault(
                    "The number of processors that the virtual Compute Threads of a process use at once; 0 for all of"
                            + " the machine",
                    0);

    /** The number of lanes from each Compute Node to each Memory Node. */
    public static final Setting<Integer> LANES = entry(
                    THREADS_GROUP, "--qp-lanes", "lanes", ValueType.integer(AUTOMATIC_LANES, MAX_LANES), PER_NODE)
            .withDefault(
                    "The number of lanes from each Compute Node to each Memory Node; 0 for one for each Compute Thread,"
                            + " at most two for each processor",
                    AUTOMATIC_LANES);

    /** How the lane of an operation is picked. */
    public static final Setting<LanePolicy> LANE_POLICY = entry(
                    THREADS_GROUP, "--qp-sched-pol", "lanePolicy", ValueType.choice(LanePolicy.class), PER_NODE)
            .withDefault(
                    "How Compute Threads pick the lane of an operation; with MOD and ONE_TO_ONE, each keeps to one lane",
                    LanePolicy.MOD);

    /** The largest size of each Compute Thread's registered buffer, as log2 of bytes. */
    public static final Setting<Integer> THREAD_BUFFER_LOG2 = entry(
                    THREADS_GROUP,
                    "--cn-thread-bufsz",
                    "threadBufferLog2",
                    ValueType.integer(MIN_BUFFER_LOG2, MAX_BUFFER_LOG2),
                    PER_NODE)
            .withDefault("The log2 of the largest size of each Compute Thread's buffer in bytes", 20);

    /** The number of operations that a Compute Thread may have outstanding. */
    public static final Setting<Integer> OPS_PER_THREAD = entry(
                    THREADS_GROUP, "--cn-ops-per-thread", "opsPerThread", ValueType.integer(1, 1024), PER_NODE)
            .withDefault(
                    "The number of operations that a Compute Thread may have outstanding; a lane has room for 256"
                            + " requests, and a thread waits while it is full",
                    8);

    /** The number of records that each read cache of a Compute Thread may hold. */
    public static final Setting<Integer> CACHE_RECORDS = entry(
                    THREADS_GROUP, "--cn-cache-records", "cacheRecords", ValueType.integer(0, 1 << 20), PER_NODE)
            .withDefault(
                    "The number of records that a structure with a read cache may keep for each Compute Thread; a cache"
                            + " that the threads of a node share may keep as many as for all of them; 0 for no caches",
                    65_536);

    /** The time after which a card sends a packet again, as an exponent of InfiniBand. */
    public static final Setting<Integer> ACK_TIMEOUT = entry(
                    RDMA_GROUP, "--ack-timeout", "ackTimeout", ValueType.integer(0, 31), PER_NODE)
            .withDefault(
                    "On verbs: a card waits for an acknowledgement for 4.096 µs times 2 to the power of this, and then sends"
                            + " the packet again; 0 for the choice of the connection manager, about 2 s. A value of 14"
                            + " (67 ms) suits cards in one network; a lower one gives up in a short congestion",
                    0);

    /** How often a card sends a packet again. */
    public static final Setting<Integer> RETRY_COUNT = entry(
                    RDMA_GROUP, "--retry-count", "retryCount", ValueType.integer(0, 7), PER_NODE)
            .withDefault(
                    "On verbs: the number of times that a card sends a packet again before its lane breaks; Soft-RoCE"
                            + " (Linux 6.1) never gives up with 7",
                    6);

    /** How often a card sends a message again to a receiver that is not ready. */
    public static final Setting<Integer> RNR_RETRY_COUNT = entry(
                    RDMA_GROUP, "--rnr-retry-count", "rnrRetryCount", ValueType.integer(0, 7), PER_NODE)
            .withDefault(
                    "On verbs: the same for a message whose receiver has no room yet, which only happens while nodes"
                            + " connect; 7 for no limit",
                    7);

    /** The class of service of packets. */
    public static final Setting<Integer> TRAFFIC_CLASS = entry(
                    RDMA_GROUP, "--traffic-class", "trafficClass", ValueType.integer(0, 255), PER_NODE)
            .withDefault(
                    "On verbs: the traffic class of packets, 4 times the DSCP on RoCE v2, by which switches choose the"
                            + " lossless queue; 0 for the default of the network",
                    0);

    /** The RDMA device of a node. */
    public static final Setting<String> DEVICE = entry(
                    RDMA_GROUP,
                    "--device",
                    "device",
                    ValueType.text(
                            "device",
                            Pattern.compile("[^\\s:]+(:[1-9]\\d{0,2})?"),
                            "the name of an RDMA device, or of a port as in mlx5_0:2"),
                    PER_NODE)
            .withDefault(
                    "On verbs: the RDMA device of this node, such as mlx5_0, or its port, as in mlx5_0:2. The node uses"
                            + " the first address of its host that belongs there; any: the first that belongs to one",
                    ANY_DEVICE);

    /** The entry of a port's table of GIDs. */
    public static final Setting<Integer> GID_INDEX = entry(
                    RDMA_GROUP, "--gid-index", "gidIndex", ValueType.integer(ANY_GID, 1023), PER_NODE)
            .withDefault(
                    "On verbs: the entry of the port's table of GIDs that this node must use. On RoCE an entry is an"
                            + " address and a version; the address is chosen by it, and a connection by another version"
                            + " is refused with advice; -1 for the choice of the connection manager",
                    ANY_GID);

    /** The latency that the fabric shm emulates. */
    public static final Setting<String> EMULATED_LATENCY = entry(
                    BEHAVIOUR_GROUP,
                    "--latency",
                    "emulatedLatency",
                    ValueType.text(
                            "hardware",
                            Pattern.compile("\\S+"),
                            "the name or file of some hardware, or a number of microseconds"),
                    COMPUTE_NODES)
            .withDefault(
                    "On shm: operations take no less time than on this hardware (infiniband-fdr, mpi-on-infiniband,"
                            + " soft-roce, or a file of that format), or than so many microseconds; none to emulate"
                            + " nothing. A node does not see the requests of others, so where nodes compete for a card"
                            + " or a word, operations may take less time than on the hardware",
                    NO_LATENCY);

    /** The reaction of the other nodes to the loss of a node. */
    public static final Setting<OnNodeLoss> ON_NODE_LOSS = entry(
                    BEHAVIOUR_GROUP, "--on-node-loss", "onNodeLoss", ValueType.choice(OnNodeLoss.class), COMPARED)
            .withDefault(
                    "abort: the loss of a node ends all nodes with status 1; continue: only waits for that"
                            + " node end; the others pass barriers without it and take over its locks, and a Memory Node"
                            + " ends with 0 if another Compute Node finished and none failed or never joined",
                    OnNodeLoss.ABORT);

    /** How often a Compute Node may come back. A word has 4 bits for the number of its lives. */
    public static final Setting<Integer> RETURNS = entry(
                    BEHAVIOUR_GROUP, "--returns", "returns", ValueType.integer(0, 15), OFFERED)
            .withDefault(
                    "With --on-node-loss continue: how often each Compute Node may come back after it was lost or has"
                            + " left, or come after --connect-timeout; each time, all threads get new ids and words of"
                            + " their own",
                    0);

    /** How retired blocks become free again. With epochs, the first Memory Node has a word for each Compute Thread. */
    public static final Setting<Reclamation> RECLAIM = entry(
                    BEHAVIOUR_GROUP, "--reclaim", "reclaim", ValueType.choice(Reclamation.class), LAYOUT)
            .withDefault(
                    "epochs: retired blocks become free by themselves, once every Compute Thread has passed a quiescent"
                            + " state; barrier: when a thread calls reclaimDeferred, for instance after a barrier",
                    Reclamation.EPOCHS);

    /** How long a node may be unreachable before it is lost. */
    public static final Setting<Duration> LOSS_TIMEOUT = entry(
                    BEHAVIOUR_GROUP, "--loss-timeout", "lossTimeout", ValueType.seconds(1, 120), COMPARED)
            .withDefault(
                    "How many seconds a node may be unreachable before it is lost; operations wait meanwhile. A node"
                            + " whose process has ended is lost at once",
                    Duration.ofSeconds(10));

    /** How long a Compute Node may be silent before a Memory Node ends its process. */
    public static final Setting<Duration> KILL_SILENT = entry(
                    BEHAVIOUR_GROUP, "--kill-silent", "killSilent", ValueType.seconds(0, 3600), PER_NODE)
            .withDefault(
                    "On shm: for how many seconds, at least 3, a Compute Node may show no heartbeat before a Memory Node of"
                            + " the same user kills its process, so that it is lost and the others go on; 0 to wait for"
                            + " a stopped process",
                    Duration.ZERO);

    /** Whether every block is watched for double frees, use after a free, and WRITEs to words that atomics use. */
    public static final Setting<Boolean> CHECK_MEMORY = entry(
                    BEHAVIOUR_GROUP, "--check-memory", "checkMemory", ValueType.flag(), LAYOUT)
            .withDefault(
                    "Report double frees, accesses to free blocks, with who freed them and when, and WRITEs to words on which"
                            + " atomics were executed, by any thread of any node. Each access then needs another READ,"
                            + " and the checks use a quarter of each segment",
                    false);

    private ClusterSettings() {}

    /** All settings, in the order of the table; unmodifiable. */
    public static List<Setting<?>> all() {
        return Collections.unmodifiableList(ALL);
    }

    /** All settings by group, in the order of the table. */
    public static List<SettingGroup> groups() {
        return List.of(CLUSTER_GROUP, MEMORY_GROUP, THREADS_GROUP, RDMA_GROUP, BEHAVIOUR_GROUP);
    }

    private static ValueType<Integer> nodeId() {
        return ValueType.integer(0, MAX_NODE_ID);
    }

    private static <T> Entry<T> entry(
            SettingGroup group, String option, String builderName, ValueType<T> type, Agreement agreement) {
        return new Entry<>(group, option, builderName, type, agreement);
    }

    /** What each entry of the table has; its help and its default complete it. */
    private record Entry<T>(
            SettingGroup group, String option, String builderName, ValueType<T> type, Agreement agreement) {
        /** On the command line, the option is required; the builder may have a default. */
        Setting<T> required(String help, @Nullable T builderDefault) {
            return add(help, builderDefault, true);
        }

        Setting<T> withDefault(String help, T value) {
            return add(help, value, false);
        }

        private Setting<T> add(String help, @Nullable T value, boolean required) {
            Setting<T> setting = new Setting<>(ALL.size(), option, builderName, type, agreement, help, value, required);
            ALL.add(setting);
            group.add(setting);
            return setting;
        }
    }
}
