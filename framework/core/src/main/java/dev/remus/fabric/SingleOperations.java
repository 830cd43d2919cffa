// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

/**
 * Blocking operations, one at a time, for one thread. They take as long as on a lane, and less of the processor.
 *
 * <p>{@link BlockingOperations}, which are built from lanes, use them while the thread has nothing on its way, so their
 * order with respect to other requests does not matter. Pointers are checked, as there.
 */
public abstract class SingleOperations {
    /** For subclasses, in fabrics that have such operations. */
    protected SingleOperations() {}

    /** READs the word. */
    public abstract long read(long pointer);

    /** COMPARE_AND_SWAP; returns the word's old value. */
    public abstract long compareAndSwap(long pointer, long expected, long desired);

    /** FETCH_AND_ADD; returns the word's old value. */
    public abstract long fetchAndAdd(long pointer, long delta);

    /** READs {@code length} bytes, a multiple of 8, into local memory. May be torn at 8-byte boundaries. */
    public abstract void read(long pointer, LocalBuffer to, long toOffset, int length);
}
