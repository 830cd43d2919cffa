// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.memory.RdmaPtr;

/**
 * The run of adjacent blocks from which one thread allocates without a remote operation.
 *
 * <pre>
 *            allocated by        allocated     still free
 *            other threads       by this thread
 *  segment: ----------------+-------------+----------------+-----------
 *                           |             |next            |end         the bump pointer is here or behind
 *                           +-------------+----------------+
 *                           the run: taken from the segment by one FETCH_AND_ADD
 * </pre>
 *
 * <p>A run has room for at least {@value #MIN_BLOCKS} blocks of the size that is needed; a thread takes larger blocks
 * one by one. It is no longer than everything that the thread has allocated before, than {@value #LARGEST} bytes, and
 * than the thread's share of 1/{@value #SHARE} of the room in its segment. So threads that allocate little withhold
 * little from others, all threads together withhold at most 1/{@value #SHARE} of a segment, and runs become shorter
 * when memory runs out.
 */
final class Arena {
    private static final long LARGEST = 4096;
    private static final long MIN_BLOCKS = 8;
    private static final long SHARE = 64;

    private final long threads;
    private long next;
    private long end;
    private long taken;
    private long smallest = LARGEST / MIN_BLOCKS;

    /** @param threads the number of threads that allocate from the same segments */
    Arena(int threads) {
        this.threads = threads;
    }

    /** The next block of the run, or null if the run is too short. */
    long take(long bytes) {
        if (end - next < bytes) {
            return RdmaPtr.NULL;
        }
        long block = next;
        next += bytes;
        return block;
    }

    /** The bytes that are left in the run. */
    long room() {
        return end - next;
    }

    /**
     * The number of bytes to take from a segment for a new block: the beginning of a run, or only the block itself.
     *
     * @param room the bytes that are left in the segment
     */
    long runFor(long bytes, long room) {
        long longest = Math.min(Math.min(LARGEST, taken), room / (SHARE * threads));
        return bytes * MIN_BLOCKS <= longest ? longest - longest % bytes : bytes;
    }

    /** Records that a block of new memory was taken, the first of a run. */
    void count(long block, long run) {
        taken += run;
        smallest = Math.min(smallest, block);
    }

    /** Begins a run, whose first block is in use already. What was left of the one before must have been taken. */
    void begin(long start, long bytes) {
        next = start;
        end = start + bytes;
    }

    /** The size of the next piece of the rest, as small as the smallest block of the thread; 0 if nothing is left. */
    long piece() {
        return Math.min(smallest, end - next);
    }

    /** Whether the run is on this Memory Node. */
    boolean isOn(int memoryNode) {
        return next < end && RdmaPtr.node(next) == memoryNode;
    }

    /** Whether these bytes overlap the part of the run that is not allocated. */
    boolean overlaps(long pointer, long bytes) {
        return Long.compareUnsigned(pointer, end) < 0 && Long.compareUnsigned(pointer + bytes, next) > 0;
    }
}
