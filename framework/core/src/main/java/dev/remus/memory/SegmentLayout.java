package dev.remus.memory;

import dev.remus.config.ClusterConfig;

/**
 * What lies where in a segment. All nodes of a cluster compute the same from their configuration, and compare it with
 * the header before they use it.
 *
 * <pre>
 *  0            64                              end
 * +------------+-------------------------------+--------------------+-----------------------------+
 * | header     | blocks, each 64-byte aligned  | block states       | tables (segment 0 only)     |
 * |            |                               | (--check-memory)   |                             |
 * +------------+-------------------------------+--------------------+-----------------------------+
 * </pre>
 *
 * <ul>
 *   <li>Block states: a word for each 64 bytes of the segment, see {@link #blockState}.
 * </ul>
 *
 * <p>The tables, in this order; the last ones are at the same place whatever nodes there are:
 *
 * <ul>
 *   <li>For each Compute Node:
 *       <ul>
 *         <li>membership, written by the Memory Node's own processor, see {@link #membership};
 *         <li>its sign of life, see {@link #signOfLife(int, int)};
 *         <li>{@value #REASON_WORDS} words of text: why it has failed, see {@link #reason}.
 *       </ul>
 *   <li>Shared free lists: the heads of {@value #SHARED_LISTS} lists, see {@link #sharedList}.
 *   <li>Cluster: the settings on which all nodes must agree, see {@link #cluster}.
 *   <li>Agreement: {@value #AGREED_WORDS} words by which Compute Nodes compare their options, see {@link #agreed}.
 *   <li>Sign of life of the Memory Node, see {@link #signOfLife(int)}.
 * </ul>
 *
 * <p>Pointers past the end of the blocks are refused like pointers past the end of the segment, so that no structure
 * can damage what lies there.
 */
public final class SegmentLayout {
    /** Blocks are a multiple of this long and aligned to it. */
    public static final int BLOCK = 64;

    /** How many size classes (1, 2, ... blocks) have a shared free list. */
    public static final int SHARED_LISTS = 16;

    /** How many words compare the options that all Compute Nodes must agree on. */
    public static final int AGREED_WORDS = 16;

    /** How many words there are for the reason of a Compute Node's failure. */
    public static final int REASON_WORDS = 16;

    private static final int CLUSTER_WORD = SHARED_LISTS;
    private static final int FIRST_AGREED_WORD = CLUSTER_WORD + 1;
    private static final int OWN_SIGN_OF_LIFE = FIRST_AGREED_WORD + AGREED_WORDS;
    private static final int FIXED_WORDS = OWN_SIGN_OF_LIFE + 1;
    private static final int WORDS_PER_COMPUTE_NODE = 2 + REASON_WORDS;

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
        long words = FIXED_WORDS + (long) WORDS_PER_COMPUTE_NODE * config.computeNodes();
        return segment == 0 ? blockBytes(Long.BYTES * words) : 0;
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
        return table(memoryNode, list);
    }

    private long table(int memoryNode, int word) {
        return RdmaPtr.raw(memoryNode, 0, config.segmentBytes() - (long) (FIXED_WORDS - word) * Long.BYTES);
    }

    /** The pointer to the word that holds the settings with which a Memory Node was started: a {@link ClusterWord}. */
    public long cluster(int memoryNode) {
        return table(memoryNode, CLUSTER_WORD);
    }

    /** The pointer to a Memory Node's membership word for a Compute Node. */
    public long membership(int memoryNode, int computeNode) {
        return ofComputeNode(memoryNode, computeNode, 0);
    }

    private long ofComputeNode(int memoryNode, int computeNode, int word) {
        long words = (long) WORDS_PER_COMPUTE_NODE * (computeNode - config.firstComputeNode()) + word;
        return RdmaPtr.raw(memoryNode, 0, config.segmentBytes() - tableBytes(0) + words * Long.BYTES);
    }

    /**
     * The pointer to a word by which Compute Nodes compare their options, on the first Memory Node; 0 until one has.
     */
    public long agreed(int word) {
        return table(config.firstMemoryNode(), FIRST_AGREED_WORD + word);
    }

    /** The pointer to the word in which a Memory Node counts the seconds of its life. */
    public long signOfLife(int memoryNode) {
        return table(memoryNode, OWN_SIGN_OF_LIFE);
    }

    /** The pointer to the word, on a Memory Node, in which a Compute Node counts the seconds of its life. */
    public long signOfLife(int memoryNode, int computeNode) {
        return ofComputeNode(memoryNode, computeNode, 1);
    }

    /**
     * The pointer to a word, on a Memory Node, of the text by which a Compute Node explains its failure.
     *
     * @param word from 0; the text is complete when the first is not 0
     */
    public long reason(int memoryNode, int computeNode, int word) {
        return ofComputeNode(memoryNode, computeNode, 2 + word);
    }

    /** The pointer to a word of a segment's header. */
    public static long header(int memoryNode, int segment, int word) {
        return RdmaPtr.raw(memoryNode, segment, word);
    }
}
