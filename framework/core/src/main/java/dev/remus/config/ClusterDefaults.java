package dev.remus.config;

/**
 * What a {@link ClusterConfig} holds when nothing else was asked for. The values are those of the original Remus where
 * it has them, so that experiments compare.
 */
public final class ClusterDefaults {
    /** The fabric: shared memory on one machine, which needs no hardware. */
    public static final String FABRIC = "shm";

    /** The name of the cluster. */
    public static final String CLUSTER = "remus";

    /** The host name of a node, with {@code %d} for its id: what CloudLab profiles call their machines. */
    public static final String HOST_PATTERN = "node%d";

    /** The TCP port on which Memory Nodes listen. The command line has no default for it, a program may. */
    public static final int MEMORY_PORT = 18_515;

    /** Compute Threads per Compute Node. The command line has no default for it, a program may. */
    public static final int THREADS_PER_NODE = 1;

    /** The size of a segment as log2 of bytes: 1 MiB. */
    public static final int SEGMENT_SIZE_LOG2 = 20;

    /** Segments per Memory Node. */
    public static final int SEGMENTS_PER_NODE = 2;

    /** Lanes from a Compute Node to each Memory Node. */
    public static final int LANES = 2;

    /** How a lane is picked. */
    public static final LanePolicy LANE_POLICY = LanePolicy.RAND;

    /** The size of a Compute Thread's registered buffer as log2 of bytes: 1 MiB. */
    public static final int THREAD_BUFFER_LOG2 = 20;

    /** How the segment of a new object is picked. */
    public static final AllocationPolicy ALLOCATION_POLICY = AllocationPolicy.GLOBAL_RR;

    /** Operations that one Compute Thread may have outstanding. */
    public static final int OPS_PER_THREAD = 8;

    /** Records that a read cache may hold. */
    public static final int CACHE_RECORDS = 65_536;

    /** What happens when a node is lost. */
    public static final OnNodeLoss ON_NODE_LOSS = OnNodeLoss.ABORT;

    /** How long a node waits for the others at start, in seconds. */
    public static final int CONNECT_TIMEOUT_SECONDS = 60;

    private ClusterDefaults() {}
}
