// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;

/** A thread's view of a {@link TurnRing}, and its operations on it. Head and tail only grow. */
final class TurnAccess {
    /**
     * How often an operation looks before it closes the position that another one has claimed. A dequeue that has done
     * so looks twice as often at the next one, since otherwise it might overtake the same producer again and again.
     */
    static final int PATIENCE = 4;

    /** A thread that waits looks at what all threads use only so often. */
    static final int LOOKS_AT_ALL = 16;

    /** The places in local memory: what an atomic returned, the tail and the word behind it, and words of cells. */
    private static final int RESULT = 0;

    private static final int TAIL = Long.BYTES;
    private static final int CELLS = 3 * Long.BYTES;

    /** At most so many cells are READ at once. */
    private static final int MOST_CELLS = 256;

    /** There are places for the cells of a batch, even if the ring has fewer. */
    private static final int LEAST_CELLS = Sequence.capacity();

    private final TurnRing ring;
    private final TurnWords words;
    private final String name;
    private final int places;
    private LocalBuffer local;
    private long head;
    private long tail;

    /** The positions whose cells were READ last. */
    private long firstRead;

    private long endRead;

    TurnAccess(TurnRing ring, TurnWords words, String name, ComputeThread ct) {
        this.ring = ring;
        this.words = words;
        this.name = name;
        this.places = Math.max(LEAST_CELLS, Math.min(ring.length(), MOST_CELLS));
        this.local = allocate(ct);
        lookAtTail(ct);
        lookAtHead(ct);
    }

    private LocalBuffer allocate(ComputeThread ct) {
        return ct.allocateLocal(CELLS + (long) places * Long.BYTES);
    }

    /** After a failure, outstanding operations may still use the old local memory: they keep it. */
    void renewLocal(ComputeThread ct) {
        local = allocate(ct);
    }

    // ------------------------------------------------------------------------------------------------ head and tail

    /** All positions below it have been claimed by dequeues. There may be more. */
    long head() {
        return head;
    }

    /** All positions below it have been claimed by enqueues. There may be more. */
    long tail() {
        return tail;
    }

    /** READs the head, and returns it. */
    long lookAtHead(ComputeThread ct) {
        head = ring.head.load(ct);
        return head;
    }

    /**
     * READs the tail, and returns it.
     *
     * @throws QueueDestroyedException if the queue has been destroyed
     */
    long lookAtTail(ComputeThread ct) {
        ct.read(ring.tail.pointer(), local, TAIL, 2 * Long.BYTES);
        return tailRead();
    }

    private long tailRead() {
        if (local.getLong(TAIL + Long.BYTES) != 0) {
            throw new QueueDestroyedException(name + " has been destroyed");
        }
        tail = local.getLong(TAIL);
        return tail;
    }

    /** READs the head and then the tail, in this order: READs overtake nothing. */
    void lookAtBoth(ComputeThread ct) {
        ct.sequence()
                .read(ring.head.pointer(), local, RESULT, Long.BYTES)
                .read(ring.tail.pointer(), local, TAIL, 2 * Long.BYTES)
                .execute();
        head = local.getLong(RESULT);
        tailRead();
    }

    /** Claims the next positions to be dequeued; returns the first. */
    long claimHead(int count, ComputeThread ct) {
        long position = ct.fetchAndAdd(ring.head.pointer(), count);
        head = position + count;
        return position;
    }

    /** Claims the next positions to be enqueued, at the end of a sequence, which is executed; returns the first. */
    long claimTail(int count, Sequence sequence) {
        sequence.fetchAndAdd(ring.tail.pointer(), count, local, RESULT).execute();
        long position = local.getLong(RESULT);
        tail = position + count;
        return position;
    }

    /** Whether a block is on the same Memory Node as the ring, so that a sequence can change both. */
    boolean isBeside(long block) {
        return RdmaPtr.node(block) == memoryNode();
    }

    /** The Memory Node of the ring. */
    int memoryNode() {
        return RdmaPtr.node(ring.pointer());
    }

    // ------------------------------------------------------------------------------------------------ cells

    /** READs the cell of a position. */
    long look(long position, ComputeThread ct) {
        return ct.read(ring.cell(position));
    }

    /** READs the cell of a position; returns whether its turn is over. */
    boolean isOver(long position, ComputeThread ct) {
        long word = look(position, ct);
        return !isOpen(position, word) && !hasItem(position, word);
    }

    /** READs the cell of a position, and the tail. */
    long lookWithTail(long position, ComputeThread ct) {
        ct.sequence()
                .read(ring.cell(position), local, RESULT, Long.BYTES)
                .read(ring.tail.pointer(), local, TAIL, 2 * Long.BYTES)
                .execute();
        tailRead();
        return local.getLong(RESULT);
    }

