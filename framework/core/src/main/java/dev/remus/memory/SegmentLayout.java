// SPDX-License-Identifier: Apache-2.0
package dev.remus.memory;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;

/**
 * The layout of a segment. All nodes of a cluster compute it from their configuration, and compare it with the header
 * before they use it.
 *
 * <pre>
 *  0            64                              end
 * +------------+-------------------------------+--------------------+-----------------------------+
 * | header     | blocks, each 64-byte aligned  | shadow             | tables (segment 0 only)     |
 * |            |                               | (--check-memory)   |                             |
 * +------------+-------------------------------+--------------------+-----------------------------+
 * </pre>
 *
 * <ul>
 *   <li>Shadow: two words for each 64 bytes of the segment, see {@link #blockState} and {@link #blockUse}.
 * </ul>
 *
 * <p>The tables, in this order. The last ones are at the same place whatever nodes there are:
 *
 * <ul>
 *   <li>With {@code --reclaim epochs}: the epoch and a word for each Compute Thread, see {@link #epoch}.
 *   <li>For {@code --on-node-loss continue}: the barrier of all threads, see {@link #barrier}.
 *   <li>For each Compute Node:
 *       <ul>
 *         <li>membership, written by the Memory Node's own processor, see {@link #membership};
 *         <li>its heartbeat, see {@link #heartbeat(int, int)};
 *         <li>its incarnation, written by the Memory Node's own processor, see {@link #incarnation};
 *         <li>a request to cut it off, see {@link #fence};
 *         <li>its claim to be let in, see {@link #claim};
 *         <li>{@value #REASON_WORDS} words of text: the reason of its failure, see {@link #reason}.
 *       </ul>
 *   <li>Returns: how often each Compute Node may come back, see {@link #returns}.
 *   <li>Names: where the list of named roots begins, see {@link #names}.
 *   <li>Shared free lists: the heads of {@value #SHARED_LISTS} lists, see {@link #sharedList}.
 *   <li>Cluster: the settings on which all nodes must agree, see {@link #cluster}.
 *   <li>Agreement: {@value #AGREED_WORDS} words by which Compute Nodes compare their options, see {@link #agreed}.
 *   <li>Heartbeat of the Memory Node, see {@link #heartbeat(int)}.
 * </ul>
 *
 * <p>Pointers past the end of the blocks are refused like pointers past the end of the segment, so no structure can
 * damage the tables.
 */
public final class SegmentLayout {
    /** The size and alignment of the smallest block. Every block is a multiple of it. */
    public static final int BLOCK = 64;

    /** The number of size classes (1, 2, ... blocks) with a shared free list. */
    public static final int SHARED_LISTS = 16;

    /** The number of words that compare the options on which all Compute Nodes must agree. */
    public static final int AGREED_WORDS = 15;

    /** The number of words for the reason of a Compute Node's failure. */
    public static final int REASON_WORDS = 15;

    /** The bytes of the shadow of {@value #BLOCK} bytes: their state word and their use word. */
    public static final int SHADOW_BYTES = 2 * Long.BYTES;

    private static final int RETURNS_WORD = 0;
    private static final int NAMES_WORD = RETURNS_WORD + 1;
    private static final int FIRST_LIST_WORD = NAMES_WORD + 1;
    private static final int CLUSTER_WORD = FIRST_LIST_WORD + SHARED_LISTS;
    private static final int FIRST_AGREED_WORD = CLUSTER_WORD + 1;
    private static final int OWN_HEARTBEAT = FIRST_AGREED_WORD + AGREED_WORDS;
    private static final int FIXED_WORDS = OWN_HEARTBEAT + 1;
    private static final int WORDS_BEFORE_REASON = 5;
    private static final int WORDS_PER_COMPUTE_NODE = WORDS_BEFORE_REASON + REASON_WORDS;

    private final ClusterConfig config;

    /** The layout of a cluster's segments. */
    public SegmentLayout(ClusterConfig config) {
        this.config = config;
    }

    /** The offset at which the blocks of a segment end. */
    public long end(int segment) {
        return config.segmentBytes() - tableBytes(segment) - shadowBytes();
    }

    private long shadowBytes() {
        return config.checkMemory() ? config.segmentBytes() / BLOCK * SHADOW_BYTES : 0;
    }

    private long tableBytes(int segment) {
        long words =
                FIXED_WORDS + (long) WORDS_PER_COMPUTE_NODE * config.computeNodes() + epochWords() + barrierWords();
        return segment == 0 ? blockBytes(Long.BYTES * words) : 0;
    }

    private long epochWords() {
        return config.reclaim() == Reclamation.EPOCHS ? 1L + config.threadIds() : 0;
    }

    private long barrierWords() {
        return 1L + config.threadIds(); // whatever the policy, so that nodes can report that theirs differ
    }

    /**
     * The pointer to the epoch, on the first Memory Node. The announcements of all Compute Threads follow it, by {@code
     * ComputeThread.id()}; only with {@code --reclaim epochs}.
     *
     * <pre>
     *  0         8                16                        8 (1 + threads)
     * +---------+----------------+----------------+--------+
     * | epoch   | announcement   | announcement   | ...    |
     * |         | of thread 0    | of thread 1    |        |
     * +---------+----------------+----------------+--------+
     * </pre>
     */
    public long epoch() {
        return tables(config.firstMemoryNode(), 0);
    }

