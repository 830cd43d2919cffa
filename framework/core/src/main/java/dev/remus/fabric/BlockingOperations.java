// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

/**
 * The blocking operations on the memory of all connected Memory Nodes, for one thread. Pointers are raw remote pointers
 * (node id in bits 63..54, segment in 53..48, byte offset below). The caller has checked that a pointer is aligned and
 * inside a known segment, so implementations do not check it.
 *
 * <p>The framework builds these once from posted chains, for every fabric. A fabric on which a processor instruction
 * does the same may offer its own ({@link ComputeEndpoint#directOperations}), which must keep the contract of this
 * package too.
 *
 * <p>This is an abstract class and not an interface, because a call through it is on the path of every operation, and
 * was measured to be cheaper that way when several fabrics are loaded.
 */
public abstract class BlockingOperations {
    /** For subclasses, in fabrics that have operations of their own. */
    protected BlockingOperations() {}

    /**
     * The address at which the byte at a pointer is mapped into this process, 0 if it is not. If it is, so is its whole
     * segment, while this object is reachable, and access by the methods of {@link Words} is the same as the operation.
     */
    public long mappedAt(long pointer) {
        return 0;
    }

    /** READs the word. If the Memory Node runs in this process, a load may serve ({@link LocalSegments}). */
    public abstract long read(long pointer);

    /** How many words were read by a load where other Memory Nodes need an operation. */
    public long localReads() {
        return 0;
    }

    /** WRITEs the word. It is placed when this returns. */
    public abstract void write(long pointer, long value);

    /** WRITEs the word. It is acknowledged and placed some time later, at the latest when {@link #place} returns. */
    public abstract void post(long pointer, long value);

    /**
     * WRITEs a word like {@link #post}, for a caller that repeats the WRITE if it finds the word unchanged. So a loss
     * with its lane is not reported.
     */
    public void postRepeated(long pointer, long value) {
        post(pointer, value);
    }

    /** COMPARE_AND_SWAP; returns the word's old value. */
    public abstract long compareAndSwap(long pointer, long expected, long desired);

    /** FETCH_AND_ADD; returns the word's old value. */
    public abstract long fetchAndAdd(long pointer, long delta);

    /** READs {@code length} bytes, a multiple of 8, into local memory. May be torn at 8-byte boundaries. */
    public abstract void read(long pointer, LocalBuffer to, long toOffset, int length);

    /**
     * WRITEs {@code length} bytes, a multiple of 8. They are placed when this returns, and may be torn at 8-byte
     * boundaries.
     */
    public abstract void write(long pointer, LocalBuffer from, long fromOffset, int length);

    /** FETCH_AND_ADD that takes effect some time later, and does not return the word's old value. */
    public abstract void postFetchAndAdd(long pointer, long delta);

    /**
     * Releases a lock some time later: if the word is {@code mark}, it becomes 0. If the lane breaks, this is repeated
     * as soon as this thread notices.
     *
     * @param mark no other holding of this lock has it, so that a repetition cannot release a later one
     */
    public abstract void postRelease(long lock, long mark);

    /**
     * Releases a lock like {@link #postRelease}, and returns when it is released, even if lanes break meanwhile. If it
     * throws, this thread's next operation repeats it. It takes effect behind all that this thread has given up waiting
     * for.
     */
    public void release(long lock, long mark) {
        compareAndSwap(lock, mark, 0);
    }

    /** Whether a cleanup of this thread has failed, so that its later operations begin with it. */
    public boolean hasCleanups() {
        return false;
    }

    /**
     * Runs a cleanup behind all that this thread has given up waiting for ({@code dev.remus.node.Cleanup}). If that
     * fails, this thread's later operations begin with it.
     */
    public void cleanUp(Runnable cleanup) {
        try {
            cleanup.run(); // where operations are instructions, nothing is outstanding, and no wait can fail
        } catch (NodeLostException e) {
            return; // with the memory that was to be cleaned up
        }
    }

    /**
     * Called while this thread waits for something: repeats posted releases that were lost with their lanes. No round
     * trip unless there are some.
     */
    public void repeatLostReleases() {}

    /**
     * Waits until every WRITE and FETCH_AND_ADD that this thread posted, on any lane, has taken effect for all threads.
     */
    public abstract void place();

    /** How many round trips {@link #place} would wait for now. */
    public abstract int unplacedLanes();

    /** Makes an empty sequence for the same thread, to be used many times. */
    public abstract RemoteSequence newSequence();
}
