// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.memory.RdmaPtr;
import java.util.Arrays;

/**
 * The blocks that a thread has retired and not yet reclaimed, oldest first.
 *
 * <pre>
 *   oldest                                          newest
 *  +------------------+------------------+----------------+
 *  | olderEpoch or    | newerEpoch or    | epoch not yet  |
 *  | before           | before           | read           |
 *  +------------------+------------------+----------------+
 *    older              newer              the rest
 * </pre>
 *
 * <p>A block's date is an epoch that the thread read after it had retired the block. Dates may be later than
 * necessary, never earlier. Without epochs, nothing has a date.
 */
final class RetiredBlocks {
    private static final int FIRST_CAPACITY = 16;

    // A ring: block i from the oldest is at (first + i) of both arrays, whose length is a power of two.
    private long[] blocks = new long[FIRST_CAPACITY];
    private long[] sizes = new long[FIRST_CAPACITY];
    private int first;
    private int count;
    private long bytes;

    private int older;
    private long olderEpoch;
    private int newer;
    private long newerEpoch; // the latest date so far, also if no block has it

    private long takenBytes;

    /** Adds a block, without a date. Allocates only if there are more than ever before. */
    void add(long block, long size) {
        if (count == blocks.length) {
            blocks = grown(blocks);
            sizes = grown(sizes);
            first = 0;
        }
        blocks[at(count)] = block;
        sizes[at(count)] = size;
        count++;
        bytes += size;
    }

    private long[] grown(long[] ring) {
        long[] longer = Arrays.copyOf(Arrays.copyOfRange(ring, first, ring.length), 2 * ring.length);
        System.arraycopy(ring, 0, longer, ring.length - first, first);
        return longer;
    }

    private int at(int i) {
        return first + i & blocks.length - 1;
    }

    /** The number of blocks. */
    int count() {
        return count;
    }

    /** The bytes of all blocks. */
    long bytes() {
        return bytes;
    }

    /** The size of the block that was taken last. */
    long takenBytes() {
        return takenBytes;
    }

    /** Gives a date to the blocks without one: an epoch, read after they were retired. */
    void date(long epoch) {
        date(epoch, 0);
    }

    /** The same for all but the newest blocks, of which so many may have been retired after the epoch was read. */
    void date(long epoch, int exceptNewest) {
        int undated = count - older - newer - exceptNewest;
        if (undated <= 0) {
            return;
        }
        long date = Math.max(epoch, newerEpoch); // a thread that was faster may have given a later one to older blocks
        if (newer > 0 && newerEpoch != date) {
            older += newer; // the later date is right for both
            olderEpoch = newerEpoch;
            newer = 0;
        }
        newer += undated;
        newerEpoch = date;
    }

    /** Takes the oldest block, if its date is this epoch or an earlier one; otherwise returns null. */
    long takeUpTo(long epoch) {
        if (older == 0) {
            older = newer;
            olderEpoch = newerEpoch;
            newer = 0;
        }
        if (older == 0 || olderEpoch > epoch) {
            return RdmaPtr.NULL;
        }
        older--;
        long block = taken(first);
        first = at(1);
        return block;
    }

    /** Takes the newest block, whatever its date; null if there is none. */
    long takeNewest() {
        if (count == 0) {
            return RdmaPtr.NULL;
        }
        if (count == older + newer && newer > 0) {
            newer--;
        } else if (count == older) {
            older--;
        }
        return taken(at(count - 1));
    }

    private long taken(int index) {
        takenBytes = sizes[index];
        bytes -= takenBytes;
        count--;
        return blocks[index];
    }
}
