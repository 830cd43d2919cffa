// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import dev.remus.record.Codec;
import java.nio.ByteBuffer;

/**
 * A thread's own cells of a {@link LockFreeQueue}, used in turn.
 *
 * <pre>
 *  positions   ... released          taken            released + cells
 *  ---------------+-----------------+----------------+----------------------
 *                 | taken, oldest   | free           |
 *                 | first           |                |
 * </pre>
 *
 * <p>Position p is cell p mod the number of cells. A thread links its cells in the order in which it takes them, so
 * they are also dequeued in this order: all up to the last one that is DEQUEUED have left the queue. That holds even
 * for a cell whose linking failed with an unknown outcome, when a later one has been DEQUEUED: if it was linked, it was
 * dequeued too; if it was not, it never will be, since the cell that it was to follow has another successor.
 *
 * <p>States and links of free cells are fetched into plain local memory, not into record views: a batch of cells would
 * need a view for each, and the words also receive the results of compare-and-swaps.
 */
final class CellPool<T> {
    /** The state and the link of a cell, its first two words. */
    private static final int PAIR = 2 * Long.BYTES;

    private static final int MAX_WRITE_BYTES = 1 << 16;

    private final CellList list;
    private final CellWords words;
    private final CellDirectory directory;
    private final Codec<T> codec;
    private final int owner;
    private final int number;
    private final int cells;

    /** The cell that is begun; its copy is what is written. */
    private QueueCell<T> fresh;

    /** States and links of free cells, from position {@code firstFetched} on, and what COMPARE_AND_SWAPs return. */
    private LocalBuffer pairs;

    private boolean isOpen;

    /** The highest generation seen, as a word. */
    private long stamp;

    private long released;
    private long taken;
    private long firstFetched;
    private long fetched;

    /** The pool of this thread, which need not have been allocated. */
    CellPool(CellList list, CellWords words, CellDirectory directory, int cells, Codec<T> codec, ComputeThread ct) {
        this.list = list;
        this.words = words;
        this.directory = directory;
        this.codec = codec;
        this.owner = ct.id();
        this.number = owner + 1;
        this.cells = cells;
        this.fresh = new QueueCell<>(codec, directory.drawing());
        this.pairs = allocatePairs(ct);
    }

    private static LocalBuffer allocatePairs(ComputeThread ct) {
        return ct.allocateLocal((long) Sequence.capacity() * PAIR);
    }

    /** After a failure, outstanding operations may still use the old local memory: they keep it. */
    void renewLocal(ComputeThread ct) {
        fresh = new QueueCell<>(codec, directory.drawing());
        pairs = allocatePairs(ct);
        fetched = taken;
    }

    // ------------------------------------------------------------------------------------------------ opening

    /**
     * Before the first enqueue: allocates the cells, or takes up those that an earlier handle of this thread has used.
     */
    void open(long generation, ComputeThread ct) {
        if (isOpen) {
            return;
        }
        stamp = words.nil(generation);
        long base = list.pools.load(owner, ct);
        boolean isNew = base == RdmaPtr.NULL;
        if (isNew) {
            base = ct.allocateNear(directory.poolBytes());
            fillWithZeros(base, ct);
            list.pools.store(owner, base, ct);
        }
        directory.learn(number, base);
        if (!isNew) {
            resume(ct);
        }
        isOpen = true; // not before all of it is known: what failed is tried again
    }

