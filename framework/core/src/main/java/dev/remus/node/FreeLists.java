// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.memory.InvalidFreeException;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The blocks that one thread has freed, by size. Detects blocks that the thread frees or retires twice. */
final class FreeLists {
    private static final int SMALL_CLASSES = 64;

    private final LongStack[] small = new LongStack[SMALL_CLASSES];
    private final Map<Long, LongStack> large = new HashMap<>();

    /** The blocks that are in one of the lists, or retired. */
    private final PointerSet held = new PointerSet();

    /** A free block of exactly this size, a multiple of 64, or null. */
    long take(long bytes) {
        LongStack list = list(bytes);
        if (list.size() == 0) {
            return RdmaPtr.NULL;
        }
        long pointer = list.pop();
        held.remove(pointer);
        return pointer;
    }

    /** The same on a Memory Node. Looks at all free blocks of this size, of which a thread keeps at most 256. */
    long takeOn(int memoryNode, long bytes) {
        LongStack list = list(bytes);
        for (int i = list.size() - 1; i >= 0; i--) {
            if (RdmaPtr.node(list.get(i)) == memoryNode) {
                long pointer = list.remove(i);
                held.remove(pointer);
                return pointer;
            }
        }
        return RdmaPtr.NULL;
    }

    /** Records that a block is being freed or retired; before {@link #put}. */
    void hold(long pointer) {
        if (!held.add(pointer)) {
            throw new InvalidFreeException(
                    pointer, "the block at (" + RdmaPtr.toString(pointer) + ") is given back twice by the same thread");
        }
    }

    /** Ends {@link #hold}: another thread holds the block from now on. */
    void release(long pointer) {
        held.remove(pointer);
    }

    /** Adds a recorded block to the free blocks of {@link #take}. */
    void put(long pointer, long bytes) {
        list(bytes).push(pointer);
    }

    /** The number of free blocks of this size. */
    int size(long bytes) {
        return list(bytes).size();
    }

    private LongStack list(long bytes) {
        long sizeClass = bytes / SegmentLayout.BLOCK - 1;
        if (sizeClass >= SMALL_CLASSES) {
            return large.computeIfAbsent(bytes, b -> new LongStack());
        }
        LongStack list = small[(int) sizeClass];
        if (list == null) {
            list = new LongStack();
            small[(int) sizeClass] = list;
        }
        return list;
    }

    /** A growing stack of longs. */
    private static final class LongStack {
        private long[] items = new long[16];
        private int size;

        int size() {
            return size;
        }

        void push(long item) {
            if (size == items.length) {
                items = Arrays.copyOf(items, size * 2);
            }
            items[size++] = item;
        }

        long pop() {
            return items[--size];
        }

        long get(int i) {
            return items[i];
        }

        /** Removes an item, whose place the last one takes. */
        long remove(int i) {
            long item = items[i];
            items[i] = pop();
            return item;
        }
    }
}
