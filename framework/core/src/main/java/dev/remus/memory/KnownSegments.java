// SPDX-License-Identifier: Apache-2.0
package dev.remus.memory;

import dev.remus.config.ClusterConfig;
import java.util.function.LongUnaryOperator;
import net.openhft.chronicle.core.UnsafeMemory;

/**
 * Which words of remote memory there are, and where they are mapped in this process. One look-up decides whether an
 * access is within the blocks of a segment, aligned and unmarked, and finds its address.
 *
 * <p>A table with an entry for each segment, whose number is the lower bits of node and segment in a pointer:
 *
 * <pre>
 *  0             8             16                  24
 * +-------------+-------------+-------------------+---------+
 * | first       | words       | to address        | unused  |
 * +-------------+-------------+-------------------+---------+
 * </pre>
 *
 * <ul>
 *   <li>{@code first}: pointer to the first word behind the header. It has all bits of node and segment, so a pointer
 *       to another node is outside, even if it leads to the same entry.
 *   <li>{@code words}: how many words the blocks have. 0 if there is no such segment, or its node is lost: it is the
 *       only part that changes, and the thread that detects a loss sets it without synchronisation. Each operation
 *       reads it anew, since remote accesses are volatile to the compiler.
 *   <li>{@code to address}: what to add to a pointer to get the address.
 * </ul>
 *
 * <p>The table is read as memory and not as an array, because its index is within bounds whatever the pointer is, which
 * the compiler does not see.
 */
public final class KnownSegments {
    /** A table without segments: nothing is within. */
    public static final KnownSegments NONE = new KnownSegments(1);

    private static final int ENTRY_LOG2 = 5;
    private static final int FIRST = 0;
    private static final int WORDS = Long.BYTES;
    private static final int TO_ADDRESS = 2 * Long.BYTES;
    private static final long BASE = UnsafeMemory.MEMORY.arrayBaseOffset(long[].class);

    private final long[] table;
    private final long last;

    /** @param entries a power of two */
    private KnownSegments(int entries) {
        table = new long[entries << ENTRY_LOG2 - 3];
        last = (entries - 1L) << ENTRY_LOG2;
    }

    /** All segments of a cluster. None is mapped. */
    static KnownSegments of(ClusterConfig config) {
        int nodes = Integer.highestOneBit(2 * config.memoryNodes() - 1); // rounded up to a power of two
        KnownSegments known = new KnownSegments(nodes * (RdmaPtr.MAX_SEGMENT + 1));
        SegmentLayout layout = new SegmentLayout(config);
        for (int node = config.firstMemoryNode(); node <= config.lastMemoryNode(); node++) {
            for (int segment = 0; segment < config.segmentsPerNode(); segment++) {
                long first = RdmaPtr.raw(node, segment, SegmentHeader.BYTES);
                known.set(first, FIRST, first);
                known.set(first, WORDS, (layout.end(segment) - SegmentHeader.BYTES) / Long.BYTES);
            }
        }
        return known;
    }

    /** Whether {@code length} bytes, a positive multiple of 8, are within the blocks of a segment. */
    boolean holds(long pointer, long length) {
        long entry = entry(pointer, last);
        return isWithin(table, entry, pointer, length);
    }

    /** The table. A thread keeps it and {@link #last}, rather than this object, which is one load further away. */
    public long[] table() {
        return table;
    }

    /** The byte offset of the last entry in the table; its bits select an entry. */
    public long last() {
        return last;
    }

    /**
     * The address of a word; 0 if it is not mapped, or not one of the blocks.
     *
     * @param table {@link #table}, or as many zeros
     * @param last {@link #last} of that table
     */
    public static long address(long[] table, long last, long pointer) {
        long entry = entry(pointer, last);
        return isWord(table, entry, pointer) ? inSegment(table, entry, pointer) : 0;
    }