    private void fillWithZeros(long base, ComputeThread ct) {
        long bytes = directory.poolBytes();
        ByteBuffer zeros = ByteBuffer.allocate((int) Math.min(bytes, MAX_WRITE_BYTES));
        for (long done = 0; done < bytes; done += zeros.capacity()) {
            ct.write(base + done, zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - done)));
        }
    }

    private void resume(ComputeThread ct) {
        long latest = CellWords.NEVER_USED;
        released = 0;
        for (int i = 0; i < cells; i++) {
            long state = state(i, ct);
            if (state != CellWords.NEVER_USED && (latest == CellWords.NEVER_USED || words.isLater(state, latest))) {
                latest = state;
                released = i + 1L;
            }
        }
        taken = released + cells;
        fetched = taken;
        while (released < taken && state(index(released), ct) == CellWords.NEVER_USED) {
            released++;
        }
        if (latest != CellWords.NEVER_USED) { // which looks like generation 0, and that may seem to be a later one
            see(latest);
        }
    }

    private long state(int index, ComputeThread ct) {
        fresh.at(directory.pointer(number, index));
        return fresh.state.load(ct);
    }

    private int index(long position) {
        return (int) (position % cells);
    }

    // ------------------------------------------------------------------------------------------------ taking a cell

    boolean hasFree() {
        return taken < released + cells;
    }

    /** The generation of the next cell will be above this one's. */
    void see(long reference) {
        if (words.isLater(reference, stamp)) {
            stamp = words.nil(reference);
        }
    }

    /**
     * Begins a new life of the next free cell: IN_QUEUE, without a successor, and with an item. All of it is placed
     * when this returns, and nothing refers to it. Until then, or if it fails, any part of the new life may be there
     * without the others. Nothing is lost: a free cell is DEQUEUED, so its item does not count, and the new nil is one
     * of another life.
     *
     * @return the reference to it
     */
    long newCell(T value, ComputeThread ct) {
        int index = index(taken);
        fresh.at(directory.pointer(number, index));
        fresh.item.stage(value, ct);
        long mine = words.reference(words.generation(stamp) + 1, number, index);
        see(mine); // now: if this fails, no other cell may get the same generation
        if (taken == fetched) {
            fetch(ct);
        }
        int at = (int) (taken - firstFetched) * PAIR;
        long state = pairs.getLong(at);
        long link = pairs.getLong(at + Long.BYTES);
        taken++; // even if this fails: it may have been carried out
        Sequence sequence = ct.sequence()
                .compareAndSwap(fresh.state.pointer(), state, words.inQueue(mine), pairs, at)
                .compareAndSwap(fresh.next.pointer(), link, words.nil(mine), pairs, at + Long.BYTES);
        fresh.item.storeStagedIn(sequence);
        sequence.execute();
        if (pairs.getLong(at) != state || pairs.getLong(at + Long.BYTES) != link) {
            throw new IllegalStateException(
                    ct + " uses this queue through two handles: it needs to enqueue through one only");
        }
        return mine;
    }

    /**
     * READs the states and links of the next free cells. No other thread changes a free cell, so they stay as they are.
     */
    private void fetch(ComputeThread ct) {
        firstFetched = taken;
        fetched = Math.min(released + cells, taken + Sequence.capacity());
        Sequence sequence = ct.sequence();
        for (long p = taken; p < fetched; p++) {
            sequence.read(directory.pointer(number, index(p)), pairs, (p - taken) * PAIR, PAIR);
        }
        sequence.execute();
    }

    // ------------------------------------------------------------------------------------------------ releasing cells

    /**
     * The position of the last taken cell that is DEQUEUED, or -1 if none is. To be called when no cell is free. A cell
     * whose beginning failed may still be as its last life left it: that one's generation is below those of cells taken
     * before.
     */
    long lastDequeued(ComputeThread ct) {
        long last = -1;
        long latest = CellWords.NEVER_USED;
        for (long start = released; start < taken; start += Sequence.capacity()) {
            long end = Math.min(taken, start + Sequence.capacity());
            Sequence sequence = ct.sequence();
            for (long p = start; p < end; p++) {
                sequence.read(directory.pointer(number, index(p)), pairs, (p - start) * PAIR, Long.BYTES);
            }
            sequence.execute();
            for (long p = start; p < end; p++) {
                long state = pairs.getLong((p - start) * PAIR);
                if (state != CellWords.NEVER_USED && (latest == CellWords.NEVER_USED || words.isLater(state, latest))) {
                    latest = state;
                    last = words.isDequeued(state) ? p : last;
                }
            }
        }
        return last;
    }

    /** Makes the cells up to a position free, unless the last of them is the one that is referred to. */
    void release(long last, long except) {
        boolean isExcepted = words.pool(except) == number && words.index(except) == index(last);
        released = isExcepted ? last : last + 1;
    }
}
