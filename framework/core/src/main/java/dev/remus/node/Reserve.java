// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.memory.SegmentLayout;
import java.util.Arrays;

/**
 * The free blocks with which one thread enters each operation, so that it does not run out of memory inside. There, it
 * holds the epoch up, and so the very memory for which it would wait.
 *
 * <p>Of each small size, it is as many blocks as the thread has taken in one operation so far, at most {@value
 * #MOST_BLOCKS}. Until it has taken any, one of the smallest is a guess, for which it does not wait. They are free
 * blocks of this thread, or room in its run.
 */
final class Reserve {
    /** The most blocks of one size that are held in reserve. */
    static final int MOST_BLOCKS = 8;

    private final FreeLists free;
    private final Arena arena;

    // By size class: how many blocks this operation has taken, and how many one may take.
    private final int[] taken = new int[SegmentLayout.SHARED_LISTS];
    private final int[] needed = new int[SegmentLayout.SHARED_LISTS];

    private boolean isUsed;

    /** Whether the thread has taken no block so far, so that nobody knows which ones it needs. */
    private boolean isGuess = true;

    Reserve(FreeLists free, Arena arena) {
        this.free = free;
        this.arena = arena;
        needed[0] = 1;
    }

    private static int sizeClass(long size) {
        return (int) (size / SegmentLayout.BLOCK) - 1;
    }

    private static long size(int sizeClass) {
        return (sizeClass + 1L) * SegmentLayout.BLOCK;
    }

    /** Records that the thread has taken a block. */
    void take(long size) {
        if (SharedFreeLists.takes(size)) {
            int sizeClass = sizeClass(size);
            taken[sizeClass]++;
            needed[sizeClass] = Math.min(MOST_BLOCKS, Math.max(needed[sizeClass], taken[sizeClass]));
            isUsed = true;
        }
    }

    /** Records that the thread has freed a block, so that it does not need another one in place of it. */
    void putBack(long size) {
        if (SharedFreeLists.takes(size)) {
            taken[sizeClass(size)]--;
        }
    }

    /** Whether the thread has taken blocks since {@link #setUnused}. */
    boolean isUsed() {
        return isUsed;
    }

    /** Ends an operation. */
    void endOperation() {
        if (isGuess && isUsed) {
            isGuess = false;
            needed[0] = Math.min(needed[0], taken[0]);
        }
        Arrays.fill(taken, 0);
    }

    /** The reserve will do until an operation takes blocks. */
    void setUnused() {
        isUsed = false;
    }

    /** How many blocks of this size are to be held, a small one. */
    int needed(long size) {
        return needed[sizeClass(size)];
    }

    /** A size of which the thread holds too few blocks; 0 if it holds enough of all. */
    long missing() {
        long room = arena.room();
        for (int i = 0; i < needed.length; i++) {
            if (needed[i] > 0) {
                room -= size(i) * Math.max(0, needed[i] - free.size(size(i)));
                if (room < 0) {
                    return size(i);
                }
            }
        }
        return 0;
    }

    /** Whether the thread holds no block of some size that it needs. */
    boolean isEmpty() {
        for (int i = 0; i < needed.length; i++) {
            if (needed[i] > 0 && free.size(size(i)) == 0 && arena.room() < size(i)) {
                return true;
            }
        }
        return false;
    }

    /** Holds no more blocks in reserve than there are. */
    void settle() {
        for (int i = 0; i < needed.length; i++) {
            if (needed[i] > 0) {
                needed[i] = Math.min(needed[i], free.size(size(i)));
            }
        }
    }
}