    /** The same for {@code length} bytes, which must be a positive multiple of 8. */
    public static long address(long[] table, long last, long pointer, int length) {
        long entry = entry(pointer, last);
        return isWithin(table, entry, pointer, length) ? inSegment(table, entry, pointer) : 0;
    }

    /** The same for any length: 0 also if that is no positive multiple of 8. */
    public static long transferAddress(long[] table, long last, long pointer, int length) {
        return length > 0 && (length & 7) == 0 ? address(table, last, pointer, length) : 0;
    }

    /**
     * What to add to pointers into the segment of a pointer, which is known to exist, to get addresses; 0 if it is not
     * mapped, or its node is lost.
     */
    public static long toAddress(long[] table, long last, long pointer) {
        long entry = entry(pointer, last);
        return get(table, entry, WORDS) != 0 ? get(table, entry, TO_ADDRESS) : 0;
    }

    /** For a loop: the entry of a pointer's segment. */
    public static long entry(long pointer, long last) {
        return pointer >>> 48 - ENTRY_LOG2 & last; // the upper 16 bits are node and segment
    }

    /** For a loop: whether a pointer leads to a word in an entry's segment, and that may be accessed now. */
    public static boolean isWord(long[] table, long entry, long pointer) {
        return Long.compareUnsigned(word(table, entry, pointer), get(table, entry, WORDS)) < 0;
    }

    /** The same for {@code length} bytes, which must be a positive multiple of 8. */
    public static boolean isWithin(long[] table, long entry, long pointer, long length) {
        long word = word(table, entry, pointer);
        long latest = get(table, entry, WORDS) - (length >> 3); // where an access of this length can begin
        return (word | latest | latest - word) >= 0;
    }

    /** For a loop: the address of a pointer into an entry's segment. */
    public static long inSegment(long[] table, long entry, long pointer) {
        return pointer + get(table, entry, TO_ADDRESS);
    }

    /** The number of a word. What is not aligned, or before the first word, gets a huge or negative number. */
    private static long word(long[] table, long entry, long pointer) {
        return Long.rotateRight(pointer - get(table, entry, FIRST), 3);
    }

    /** Whether the segment of a pointer, which is known to exist, is still there. */
    boolean has(long pointer) {
        return get(table, entry(pointer, last), WORDS) != 0;
    }

    /** Forgets the segments of a node. */
    void forget(int memoryNode) {
        for (int segment = 0; segment <= RdmaPtr.MAX_SEGMENT; segment++) {
            long first = RdmaPtr.raw(memoryNode, segment, SegmentHeader.BYTES);
            if (get(table, entry(first, last), FIRST) == first) { // the entry may be that of another node
                set(first, WORDS, 0);
            }
        }
    }

    /** Forgets all segments. */
    void forgetAll() {
        for (long entry = 0; entry <= last; entry += 1L << ENTRY_LOG2) {
            UnsafeMemory.MEMORY.writeLong(table, BASE + entry + WORDS, 0);
        }
    }

    /**
     * Enters the addresses of all segments.
     *
     * @param mappedAt the address of a pointer to a segment's header, 0 if it is not mapped
     * @return whether all are mapped
     */
    boolean map(ClusterConfig config, LongUnaryOperator mappedAt) {
        for (int node = config.firstMemoryNode(); node <= config.lastMemoryNode(); node++) {
            for (int segment = 0; segment < config.segmentsPerNode(); segment++) {
                long header = RdmaPtr.raw(node, segment, 0);
                long address = mappedAt.applyAsLong(header);
                if (address == 0) {
                    return false;
                }
                set(header, TO_ADDRESS, address - header);
            }
        }
        return true;
    }

    private static long get(long[] table, long entry, int field) {
        return UnsafeMemory.MEMORY.readLong(table, BASE + entry + field);
    }

    private void set(long pointer, int field, long value) {
        UnsafeMemory.MEMORY.writeLong(table, BASE + entry(pointer, last) + field, value);
    }
}
