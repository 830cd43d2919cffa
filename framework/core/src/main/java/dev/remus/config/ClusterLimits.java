package dev.remus.config;

/**
 * The ranges of a {@link ClusterConfig}, both ends included. Declared once, so that what the command line's help text
 * promises is what {@link ClusterConfig.Builder#build()} accepts.
 */
public final class ClusterLimits {
    /** The largest node id: a remote pointer has 10 bits for it. */
    public static final int MAX_NODE_ID = 1023;

    /** The longest name of a cluster, in characters. */
    public static final int MAX_CLUSTER_NAME_LENGTH = 64;

    /** The smallest TCP port of a Memory Node. */
    public static final int MIN_PORT = 1;

    /** The largest TCP port of a Memory Node. */
    public static final int MAX_PORT = 65_535;

    /** The most Compute Threads of one Compute Node. */
    public static final int MAX_THREADS_PER_NODE = 4096;

    /** The most Compute Threads of a whole cluster. */
    public static final int MAX_TOTAL_THREADS = 1 << 20;

    /** The smallest segment, as log2 of bytes: one page. */
    public static final int MIN_SEGMENT_SIZE_LOG2 = 12;

    /** The largest segment, as log2 of bytes: its blocks of 64 bytes can be counted in 31 bits, with room to spare. */
    public static final int MAX_SEGMENT_SIZE_LOG2 = 36;

    /** The most segments of one Memory Node: a remote pointer has 6 bits for the segment. */
    public static final int MAX_SEGMENTS_PER_NODE = 64;

    /** The most lanes from one Compute Node to one Memory Node. */
    public static final int MAX_LANES = 64;

    /** The smallest registered buffer of a Compute Thread, as log2 of bytes. */
    public static final int MIN_THREAD_BUFFER_LOG2 = 12;

    /** The largest registered buffer of a Compute Thread, as log2 of bytes: a Java array or buffer must hold it. */
    public static final int MAX_THREAD_BUFFER_LOG2 = 30;

    /** The most operations that one Compute Thread may have outstanding. */
    public static final int MAX_OPS_PER_THREAD = 1024;

    /** The most records that a read cache may hold. */
    public static final int MAX_CACHE_RECORDS = 1 << 20;

    /** The shortest time to wait for the other nodes at start, in seconds. */
    public static final int MIN_CONNECT_TIMEOUT_SECONDS = 1;

    /** The longest time to wait for the other nodes at start, in seconds. */
    public static final int MAX_CONNECT_TIMEOUT_SECONDS = 3600;

    private ClusterLimits() {}
}
