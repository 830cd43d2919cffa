// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.OutcomeUnknownException;

/**
 * The words by which the Compute Threads agree on epochs, on the first Memory Node ({@link
 * dev.remus.memory.SegmentLayout#epoch}), as one thread has last read them.
 *
 * <p>The epoch is changed only by COMPARE_AND_SWAP. An announcement is written by its owner alone, with plain WRITEs:
 * {@value #OFFLINE} while the thread is offline, otherwise 1 + the epoch that it has announced. Memory is zero at
 * first, so a thread that was never opened is offline.
 */
final class EpochTable {
    /** The announcement of a thread that holds no pointers, and announces itself before it reads any. */
    static final long OFFLINE = 0;

    private final CheckedMemory memory;
    private final int threads;
    private final long epoch;
    private final long own;
    private final LocalBuffer words;

    /**
     * Creates a thread's view.
     *
     * @param epoch the pointer to the epoch
     * @param thread the thread's number
     * @param words local memory for the epoch and the announcements of all threads
     */
    EpochTable(CheckedMemory memory, long epoch, int thread, int threads, LocalBuffer words) {
        this.memory = memory;
        this.threads = threads;
        this.epoch = epoch;
        this.own = epoch + bytes(thread);
        this.words = words;
    }

    /** The bytes of the table of so many threads. */
    static long bytes(int threads) {
        return Long.BYTES * (1L + threads);
    }

    static long announcement(long epoch) {
        return epoch + 1;
    }

    /** READs all words, each at a moment of its own, and returns the epoch. One round trip. */
    long read() {
        memory.readHeader(epoch, words, (int) bytes(threads));
        return words.getLong(0);
    }

    /** A thread's announcement as of the last {@link #read}. */
    long announcementOf(int thread) {
        return words.getLong(bytes(thread));
    }

    /** Posts an announcement, which may be lost with its lane. */
    void post(long announcement) {
        memory.postHeader(own, announcement);
    }

    /** WRITEs an announcement, and returns when it is placed, even if lanes break meanwhile. */
    void write(long announcement) {
        memory.writeHeaderAgain(own, announcement);
    }

    /** Moves the epoch on by one; returns whether this thread did. */
    boolean advance(long from) {
        try {
            return memory.compareAndSwapHeader(epoch, from, from + 1) == from;
        } catch (OutcomeUnknownException e) {
            return false; // if it has moved, the next READ shows it
        }
    }
}
