// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

/**
 * Several operations on the memory of one Memory Node with a single wait, for one thread. As in {@link
 * BlockingOperations}, pointers are checked, and one implementation serves all fabrics.
 *
 * <p>The operations execute in the order in which they were added, like those of one lane: a later WRITE or atomic may
 * overtake an earlier READ or atomic. An operation executes at some time between the call that adds it and the end of
 * {@link #execute}. An implementation for which an operation is an instruction executes it at once. The local memory
 * that the operations name is in use until then, or, after {@link #post}, until {@link BlockingOperations#place} has
 * returned.
 */
public abstract class RemoteSequence {
    /** The maximum number of operations in a sequence. */
    public static final int CAPACITY = 32;

    /** For implementations. */
    protected RemoteSequence() {}

    /** Removes all operations that have not been executed. */
    public abstract void clear();

    /** Adds a READ of {@code length} bytes, a multiple of 8. */
    public abstract void read(long pointer, LocalBuffer to, long toOffset, int length);

    /** Adds a WRITE of {@code length} bytes, a multiple of 8. */
    public abstract void write(long pointer, LocalBuffer from, long fromOffset, int length);

    /** Adds a COMPARE_AND_SWAP; the word's old value goes to {@code result}. */
    public abstract void compareAndSwap(
            long pointer, long expected, long desired, LocalBuffer result, long resultOffset);

    /** Adds a FETCH_AND_ADD; the word's old value goes to {@code result}. */
    public abstract void fetchAndAdd(long pointer, long delta, LocalBuffer result, long resultOffset);

    /** Executes all operations. When this returns, the WRITEs among them are placed, and the sequence is empty. */
    public abstract void execute();

    /**
     * Starts all operations and returns at once. They have been executed when {@link BlockingOperations#place} returns.
     * Leaves the sequence empty.
     */
    public abstract void post();
}
