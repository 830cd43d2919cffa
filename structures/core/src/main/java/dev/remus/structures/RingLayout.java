package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Where the parts of a ring are, behind the header {@link RingQueue.Shared}. Parts start at multiples of 64 bytes.
 *
 * @param start the raw pointer to the header
 * @param capacity how many blocks there are
 * @param stride bytes of an item in remote memory, a multiple of 8
 * @param hasPositions whether blocks have positions of their own
 */
record RingLayout(long start, int capacity, int stride, boolean hasPositions) {
    private static final long HEADER = new RingQueue.Shared().bytes();

    static RingLayout of(long start, int capacity, int itemBytes, boolean hasPositions) {
        return new RingLayout(start, capacity, (itemBytes + Long.BYTES - 1) & -Long.BYTES, hasPositions);
    }

    /** The same somewhere else. */
    RingLayout at(long otherStart) {
        return new RingLayout(otherStart, capacity, stride, hasPositions);
    }

    /** Bytes of all parts together. */
    long bytes() {
        return positions() + (hasPositions ? lines((long) capacity * Long.BYTES) : 0) - start;
    }

    private long items() {
        return start + HEADER + lines((long) capacity * Long.BYTES);
    }

    private long positions() {
        return items() + lines((long) capacity * stride);
    }

    private static long lines(long bytes) {
        return (bytes + 63) & -64L;
    }

    /** The block of a position. */
    int block(long position) {
        return (capacity & (capacity - 1)) == 0
                ? (int) position & (capacity - 1)
                : (int) Long.remainderUnsigned(position, capacity);
    }

    /** The raw pointer to the state of a block; those of the next blocks are behind it. */
    long state(int block) {
        return start + HEADER + (long) block * Long.BYTES;
    }

    /** The raw pointer to the item of a block; those of the next blocks are behind it. */
    long item(int block) {
        return items() + (long) block * stride;
    }

    /** The raw pointer to the position of a block. */
    long position(int block) {
        return positions() + (long) block * Long.BYTES;
    }

    /** Makes all blocks free, and lets the first lap begin with a position. Placed when this returns. */
    void clear(long first, ComputeThread ct) {
        ByteBuffer words = ByteBuffer.allocate(capacity * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        ct.write(state(0), words);
        if (hasPositions) {
            for (long position = first; position < first + capacity; position++) {
                words.putLong(block(position) * Long.BYTES, position);
            }
            ct.write(position(0), words.clear());
        }
    }

    @Override
    public String toString() {
        return capacity + " blocks at (" + RdmaPtr.toString(start) + ")";
    }
}
