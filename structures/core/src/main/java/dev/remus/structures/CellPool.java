package dev.remus.structures;

import dev.remus.fabric.LocalMemory;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;

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
 * <p>Position p is cell p mod the number of cells. A thread links its cells in the order in which it takes them, so they
 * are also dequeued in this order: all up to the last one that is DEQUEUED have left the queue. That holds even for a
 * cell whose linking failed with an unknown outcome, when a later one has been DEQUEUED: if it was linked, it was dequeued
 * too; if it was not, it never will be, since the cell that it was to follow has another successor.
 */
final class CellPool {
    private static final int PAIR = 2 * Long.BYTES;

    private final CellWords words;
    private final int number;
    private final int cells;
    private final int stride;
    private final long base;

    /** States and links of free cells, from position {@code firstFetched} on, and what COMPARE_AND_SWAPs return. */
    private LocalMemory local;

    private long released;
    private long taken;
    private long firstFetched;
    private long fetched;

    CellPool(CellWords words, int number, int cells, int stride, long base, ComputeThread ct) {
        this.words = words;
        this.number = number;
        this.cells = cells;
        this.stride = stride;
        this.base = base;
        renewLocal(ct);
    }

    /** After a failure, what is outstanding may still use the old memory: leaves that to it. */
    void renewLocal(ComputeThread ct) {
        local = ct.allocateLocal((long) Sequence.capacity() * PAIR);
        fetched = taken;
    }

    /**
     * Takes up a pool that an earlier handle of this thread has used.
     *
     * @return the last generation in it, as a word; any will do if none of its cells was ever used
     */
    long resume(ComputeThread ct) {
        long latest = CellWords.NEVER_USED;
        for (int i = 0; i < cells; i++) {
            long state = ct.read(address(i));
            if (state != CellWords.NEVER_USED && (latest == CellWords.NEVER_USED || words.isLater(state, latest))) {
                latest = state;
                released = i + 1L;
            }
        }
        taken = released + cells;
        fetched = taken;
        while (released < taken && ct.read(address(index(released))) == CellWords.NEVER_USED) {
            released++;
        }
        return words.nil(latest);
    }

    private int index(long position) {
        return (int) (position % cells);
    }

    private long address(int index) {
        return base + LockFreeQueue.STATE + (long) index * stride;
    }

    boolean hasFree() {
        return taken < released + cells;
    }

    /**
     * Takes the next free cell into a new generation, in which nobody has a reference to it yet.
     *
     * @param generation a word of the generation before: above all of this pool
     * @return the reference to it
     */
    long reference(long generation) {
        return words.reference(words.generation(generation) + 1, number, index(taken));
    }

    /**
     * Begins the life of the cell that {@link #reference} names: IN_QUEUE, without a successor, and with an item. All of
     * it is placed when this returns. The state comes first: whoever sees an item or a link of the new life and looks at
     * the state afterwards, sees a new generation there.
     *
     * @param item where the item is, in local memory
     */
    void begin(long reference, LocalMemory item, int offset, int bytes, ComputeThread ct) {
        if (taken == fetched) {
            fetch(ct);
        }
        long cell = base + (long) index(taken) * stride;
        int at = (int) (taken - firstFetched) * PAIR;
        long state = local.getLong(at);
        long link = local.getLong(at + Long.BYTES);
        taken++; // even if this fails: it may have been carried out
        ct.sequence()
                .compareAndSwap(cell + LockFreeQueue.STATE, state, words.inQueue(reference), local, at)
                .compareAndSwap(cell + LockFreeQueue.NEXT, link, words.nil(reference), local, at + Long.BYTES)
                .write(cell + LockFreeQueue.ITEM, item, offset, bytes)
                .execute();
        if (local.getLong(at) != state || local.getLong(at + Long.BYTES) != link) {
            throw new IllegalStateException(
                    ct + " uses this queue through two handles: it needs to enqueue through one only");
        }
    }

    /** Nobody but this thread changes a free cell: what is READ now, stays. */
    private void fetch(ComputeThread ct) {
        firstFetched = taken;
        fetched = Math.min(released + cells, taken + Sequence.capacity());
        Sequence sequence = ct.sequence();
        for (long p = taken; p < fetched; p++) {
            sequence.read(address(index(p)), local, (p - taken) * PAIR, PAIR);
        }
        sequence.execute();
    }

    /**
     * The position of the last taken cell that is DEQUEUED, or -1 if none is. To be called when no cell is free. A cell whose
     * beginning failed may still be as its last life left it: that one's generation is below those of cells taken before.
     */
    long lastDequeued(ComputeThread ct) {
        long last = -1;
        long latest = CellWords.NEVER_USED;
        for (long start = released; start < taken; start += Sequence.capacity()) {
            long end = Math.min(taken, start + Sequence.capacity());
            Sequence sequence = ct.sequence();
            for (long p = start; p < end; p++) {
                sequence.read(address(index(p)), local, (p - start) * PAIR, Long.BYTES);
            }
            sequence.execute();
            for (long p = start; p < end; p++) {
                long state = local.getLong((p - start) * PAIR);
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
