// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.fabric.ShadowOperations;
import dev.remus.memory.AddressSpace;

/**
 * The framework's own access to remote words, for one thread: every pointer is checked, every operation counted. For
 * allocation, the control barrier and the root.
 */
final class CheckedMemory {
    private static final int MOST_ATTEMPTS = 16;

    private final AddressSpace space;
    private final BlockingOperations memory;
    private final ThreadMetrics metrics;

    CheckedMemory(AddressSpace space, BlockingOperations memory, ThreadMetrics metrics) {
        this.space = space;
        this.memory = memory;
        this.metrics = metrics;
    }

    // Words that structures cannot reach: in a header, or behind the blocks.

    long readHeader(long pointer) {
        space.checkReachable(pointer);
        metrics.wordReads++;
        return memory.read(pointer);
    }

    /** READs words into the beginning of local memory. */
    void readHeader(long pointer, LocalBuffer to, int length) {
        space.checkReachable(pointer);
        metrics.countRead(length);
        memory.read(pointer, to, 0, length);
    }

    void writeHeader(long pointer, long value) {
        space.checkReachable(pointer);
        metrics.wordWrites++;
        memory.write(pointer, value);
    }

    /**
     * WRITEs a word that only this thread changes, and returns when it is placed. If a lane breaks meanwhile, tries
     * again.
     */
    void writeHeaderAgain(long pointer, long value) {
        for (int attempts = 1; ; attempts++) {
            try {
                writeHeader(pointer, value);
                return;
            } catch (OutcomeUnknownException e) { // its lane is connected again, so a lost WRITE cannot arrive late
                if (attempts == MOST_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Posts a WRITE that this thread repeats if it was lost. */
    void postHeader(long pointer, long value) {
        space.checkReachable(pointer);
        metrics.postedWrites++;
        memory.postRepeated(pointer, value);
    }

    long compareAndSwapHeader(long pointer, long expected, long desired) {
        space.checkReachable(pointer);
        metrics.compareAndSwaps++;
        return memory.compareAndSwap(pointer, expected, desired);
    }

    long fetchAndAddHeader(long pointer, long delta) {
        space.checkReachable(pointer);
        metrics.fetchAndAdds++;
        return memory.fetchAndAdd(pointer, delta);
    }

    /** Creates the access to shadow words for the same thread. */
    ShadowOperations newShadow(OperationsFactory operations) {
        return operations.newShadow(memory);
    }

    // Blocks, which may be free.

    long read(long pointer) {
        space.check(pointer);
        long value = memory.read(pointer);
        metrics.wordReads++;
        return value;
    }

    /** READs words into the beginning of local memory. */
    void read(long pointer, LocalBuffer to, int length) {
        space.check(pointer, length);
        metrics.countRead(length);
        memory.read(pointer, to, 0, length);
    }

    void write(long pointer, long value) {
        space.check(pointer);
        memory.write(pointer, value);
        metrics.wordWrites++;
    }

    void post(long pointer, long value) {
        space.check(pointer);
        memory.post(pointer, value);
        metrics.postedWrites++;
    }

    /** Checks a pointer to one word of a block. */
    void check(long pointer) {
        space.check(pointer);
    }

    /** Checks a pointer to a block. */
    void checkBlock(long pointer, long bytes) {
        space.checkBlock(pointer, bytes);
    }

    /** Sets whether READs of structures may meet blocks that are free; returns the former value. */
    boolean setValidatesReads(boolean validates) {
        return space.setValidatesReads(validates);
    }
}
