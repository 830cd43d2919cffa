// SPDX-License-Identifier: Apache-2.0
package dev.remus.memory;

/**
 * A remote pointer: one 64-bit word that names an object in the memory of some Memory Node.
 *
 * <pre>
 *  63          54 53      48 47                                      3 2   0
 * +--------------+----------+-----------------------------------------+-----+
 * | Memory Node  | segment  | byte offset inside the segment                |
 * | id (10 bits) | (6 bits) | (48 bits)                              | mark |
 * +--------------+----------+-----------------------------------------+-----+
 * </pre>
 *
 * <p>It is never a machine address. The same word means the same object in every process, reveals nothing about the
 * address space of any process, and is checked against the segment's size before each use. 0 is null. Objects are at
 * least 8-byte aligned, so the lowest three bits are free for marks. Every access refuses a marked pointer.
 *
 * <p>On hot paths use the raw word and the static methods. Objects of this class are for interfaces, where the type
 * parameter documents the type of the target.
 *
 * @param <T> the type of the target; nothing checks it at run time
 * @param raw the word
 */
public record RdmaPtr<T>(long raw) {
    /** The null pointer, as a raw word. */
    public static final long NULL = 0;

    /** Highest Memory Node id. */
    public static final int MAX_NODE = (1 << 10) - 1;

    /** Highest segment number. */
    public static final int MAX_SEGMENT = (1 << 6) - 1;

    /** Highest byte offset. */
    public static final long MAX_OFFSET = (1L << 48) - 1;

    private static final int NODE_SHIFT = 54;
    private static final int SEGMENT_SHIFT = 48;
    private static final long MARK = 1;
    private static final long MARKS = 7;

    /**
     * The pointer to a byte of a segment.
     *
     * @throws IllegalArgumentException if a part is out of range
     */
    public static <T> RdmaPtr<T> of(int node, int segment, long offset) {
        return new RdmaPtr<>(raw(node, segment, offset));
    }

    /** The null pointer. */
    public static <T> RdmaPtr<T> nullPointer() {
        return new RdmaPtr<>(NULL);
    }

    /**
     * The pointer to a byte of a segment, as a raw word.
     *
     * @throws IllegalArgumentException if a part is out of range
     */
    public static long raw(int node, int segment, long offset) {
        if (node < 0 || node > MAX_NODE) {
            throw new IllegalArgumentException("Memory Node id " + node + ": needs 0 to " + MAX_NODE);
        }
        if (segment < 0 || segment > MAX_SEGMENT) {
            throw new IllegalArgumentException("segment " + segment + ": needs 0 to " + MAX_SEGMENT);
        }
        if (offset < 0 || offset > MAX_OFFSET) {
            throw new IllegalArgumentException("offset " + offset + ": needs 0 to " + MAX_OFFSET);
        }
        return (long) node << NODE_SHIFT | (long) segment << SEGMENT_SHIFT | offset;
    }

    /** The Memory Node that a raw pointer names. */
    public static int node(long raw) {
        return (int) (raw >>> NODE_SHIFT);
    }

    /** The segment that a raw pointer names. */
    public static int segment(long raw) {
        return (int) (raw >>> SEGMENT_SHIFT) & MAX_SEGMENT;
    }

    /** The byte offset of a raw pointer, marks included. */
    public static long offset(long raw) {
        return raw & MAX_OFFSET;
    }

    /** Whether a raw pointer carries a mark. */
    public static boolean isMarked(long raw) {
        return (raw & MARK) != 0;
    }

    /** A raw pointer with the mark set. */
    public static long marked(long raw) {
        return raw | MARK;
    }

    /** A raw pointer with all marks cleared. */
    public static long unmarked(long raw) {
        return raw & ~MARKS;
    }

    /** A raw pointer as text. */
    public static String toString(long raw) {
        if (raw == NULL) {
            return "null";
        }
        return "node " + node(raw) + ", segment " + segment(raw) + ", offset 0x"
                + Long.toHexString(offset(raw) & ~MARKS)
                + ((raw & MARKS) != 0 ? ", marked " + (raw & MARKS) : "");
    }

    /** Whether this is the null pointer. */
    public boolean isNull() {
        return raw == NULL;
    }

    /** The Memory Node's id. */
    public int node() {
        return node(raw);
    }

    /** The segment's number on its node. */
    public int segment() {
        return segment(raw);
    }

    /** The byte offset inside the segment. */
    public long offset() {
        return offset(raw);
    }

    /** Whether it carries a mark. */
    public boolean isMarked() {
        return isMarked(raw);
    }

    /** The same pointer with the mark set. */
    public RdmaPtr<T> marked() {
        return new RdmaPtr<>(marked(raw));
    }

    /** The same pointer without marks. */
    public RdmaPtr<T> unmarked() {
        return new RdmaPtr<>(unmarked(raw));
    }

    @Override
    public String toString() {
        return "RdmaPtr[" + toString(raw) + "]";
    }
}
