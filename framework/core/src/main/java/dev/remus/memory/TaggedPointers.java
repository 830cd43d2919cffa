// SPDX-License-Identifier: Apache-2.0
package dev.remus.memory;

import dev.remus.config.ClusterConfig;

/**
 * The tagged pointers of a cluster: words that hold a pointer to a block, and a tag that counts the changes of the
 * place at which the word is. Java calls the same a stamped reference ({@link
 * java.util.concurrent.atomic.AtomicStampedReference}).
 *
 * <p>A {@link RdmaPtr} uses all 64 bits. A tagged pointer leaves out those that are 0 in each pointer to a block of
 * this cluster: a block is 64-byte aligned, and {@link ClusterConfig} bounds node, segment and offset. The tag has the
 * bits that remain.
 *
 * <pre>
 *  63                     p p-1                                      0
 * +------------------------+--------------+-----------+---------------+
 * | tag                    | Memory Node  | segment   | offset / 64   |
 * | (64 - p bits)          | (0 to 10)    | (0 to 6)  | (6 to 30)     |
 * +------------------------+--------------+-----------+---------------+
 * </pre>
 *
 * <table>
 *   <caption>Bits of the tag, and the time in which a million changes a second use them up</caption>
 *   <tr><th>Memory Nodes 0 to</th><th>segments of each</th><th>bytes of a segment</th><th>bits</th><th>time</th></tr>
 *   <tr><td>0</td><td>2</td><td>2^20 (the default)</td><td>49</td><td>18 years</td></tr>
 *   <tr><td>3</td><td>2</td><td>2^30</td><td>37</td><td>38 hours</td></tr>
 *   <tr><td>63</td><td>8</td><td>2^32</td><td>29</td><td>9 minutes</td></tr>
 *   <tr><td>1023</td><td>64</td><td>2^36 (the most)</td><td>18</td><td>0.26 seconds</td></tr>
 * </table>
 *
 * <p>After its largest value the tag is 0 again. A thread then mistakes a word for an older one only if the number of
 * changes in between is a multiple of the number of tags, and the pointer is the same too.
 */
public final class TaggedPointers {
    private static final int BLOCK_BITS = Long.numberOfTrailingZeros(SegmentLayout.BLOCK);

    private final int segmentShift;
    private final int nodeShift;
    private final int tagShift;
    private final int lastNode;
    private final int lastSegment;

    /** The tagged pointers of a cluster. All its nodes compute the same. */
    public TaggedPointers(ClusterConfig config) {
        lastNode = config.lastMemoryNode();
        lastSegment = config.segmentsPerNode() - 1;
        segmentShift = bits(config.segmentBytes() - 1) - BLOCK_BITS;
        nodeShift = segmentShift + bits(lastSegment);
        tagShift = nodeShift + bits(lastNode);
    }

    private static int bits(long largest) {
        return Long.SIZE - Long.numberOfLeadingZeros(largest);
    }

    /** The number of bits of a tag, 18 at least. */
    public int tagBits() {
        return Long.SIZE - tagShift;
    }

    /**
     * The word for a pointer and the lowest bits of a tag.
     *
     * @param pointer the raw pointer to a block, or null
     * @throws InvalidPointerException if it is not the pointer to a block of this cluster, or is marked
     */
    public long word(long pointer, long tag) {
        if (!isBlock(pointer)) {
            throw new InvalidPointerException(
                    pointer,
                    "no tagged pointer to (" + RdmaPtr.toString(pointer) + "): needs an unmarked pointer to the start "
                            + "of a block, a multiple of " + SegmentLayout.BLOCK + ", of Memory Node 0 to " + lastNode
                            + ", segment 0 to " + lastSegment + ", and an offset below 0x"
                            + Long.toHexString((long) SegmentLayout.BLOCK << segmentShift));
        }
        return tag << tagShift
                | (long) RdmaPtr.node(pointer) << nodeShift
                | (long) RdmaPtr.segment(pointer) << segmentShift
                | RdmaPtr.offset(pointer) >>> BLOCK_BITS;
    }

    /** Whether a word can hold a raw pointer: null, or one that may be the pointer to a block of this cluster. */
    public boolean isBlock(long pointer) {
        return (pointer & (SegmentLayout.BLOCK - 1)) == 0
                && RdmaPtr.node(pointer) <= lastNode
                && RdmaPtr.segment(pointer) <= lastSegment
                && RdmaPtr.offset(pointer) >>> BLOCK_BITS >>> segmentShift == 0;
    }

    /** The word for a pointer with the tag that follows that of another word; after the largest tag, 0. */
    public long next(long word, long pointer) {
        return word(pointer, tag(word) + 1);
    }

    /** The raw pointer in a word, null if there is none. */
    public long pointer(long word) {
        long node = (word & lowest(tagShift)) >>> nodeShift;
        long segment = (word & lowest(nodeShift)) >>> segmentShift;
        long block = word & lowest(segmentShift);
        return RdmaPtr.raw((int) node, (int) segment, block << BLOCK_BITS);
    }

    /** The tag in a word, as an unsigned number. */
    public long tag(long word) {
        return word >>> tagShift;
    }

    private static long lowest(int bits) {
        return (1L << bits) - 1;
    }

    /** A word as text. */
    public String toString(long word) {
        return RdmaPtr.toString(pointer(word)) + ", tag " + tag(word);
    }
}