    /**
     * The pointer to the generation of the barrier of all threads, on the first Memory Node. The arrivals of all
     * Compute Threads follow it, by {@code ComputeThread.id()}. It is used with {@code --on-node-loss continue}.
     *
     * <pre>
     *  0            8                16                        8 (1 + threads)
     * +------------+----------------+----------------+--------+
     * | generation | arrivals       | arrivals       | ...    |
     * |            | of thread 0    | of thread 1    |        |
     * +------------+----------------+----------------+--------+
     * </pre>
     */
    public long barrier() {
        return tables(config.firstMemoryNode(), epochWords());
    }

    /** The pointer to a word of the tables, counted from their beginning. */
    private long tables(int memoryNode, long word) {
        return RdmaPtr.raw(memoryNode, 0, config.segmentBytes() - tableBytes(0) + word * Long.BYTES);
    }

    /** Rounds a size in bytes up to whole blocks. */
    public static long blockBytes(long bytes) {
        return (bytes + BLOCK - 1) & -BLOCK;
    }

    /**
     * The pointer to the state word of the 64 bytes at a pointer; only with {@code --check-memory}. The shadow of the
     * next 64 bytes follows that of these.
     *
     * <pre>
     *  0            8           16
     * +------------+-----------+--------
     * | state word | use word  | ...
     * +------------+-----------+--------
     * </pre>
     */
    public long blockState(long pointer) {
        long offset = RdmaPtr.offset(pointer);
        return pointer - offset + end(RdmaPtr.segment(pointer)) + offset / BLOCK * SHADOW_BYTES;
    }

    /** The pointer to the use word of the 64 bytes at a pointer; only with {@code --check-memory}. */
    public long blockUse(long pointer) {
        return blockState(pointer) + Long.BYTES;
    }

    /** The pointer to the number of times that each Compute Node may come back, by which nodes compare it. */
    public long returns(int memoryNode) {
        return table(memoryNode, RETURNS_WORD);
    }

    /**
     * The pointer to the pointer to the first block of the list of named roots, on the first Memory Node. It is 0 until
     * there is one.
     */
    public long names() {
        return table(config.firstMemoryNode(), NAMES_WORD);
    }

    /** The pointer to the head of a Memory Node's shared free list for blocks of {@code (list + 1) * 64} bytes. */
    public long sharedList(int memoryNode, int list) {
        return table(memoryNode, FIRST_LIST_WORD + list);
    }

    private long table(int memoryNode, int word) {
        return RdmaPtr.raw(memoryNode, 0, config.segmentBytes() - (long) (FIXED_WORDS - word) * Long.BYTES);
    }

    /** The pointer to the {@link ClusterWord} of a Memory Node. */
    public long cluster(int memoryNode) {
        return table(memoryNode, CLUSTER_WORD);
    }

    /** The pointer to a Memory Node's membership word for a Compute Node. */
    public long membership(int memoryNode, int computeNode) {
        return ofComputeNode(memoryNode, computeNode, 0);
    }

    private long ofComputeNode(int memoryNode, int computeNode, int word) {
        long before = epochWords() + barrierWords();
        return tables(
                memoryNode, before + (long) WORDS_PER_COMPUTE_NODE * (computeNode - config.firstComputeNode()) + word);
    }

    /**
     * The pointer to a word by which Compute Nodes compare their options, on the first Memory Node. It is 0 until one
     * has.
     */
    public long agreed(int word) {
        return table(config.firstMemoryNode(), FIRST_AGREED_WORD + word);
    }

    /** The pointer to a Memory Node's heartbeat, the seconds since its start. */
    public long heartbeat(int memoryNode) {
        return table(memoryNode, OWN_HEARTBEAT);
    }

    /** The pointer to a Compute Node's heartbeat on a Memory Node, the seconds since its start. */
    public long heartbeat(int memoryNode, int computeNode) {
        return ofComputeNode(memoryNode, computeNode, 1);
    }

    /**
     * The pointer to the incarnation of a Compute Node, as a Memory Node knows it, and how often the node had come back
     * by then. The incarnation differs from one start of the node to the next. It is 0 until the node has joined there.
     */
    public long incarnation(int memoryNode, int computeNode) {
        return ofComputeNode(memoryNode, computeNode, 2);
    }

    /**
     * The pointer to the word by which Compute Nodes ask a Memory Node to cut off a Compute Node that is lost. It is 0
     * until one has.
     */
    public long fence(int memoryNode, int computeNode) {
        return ofComputeNode(memoryNode, computeNode, 3);
    }

    /**
     * The pointer to the word by which a Compute Node asks a Memory Node to let it in with a certain life. It is 0
     * until it has; only with {@code --returns}.
     */
    public long claim(int memoryNode, int computeNode) {
        return ofComputeNode(memoryNode, computeNode, 4);
    }

    /**
     * The pointer to a word, on a Memory Node, of the text that explains a Compute Node's failure.
     *
     * @param word the word's number, from 0; the text is complete when word 0 is not 0
     */
    public long reason(int memoryNode, int computeNode, int word) {
        return ofComputeNode(memoryNode, computeNode, WORDS_BEFORE_REASON + word);
    }

    /** The pointer to a word of a segment's header. */
    public static long header(int memoryNode, int segment, int word) {
        return RdmaPtr.raw(memoryNode, segment, word);
    }
}
