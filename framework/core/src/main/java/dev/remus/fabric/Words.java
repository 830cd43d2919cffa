// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import java.lang.invoke.VarHandle;
import net.openhft.chronicle.core.UnsafeMemory;

/**
 * The operations on mapped memory, by address. They check nothing: callers have checked bounds and alignment.
 *
 * <p>All operations are at least as strong as the contract requires: a single word is accessed with volatile semantics,
 * and a longer transfer has full fences on both sides, so that operations of one lane take effect in the order posted
 * on every processor architecture. {@code Unsafe.copyMemory} moves aligned data in units of 8 bytes, so a word is never
 * torn.
 *
 * <p>A short READ loads each of its words with volatile semantics. So it begins after everything posted before it, and
 * has ended when the next operation begins, as on a lane. It also loads its words in ascending order, which an RDMA
 * READ does not promise, so nothing may rely on it. Its words go to local memory of the same thread, for which plain
 * stores and loads suffice: over RDMA, polling the completion orders them.
 */
public final class Words {
    /** Up to this many bytes, not even a loop is needed. */
    private static final int FEW = 4 * Long.BYTES;

    /** Up to this many bytes, a loop over words is cheaper than a call. */
    private static final int SHORT = 128;

    private Words() {}

    /** READs the word at an address. */
    public static long read(long remote) {
        return UnsafeMemory.MEMORY.readVolatileLong(null, remote);
    }

    /** WRITEs the word at an address. Every other thread sees it when this returns. */
    public static void write(long remote, long value) {
        UnsafeMemory.MEMORY.writeVolatileLong(null, remote, value);
    }

    /** COMPARE_AND_SWAP; returns the old value, which the processor instruction does not. */
    public static long compareAndSwap(long remote, long expected, long desired) {
        while (true) {
            if (UnsafeMemory.MEMORY.compareAndSwapLong(null, remote, expected, desired)) {
                return expected;
            }
            long current = UnsafeMemory.MEMORY.readVolatileLong(null, remote);
            if (current != expected) {
                return current;
            }
            // The word has changed back in between: returning "expected" would mean "swapped".
        }
    }

    /** FETCH_AND_ADD; returns the old value. */
    public static long fetchAndAdd(long remote, long delta) {
        return UnsafeMemory.MEMORY.addLong(null, remote, delta) - delta;
    }

    /** READs {@code length} bytes, a multiple of 8, to local memory. */
    public static void read(long remote, long local, int length) {
        if (length <= FEW) {
            readFew(remote, local, length);
        } else if (length <= SHORT) {
            for (int i = 0; i < length; i += Long.BYTES) {
                UnsafeMemory.MEMORY.writeLong(local + i, read(remote + i));
            }
        } else {
            VarHandle.fullFence();
            UnsafeMemory.MEMORY.copyMemory(remote, local, (long) length);
            VarHandle.fullFence();
        }
    }

    /** Transfers without a loop, as a traversal does for each node. */
    private static void readFew(long remote, long local, int length) {
        UnsafeMemory.MEMORY.writeLong(local, read(remote));
        if (length > 8) {
            UnsafeMemory.MEMORY.writeLong(local + 8, read(remote + 8));
        }
        if (length > 16) {
            UnsafeMemory.MEMORY.writeLong(local + 16, read(remote + 16));
        }
        if (length > 24) {
            UnsafeMemory.MEMORY.writeLong(local + 24, read(remote + 24));
        }
    }

    /** WRITEs {@code length} bytes, a multiple of 8, from local memory. They are visible when this returns. */
    public static void write(long local, long remote, int length) {
        VarHandle.fullFence();
        writeReleased(local, remote, length);
        VarHandle.fullFence();
    }

    /** A release store of one word. */
    public static void writeReleased(long remote, long value) {
        UnsafeMemory.MEMORY.writeOrderedLong(null, remote, value);
    }

    /** A release store: visible after all earlier writes of this thread, and before all later release stores of it. */
    public static void writeReleased(long local, long remote, int length) {
        if (length == Long.BYTES) {
            writeReleased(remote, UnsafeMemory.MEMORY.readLong(local));
        } else if (length <= SHORT) {
            for (int i = 0; i < length; i += Long.BYTES) {
                UnsafeMemory.MEMORY.writeOrderedLong(remote + i, UnsafeMemory.MEMORY.readLong(local + i));
            }
        } else {
            VarHandle.releaseFence();
            UnsafeMemory.MEMORY.copyMemory(local, remote, (long) length);
        }
    }
}
