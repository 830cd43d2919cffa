package dev.remus.memory;

import dev.remus.config.ClusterConfig;

/**
 * What lies where in a segment. All nodes of a cluster compute the same from their configuration, and compare it with
 * the header before they use it.
 *
 * <pre>
 *  0            64                              end
 * +------------+-------------------------------+--------------------+-----------------------------+
 * | header     | blocks, each 64-byte aligned  | block states       | shared free lists, cluster, |
 * |            |                               | (--check-memory)   | membership (segment 0 only) |
 * +------------+-------------------------------+--------------------+-----------------------------+
 * </pre>
 *
 * <ul>
 *   <li>Block states: a word for each 64 bytes of the segment, see {@link #blockState}.
 *   <li>Shared free lists: the heads of {@value #SHARED_LISTS} lists, see {@link #sharedList}.
 *   <li>Cluster: which nodes and threads there are, see {@link #cluster}.
 *   <li>Membership: a word for each Compute Node, written by the Memory Node's own processor, see {@link #membership}.
 * </ul>
 *
 * <p>Pointers past the end of the blocks are refused like pointers past the end of the segment, so that no structure can
 * damage what lies there.
 */
public final class SegmentLayout {
    /** Blocks are a multiple of this long and aligned to it. */
    public static final int BLOCK = 64;

    /** How many size classes (1, 2, ... blocks) have a shared free list. */
    public static final int SHARED_LISTS = 16;

    private final ClusterConfig config;

    /** Of the segments of a cluster. */
    public SegmentLayout(ClusterConfig config) {
        this.config = config;
    }

    /** Where the blocks of a segment end. */
    public long end(int segment) {
        return config.segmentBytes() - tableBytes(segment) - stateBytes();
    }

    private long stateBytes() {
        return config.checkMemory() ? config.segmentBytes() / BLOCK * Long.BYTES : 0;
    }

    private long tableBytes(int segment) {
        return segment == 0 ? blockBytes((long) Long.BYTES * (SHARED_LISTS + 1 + config.computeNodes())) : 0;
    }

    /** A size in bytes, rounded up to whole blocks. */
    public static long blockBytes(long bytes) {
        return (bytes + BLOCK - 1) & -BLOCK;
    }

    /** The pointer to the state word of the block that starts at a pointer; only with {@code --check-memory}. */
    public long blockState(long pointer) {
        long offset = RdmaPtr.offset(pointer);
        return pointer - offset + end(RdmaPtr.segment(pointer)) + offset / BLOCK * Long.BYTES;
    }

    /** The pointer to the head of a Memory Node's shared free list for blocks of {@code (list + 1) * 64} bytes. */
    public long sharedList(int memoryNode, int list) {
        return RdmaPtr.raw(memoryNode, 0, tables() + (long) list * Long.BYTES);
    }

    /** The pointer to the word in which a Memory Node says which cluster it was started for: {@link #clusterWord}. */
    public long cluster(int memoryNode) {
        return sharedList(memoryNode, SHARED_LISTS);
    }

    /**
     * What every node has to agree on, in one word: 10 bits each for the first and last Memory Node and the first and
     * last Compute Node, below them the threads of each Compute Node.
     */
    public static long clusterWord(ClusterConfig config) {
        return (long) config.firstMemoryNode() << 54
                | (long) config.lastMemoryNode() << 44
                | (long) config.firstComputeNode() << 34
                | (long) config.lastComputeNode() << 24
                | config.threadsPerNode();
    }

    /** A {@link #clusterWord} for people: its parts in that order. */
    public static String describeCluster(long word) {
        return (word >>> 54) + ", " + (word >>> 44 & RdmaPtr.MAX_NODE) + ", " + (word >>> 34 & RdmaPtr.MAX_NODE) + ", "
                + (word >>> 24 & RdmaPtr.MAX_NODE) + ", " + (word & 0xFF_FFFF);
    }

    /** The pointer to a Memory Node's membership word for a Compute Node. */
    public long membership(int memoryNode, int computeNode) {
        long word = SHARED_LISTS + 1L + computeNode - config.firstComputeNode();
        return RdmaPtr.raw(memoryNode, 0, tables() + word * Long.BYTES);
    }

    private long tables() {
        return config.segmentBytes() - tableBytes(0);
    }

    /** Whether a loss word that is not 0 names a node of the cluster. */
    public static boolean isLossWord(long word, ClusterConfig config) {
        long node = word - 1;
        return node >= config.lowestNode()
                && node <= config.highestNode()
                && (config.isMemoryNode((int) node) || config.isComputeNode((int) node));
    }

    /** What to say of a loss word that names no node. */
    public static String describeDamagedLoss(int memoryNode, long word) {
        return "the header of Memory Node " + memoryNode + " is damaged: its loss word is " + word
                + ", which stands for no node";
    }

    /** The pointer to a word of a segment's header. */
    public static long header(int memoryNode, int segment, int word) {
        return RdmaPtr.raw(memoryNode, segment, word);
    }
}
