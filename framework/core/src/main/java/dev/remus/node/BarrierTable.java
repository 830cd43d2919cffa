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
 *  63       62                                           0
 * +--------+---------------------------------------------+
 * | closed | barriers at which the thread has arrived    |
 * +--------+---------------------------------------------+
 * </pre>
 *
 * <p>The generation is the number of barriers that have opened. It is changed only by COMPARE_AND_SWAP. The word of a
 * thread is written by its owner alone, with plain WRITEs, and the arrivals in it only grow. Memory is zero at first.
 */
final class BarrierTable {
    /** The word of a thread that was closed before it arrived at any barrier. */
    static final long CLOSED = Long.MIN_VALUE;

    private final CheckedMemory memory;
    private final int threads;
    private final long generation;
    private final long own;
    private final LocalBuffer words;

    /**
     * Creates a thread's view.
     *
     * @param generation the pointer to the generation
     * @param thread the thread's number
     * @param words local memory for the generation and the words of all threads
     */
    BarrierTable(CheckedMemory memory, long generation, int thread, int threads, LocalBuffer words) {
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

    /** Whether the last {@link #read} shows that a thread has arrived at the barrier that ends a generation. */
    boolean hasArrived(int thread, long ofGeneration) {
        return (words.getLong(bytes(thread)) & ~CLOSED) > ofGeneration;
    }

    /** Whether the last {@link #read} shows that a thread is closed, so that it arrives at no further barrier. */
    boolean isClosed(int thread) {
        return (words.getLong(bytes(thread)) & CLOSED) != 0;
    }

    /** Arrives at the barrier that ends a generation. Returns when that is placed, even if lanes break meanwhile. */
    void arrive(long atGeneration) {
        memory.writeHeaderAgain(own, atGeneration + 1);
    }

    /** Marks this thread as closed. Returns when that is placed. */
    void close(long arrivals) {
        memory.writeHeaderAgain(own, arrivals | CLOSED);
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
