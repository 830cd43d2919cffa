// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.structures.spec.PooledQueueScenario;

/**
 * A flawed scalable queue, whose mistakes the simulator must find. Without a mistake it is right, and simple: there are
 * no sequences, and what it has seen of head and tail counts for one operation only.
 */
final class FlawedScalableQueue implements RemoteQueue<Long> {
    /** The mistakes. */
    enum Flaw {
        /** None. */
        NONE,
        /** The item is posted, and not placed when its block is in the cell. */
        PUT_BEFORE_PLACED,
        /** A dequeue goes on from an open position without closing it. */
        LEFT_OPEN,
        /** The same only while the item of an earlier turn is there. */
        LEFT_OPEN_BEHIND_AN_ITEM(6, 1, 6),
        /** An item is put into a cell without an item, even if its turn is over. */
        TURN_NOT_COMPARED,
        /** A dequeue that takes an item out forgets that later turns are over. */
        AHEAD_FORGOTTEN(6, 1, 6),
        /** A late cell is used without a look at the head. */
        HEAD_NOT_ASKED(6, 1, 1),
        /** The block is freed before the item is READ. */
        FREED_BEFORE_READ,
        /** EMPTY by a tail that was READ before a position was claimed. */
        EMPTY_BY_AN_EARLIER_TAIL(4, 2, 6),
        /** EMPTY by a tail that was READ before the head. */
        TAIL_BEFORE_HEAD(4, 2, 6),
        /** FULL by positions whatever is there. */
        POSITIONS_COUNT_AS_ITEMS,
        /** Positions whose item may still come do not count. */
        OPEN_DO_NOT_COUNT;

        /** The scenario in which it is searched for. */
        final int threads;

        final int capacity;
        final int aheadBits;

        Flaw() {
            this(4, 1, 6);
        }

        Flaw(int threads, int capacity, int aheadBits) {
            this.threads = threads;
            this.capacity = capacity;
            this.aheadBits = aheadBits;
        }
    }

    private static final int PATIENCE = 2;

    private final TurnRing This;
    private final TurnWords words;
    private final Flaw flaw;

    static PooledQueueScenario.Creator creator(int aheadBits) {
        return (capacity, ct) -> TurnRing.create(capacity, Codecs.LONG, 0, aheadBits, ct);
    }

    FlawedScalableQueue(RdmaPtr<?> This, Flaw flaw, ComputeThread ct) {
        this.This = TurnRing.open(new RdmaPtr<>(This.raw()), Codecs.LONG, ct);
        this.words = this.This.words();
        this.flaw = flaw;
    }

    // ------------------------------------------------------------------------------------------------ enqueue

    @Override
    public boolean tryEnqueue(Long item, ComputeThread ct) {
        if (!hasRoom(This.tail.load(ct), ct)) {
            return false;
        }
        long block = ct.allocate(Long.BYTES);
        if (flaw == Flaw.PUT_BEFORE_PLACED) {
            ct.post(block, item);
        } else {
            ct.write(block, item);
        }
        while (true) {
            long position = ct.fetchAndAdd(This.tail.pointer(), 1);
            if (!hasRoom(position, ct)) {
                close(position, ct.read(This.cell(position)), ct);
                ct.free(block, Long.BYTES);
                return false;
            }
            if (put(position, block, ct)) {
                return true;
            }
            ct.pause();
        }
    }

    private boolean put(long position, long block, ComputeThread ct) {
        long turn = This.turn(position);
        long expected = words.over(turn - 1);
        while (true) {
            long found = ct.compareAndSwap(This.cell(position), expected, words.item(turn, block));
            if (found == expected) {
                return true;
            }
            boolean isOpen = words.isOpen(turn, found) || flaw == Flaw.TURN_NOT_COMPARED;
            if (!isOpen || words.hasItem(found)) {
                return false;
            }
            if (words.isLate(found) && flaw != Flaw.HEAD_NOT_ASKED && This.head.load(ct) > position) {
                return false;
            }
            expected = found;
        }
    }

    private boolean hasRoom(long position, ComputeThread ct) {
        for (int looks = 0; ; looks++) {
            long head = This.head.load(ct);
            long items = 0;
            long open = 0;
            for (long p = head; p < position; p++) {
                long word = ct.read(This.cell(p));
                if (looks >= PATIENCE) {
                    word = close(p, word, ct);
                }
                items += words.holds(This.turn(p), word) ? 1 : 0;
                open += words.isOpen(This.turn(p), word) && flaw != Flaw.OPEN_DO_NOT_COUNT ? 1 : 0;
            }
            if (flaw == Flaw.POSITIONS_COUNT_AS_ITEMS) {
                items = position - head;
            }
            if (items + open < This.capacity()) {
                return true;
            }
            boolean isSure = This.head.load(ct) == head;
            if (isSure && (items >= This.capacity() || looks > PATIENCE)) {
                return false;
            }
            ct.pause();
        }
    }

    private long close(long position, long word, ComputeThread ct) {
        long turn = This.turn(position);
        long seen = word;
        while (words.isOpen(turn, seen) && words.over(turn, seen) != seen) {
            long found = ct.compareAndSwap(This.cell(position), seen, words.over(turn, seen));
            if (found == seen) {
                return words.over(turn, seen);
            }
            seen = found;
        }
        return seen;
    }

    // ------------------------------------------------------------------------------------------------ dequeue

    @Override
    public Dequeued<Long> tryDequeue(ComputeThread ct) {
        long early = This.tail.load(ct);
        long head = This.head.load(ct);
        if (head >= (flaw == Flaw.TAIL_BEFORE_HEAD ? early : This.tail.load(ct))) {
            return Dequeued.empty();
        }
        for (int patience = PATIENCE; ; ) {
            long before = This.tail.load(ct);
            long position = ct.fetchAndAdd(This.head.pointer(), 1);
            long turn = This.turn(position);
            long word = ct.read(This.cell(position));
            for (int i = 0; i < patience && words.isOpen(turn, word); i++) {
                ct.pause();
                word = ct.read(This.cell(position));
            }
            patience *= words.isOpen(turn, word) ? 2 : 1;
            boolean isLeft = flaw == Flaw.LEFT_OPEN || flaw == Flaw.LEFT_OPEN_BEHIND_AN_ITEM && words.hasItem(word);
            if (!isLeft) {
                word = close(position, word, ct);
            }
            if (words.holds(turn, word)) {
                return Dequeued.of(takeOut(position, word, ct));
            }
            if ((flaw == Flaw.EMPTY_BY_AN_EARLIER_TAIL ? before : This.tail.load(ct)) <= position + 1) {
                return Dequeued.empty();
            }
            ct.pause();
        }
    }

    private long takeOut(long position, long word, ComputeThread ct) {
        long block = words.pointer(word);
        if (flaw == Flaw.FREED_BEFORE_READ) {
            ct.free(block, Long.BYTES);
        }
        long item = ct.read(block);
        if (flaw == Flaw.AHEAD_FORGOTTEN) {
            long turn = This.turn(position);
            for (long seen = word; ; ) {
                long found = ct.compareAndSwap(This.cell(position), seen, words.over(turn));
                if (found == seen) {
                    break;
                }
                seen = found;
            }
        } else {
            ct.fetchAndAdd(This.cell(position), words.removal(word));
        }
        if (flaw != Flaw.FREED_BEFORE_READ) {
            ct.free(block, Long.BYTES);
        }
        return item;
    }

    @Override
    public void destroy(ComputeThread ct) {}
}