    /**
     * READs the cells of some positions, and the tail. The words are those of {@link #scan}.
     *
     * @param count at most as many as are READ at once
     */
    void lookWithTail(long position, int count, ComputeThread ct) {
        int inFront = Math.min(count, ring.length() - ring.index(position));
        Sequence sequence = ct.sequence().read(ring.cell(position), local, CELLS, inFront * Long.BYTES);
        if (inFront < count) {
            int bytes = (count - inFront) * Long.BYTES;
            sequence.read(ring.cell(position + inFront), local, CELLS + (long) inFront * Long.BYTES, bytes);
        }
        sequence.read(ring.tail.pointer(), local, TAIL, 2 * Long.BYTES).execute();
        firstRead = position;
        endRead = position + count;
        tailRead();
    }

    /** Begins to {@link #scan}. */
    void beginScan() {
        firstRead = 0;
        endRead = 0;
    }

    /** The cell of a position, in a loop over all up to an end. Many cells are READ at once. */
    long scan(long position, long end, ComputeThread ct) {
        if (position >= endRead) {
            int index = ring.index(position);
            int count = (int) Math.min(Math.min(places, ring.length() - index), end - position);
            ct.read(ring.cell(position), local, CELLS, count * Long.BYTES);
            firstRead = position;
            endRead = position + count;
        }
        assert position >= firstRead
                : "position " + position + " was passed: the cells from " + firstRead + " are READ";
        return local.getLong(CELLS + (position - firstRead) * Long.BYTES);
    }

    /**
     * Sees to it that nothing is put into the cell of a position any more, unless it has been. While a late cell has an
     * item of an earlier turn, that is so for a dequeue that has claimed the position, and for no other caller.
     *
     * @param word what the cell was when it was seen last
     * @return what it is now: the position's item, a word in which its turn is over, or the item in a late cell
     */
    long close(long position, long word, ComputeThread ct) {
        long turn = ring.turn(position);
        long seen = word;
        while (words.isOpen(turn, seen)) {
            long over = words.over(turn, seen);
            if (over == seen) {
                return seen;
            }
            try {
                long found = ct.compareAndSwap(ring.cell(position), seen, over);
                if (found == seen) {
                    return over;
                }
                seen = found;
            } catch (OutcomeUnknownException e) {
                ct.pause();
                seen = look(position, ct);
            }
        }
        return seen;
    }

    /**
     * Adds to a sequence that the item is taken out of the cell of a position, which this thread has claimed.
     *
     * @param word what the cell was when it was seen last
     */
    void addRemoval(long position, long word, Sequence sequence) {
        sequence.fetchAndAdd(ring.cell(position), words.removal(word), local, RESULT);
    }

    /** Executes a sequence; false if a lane broke, so that it need not have done anything. */
    boolean tryExecute(Sequence sequence, ComputeThread ct) {
        try {
            sequence.execute();
            return true;
        } catch (OutcomeUnknownException e) {
            ct.pause();
            return false;
        }
    }

    /** Takes the item out of the cell of a position, which this thread has claimed, unless it is out already. */
    void remove(long position, long word, ComputeThread ct) {
        while (hasItem(position, look(position, ct))) {
            Sequence sequence = ct.sequence();
            addRemoval(position, word, sequence);
            tryExecute(sequence, ct);
        }
    }

    /**
     * Puts an item into the cell of a position.
     *
     * @param block of the item, which is placed
     * @return false if the position's turn is over, or the item of an earlier turn is still there
     */
    boolean put(long position, long block, ComputeThread ct) {
        long turn = ring.turn(position);
        long item = words.item(turn, block);
        long expected = usual(position);
        while (true) {
            long found = ct.compareAndSwap(ring.cell(position), expected, item);
            if (found == expected) {
                return true;
            }
            if (!words.isOpen(turn, found)
                    || words.hasItem(found)
                    || words.isLate(found) && lookAtHead(ct) > position) {
                return false;
            }
            expected = found; // the turn before was skipped
        }
    }

    /** What the cell of a position is, as a rule, when its item is put there. */
    private long usual(long position) {
        return words.over(ring.turn(position) - 1);
    }

    /** Adds to a sequence that an item is put into the cell of a position, if that is as usual. */
    void addPut(long position, long block, int place, Sequence sequence) {
        long item = words.item(ring.turn(position), block);
        sequence.compareAndSwap(ring.cell(position), usual(position), item, local, CELLS + (long) place * Long.BYTES);
    }

    /** Whether an item was put, as {@link #addPut} says. */
    boolean isPut(long position, int place) {
        return local.getLong(CELLS + (long) place * Long.BYTES) == usual(position);
    }

    /** Whether a position's item is in a word of its cell. */
    boolean hasItem(long position, long word) {
        return words.holds(ring.turn(position), word);
    }

    /** Whether a position's item may still be put into its cell. */
    boolean isOpen(long position, long word) {
        return words.isOpen(ring.turn(position), word);
    }
}
