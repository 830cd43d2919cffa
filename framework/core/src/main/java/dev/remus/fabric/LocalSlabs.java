// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * For fabric implementations: allocates local memory, with small pieces sharing a slab. A separate piece would take two
 * pages and a registration, and a Compute Thread may have thousands of views with a copy of 24 bytes each.
 *
 * <pre>
 *  slab, 16 KiB
 *  +---------+---------+-------------------+-----------------------------------+
 *  | piece 0 | piece 1 | piece 2           | free                              |
 *  +---------+---------+-------------------+-----------------------------------+
 *  each a multiple of 128 bytes, so that no two threads write to the same cache line or to the one that is fetched with it
 * </pre>
 *
 * <p>A piece is never reused: the garbage collector frees a slab when nothing refers to any of its pieces.
 */
public final class LocalSlabs {
    private static final int SLAB = 16 << 10;
    private static final int LARGEST_PIECE = SLAB / 8;
    private static final int LINES = 128;

    private final LongFunction<LocalBuffer> whole;
    private @Nullable LocalBuffer slab;
    private int used;

    /** @param whole allocates whole pages, for a size that is a multiple of 8 */
    public LocalSlabs(LongFunction<LocalBuffer> whole) {
        this.whole = whole;
    }

    /**
     * Allocates zeroed local memory. May be called by any thread.
     *
     * @param bytes 8 to 2^30, a multiple of 8
     */
    public LocalBuffer allocate(long bytes) {
        LocalBuffer.checkSize(bytes);
        return bytes > LARGEST_PIECE ? whole.apply(bytes) : piece((int) bytes);
    }

    private synchronized LocalBuffer piece(int bytes) {
        int room = bytes + LINES - 1 & -LINES;
        LocalBuffer from = slab;
        if (from == null || used + room > SLAB) {
            from = whole.apply(SLAB);
            slab = from;
            used = 0;
        }
        LocalBuffer piece = from.part(used, bytes);
        used += room;
        return piece;
    }
}
