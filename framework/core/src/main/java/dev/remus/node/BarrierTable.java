// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.OutcomeUnknownException;

/**
 * The words by which the Compute Threads meet at the barrier of all threads under {@code --on-node-loss continue}, on
 * the first Memory Node ({@link dev.remus.memory.SegmentLayout#barrier}), as one thread has last read them.
 *
 * <pre>
 *  0            8                16                        8 (1 + threads)
 * +------------+----------------+----------------+--------+
 * | generation | thread 0       | thread 1       | ...    |
 * +------------+----------------+----------------+--------+
 *
 *  the word of a thread:
 *
 *  63       62                 31 30                     0
 * +--------+---------------------+-----------------------+
 * | closed | barriers before the | barriers up to the    |
 * |        | thread's first one  | last at which it      |
 * |        |                     | has arrived           |
 * +--------+---------------------+-----------------------+
 * </pre>
 *
 * <p>The word of the thread of a node that has come back is 0 until it is opened, and the barriers do without it. A
 * thread that is opened again after it was closed has a first barrier again. Until it arrives there, its word still
 * shows the last barrier at which it had arrived before: the threads that have not left that one yet read it.
 *
 * <p>The generation is the number of barriers that have opened. It is changed only by COMPARE_AND_SWAP. The word of a
 * thread is written by its owner alone, with plain WRITEs, and the arrivals in it only grow. Memory is zero at first.
 */
final class BarrierTable {
    /** The word of a thread that was closed before it arrived at any barrier. */
    static final long CLOSED = Long.MIN_VALUE;

    private static final int ARRIVALS_BITS = 31;
    private static final long ARRIVALS = (1L << ARRIVALS_BITS) - 1;

    private final CheckedMemory memory;
    private final int threads;

    /** The number of threads that take part from the beginning. */
    private final int starters;

    private final long generation;
    private final long own;
    private final LocalBuffer words;

    /** The number of barriers before this thread's first one. */
    private long first;

    /** The number of barriers up to the last at which this thread has arrived. */
    private long arrivals;

    /**
     * Creates a thread's view.
     *
     * @param generation the pointer to the generation
     * @param thread the thread's number
     * @param threads the number of ids of threads
     * @param starters the number of threads that take part from the beginning; they have the lowest ids
     * @param words local memory for the generation and the words of all threads
     */
    BarrierTable(CheckedMemory memory, long generation, int thread, int threads, int starters, LocalBuffer words) {
        this.starters = starters;
        this.memory = memory;
        this.threads = threads;
        this.generation = generation;
        this.own = ofThread(generation, thread);
        this.words = words;
    }

    /** The bytes of the table of so many threads. */
    static long bytes(int threads) {
        return Long.BYTES * (1L + threads);
    }

    /** The pointer to the word of a thread. */
    static long ofThread(long generation, int thread) {
        return generation + bytes(thread);
    }

    /** READs the generation alone. One round trip. */
    long readGeneration() {
        return memory.readHeader(generation);
    }

    /** READs all words, each at a moment of its own, and returns the generation. One round trip. */
    long read() {
        memory.readHeader(generation, words, (int) bytes(threads));
        return words.getLong(0);
    }

    private long word(int thread) {
        return words.getLong(bytes(thread));
    }

    private static long first(long word) {
        return (word & ~CLOSED) >>> ARRIVALS_BITS;
    }

    private static long arrivals(long word) {
        return word & ARRIVALS;
    }

    /** Whether the last {@link #read} shows that a thread takes part in the barrier that ends a generation, or did. */
    private boolean isMember(int thread, long ofGeneration) {
        return (thread < starters || word(thread) != 0) && first(word(thread)) <= ofGeneration;
    }

    /**
     * Whether the last {@link #read} shows that a thread has arrived at the barrier that ends a generation, which is
     * the present one or the last.
     */
    boolean hasArrived(int thread, long ofGeneration) {
        long word = word(thread);
        boolean isOpenedAgain = arrivals(word) < first(word); // and has not arrived since
        return arrivals(word) > ofGeneration && (isOpenedAgain || first(word) <= ofGeneration);
    }

    /** Whether the last {@link #read} shows that a barrier has to wait for a thread, unless it is lost. */
    boolean isAwaited(int thread, long ofGeneration) {
        return isMember(thread, ofGeneration) && !hasArrived(thread, ofGeneration) && !isClosed(thread);
    }

    /** Whether the last {@link #read} shows that a thread is closed, so that it arrives at no further barrier. */
    private boolean isClosed(int thread) {
        return (word(thread) & CLOSED) != 0;
    }

    /**
     * Declares which barrier is the first one of this thread: it ends this generation. If it has arrived at the one
     * before already, it goes on as if it had never been closed. Returns when that is placed.
     */
    void join(long firstGeneration) {
        if (arrivals < firstGeneration) {
            first = firstGeneration;
        }
        memory.writeHeaderAgain(own, own());
    }

    private long own() {
        return first << ARRIVALS_BITS | arrivals;
    }

    /** Arrives at the barrier that ends a generation. Returns when that is placed, even if lanes break meanwhile. */
    void arrive(long atGeneration) {
        arrivals = atGeneration + 1;
        memory.writeHeaderAgain(own, own());
    }

    /** Marks this thread as closed. Returns when that is placed. */
    void close() {
        memory.writeHeaderAgain(own, own() | CLOSED);
    }

    /** Ends a generation, if no other thread has. Returns whether it is known to be over. */
    boolean end(long present) {
        try {
            memory.compareAndSwapHeader(generation, present, present + 1);
            return true; // if it was not swapped, another thread has ended this generation
        } catch (OutcomeUnknownException e) {
            return false; // the next READ shows it
        }
    }
}
