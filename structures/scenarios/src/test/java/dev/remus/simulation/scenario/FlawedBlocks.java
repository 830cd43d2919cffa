// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;

/**
 * A flawed allocator of blocks of one size, from a bump pointer and a shared stack of free blocks.
 *
 * <pre>
 *  shared: | bump pointer | top of the stack: generation, reference | region ...
 *                                                                     ^ the next block, bump pointer * SIZE behind here
 *  a reference is the number of a block in the region, from 1; a free block's first word refers to the one below
 * </pre>
 */
record FlawedBlocks(RdmaPtr<?> shared, Flaw flaw) implements Blocks {
    static final int SIZE = 64;
    private static final int REGION_BLOCKS = 36;
    private static final int TOP = 8;
    private static final int HEADER = 64;
    private static final long ONE_GENERATION = 1L << 32;
    private static final long REFERENCE = ONE_GENERATION - 1;

    /** The mistakes. */
    enum Flaw {
        /** None. */
        NONE,
        /** The bump pointer is read and written, not moved by FETCH_AND_ADD. */
        BUMP_BY_WRITE,
        /** The top of the stack is taken by a plain store. */
        POP_BY_STORE,
        /** Taking does not raise the generation: the same block may be on top again, with another below (ABA). */
        POP_WITHOUT_GENERATION
    }

    static Blocks.Factory factory(Flaw flaw) {
        return new Blocks.Factory() {
            @Override
            public RdmaPtr<?> create(ComputeThread ct) {
                long shared = ct.allocate(HEADER + REGION_BLOCKS * SIZE);
                ct.write(shared, 0);
                ct.write(shared + TOP, 0);
                return new RdmaPtr<>(shared);
            }

            @Override
            public Blocks open(RdmaPtr<?> shared) {
                return new FlawedBlocks(shared, flaw);
            }
        };
    }

    @Override
    public long allocate(long bytes, ComputeThread ct) {
        long block = pop(ct);
        return block != RdmaPtr.NULL ? block : bump(ct);
    }

    private long bump(ComputeThread ct) {
        long word = shared.raw();
        long number;
        if (flaw == Flaw.BUMP_BY_WRITE) {
            number = ct.read(word);
            ct.write(word, number + 1);
        } else {
            number = ct.fetchAndAdd(word, 1);
        }
        if (number >= REGION_BLOCKS) {
            throw new IllegalStateException("the scenario is too large for this allocator");
        }
        return block(number + 1);
    }

    private long block(long reference) {
        return shared.raw() + HEADER + (reference - 1) * SIZE;
    }

    private long pop(ComputeThread ct) {
        long top = shared.raw() + TOP;
        long seen = ct.read(top);
        while ((seen & REFERENCE) != 0) {
            long block = block(seen & REFERENCE);
            long generation = (seen & ~REFERENCE) + (flaw == Flaw.POP_WITHOUT_GENERATION ? 0 : ONE_GENERATION);
            long below = generation | ct.read(block) & REFERENCE;
            if (flaw == Flaw.POP_BY_STORE) {
                ct.write(top, below);
                return block;
            }
            long found = ct.compareAndSwap(top, seen, below);
            if (found == seen) {
                return block;
            }
            seen = found;
            ct.pause();
        }
        return RdmaPtr.NULL;
    }

    @Override
    public void free(long pointer, long bytes, ComputeThread ct) {
        long top = shared.raw() + TOP;
        long reference = (pointer - shared.raw() - HEADER) / SIZE + 1;
        long seen = ct.read(top);
        while (true) {
            ct.write(pointer, seen & REFERENCE);
            long found = ct.compareAndSwap(top, seen, seen & ~REFERENCE | reference);
            if (found == seen) {
                return;
            }
            seen = found;
            ct.pause();
        }
    }
}
