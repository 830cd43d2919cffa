package dev.remus.fabric;

/**
 * Several operations on the memory of one Memory Node with a single wait, for one thread. As in
 * {@link BlockingOperations}, pointers are checked, and one implementation serves all fabrics.
 *
 * <p>The operations are executed in the order in which they were added, as those of one lane are: a later WRITE or
 * atomic may overtake an earlier READ. This happens at some time between the call that adds an operation and the end of
 * {@link #execute}; an implementation for which an operation is an instruction executes it at once. The local memory
 * that they name is in use until then, or, after {@link #post}, until {@link BlockingOperations#place} has returned.
 */
public abstract class RemoteSequence {
    /** The most operations that a sequence takes. */
    public static final int CAPACITY = 32;

    /** For implementations. */
    protected RemoteSequence() {}

    /** Forgets what was added and has not been executed. */
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

    /** Returns when all of them have been executed and the WRITEs among them are placed. Leaves the sequence empty. */
    public abstract void execute();

    /**
     * Returns at once; all have been executed when {@link BlockingOperations#place} returns. Leaves the sequence empty.
     */
    public abstract void post();
}
