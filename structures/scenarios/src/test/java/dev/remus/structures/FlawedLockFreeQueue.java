// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;

/**
 * A flawed lock-free queue, whose mistakes the simulator must find. Without a mistake it is right, and simple: a thread
 * uses only its own hints, and there are no batches.
 */
final class FlawedLockFreeQueue implements RemoteQueue<Long> {
    /** The mistakes. */
    enum Flaw {
        /** None. */
        NONE,
        /** A link is compared without the generation of the cell that it is in. */
        NO_GENERATION_IN_LINK,
        /** A cell's state is not read again after its link. */
        STATE_AND_LINK_IN_ONE_READ,
        /** A nil link that was READ before the state counts as one that was READ after it. */
        EMPTY_BY_AN_EARLIER_LINK,
        /** DEQUEUED cells are reused before the horizon has moved past them. */
        USED_AGAIN_BEFORE_THE_HORIZON,
        /** A cell is linked before its item is placed. */
        LINKED_BEFORE_PLACED
    }

    private static final int LINE = 64;
    private static final int STATE = 0;
    private static final int NEXT = 8;
    private static final int ITEM = 16;
    private static final int CELL = 24;

    private static final class Shared extends RemoteRecord {
        private final RemoteLong cells = longField();
        private final RemoteLong horizon = longField();
        private final RemoteLongArray pools;

        Shared(int threads) {
            pools = longArrayField(threads + 1);
        }
    }

    private final Flaw flaw;
    private final Shared This;
    private final CellWords words;
    private final int cells;
    private final int me;
    private final LocalBuffer local;
    private long stamp;
    private long tail;
    private long head;
    private long released;
    private long taken;

    static RdmaPtr<?> create(int capacity, ComputeThread ct) {
        int threads = ct.threads();
        CellWords words = new CellWords(threads + 1, capacity + 1);
        Shared shared = new Shared(threads);
        shared.allocate(ct);
        shared.cells.store(capacity + 1L, ct);
        long first = words.reference(1, threads + 1, 0);
        for (int i = 0; i <= threads; i++) {
            long pool = ct.allocate((capacity + 1L) * LINE);
            for (long j = 0; j <= capacity; j++) {
                ct.write(pool + j * LINE + STATE, 0);
                ct.write(pool + j * LINE + NEXT, 0);
            }
            shared.pools.store(i, pool, ct);
            if (i == threads) {
                ct.write(pool + STATE, words.dequeued(first));
                ct.write(pool + NEXT, words.nil(first));
            }
        }
        shared.horizon.store(first, ct);
        return new RdmaPtr<>(shared.pointer());
    }

    FlawedLockFreeQueue(RdmaPtr<?> This, Flaw flaw, ComputeThread ct) {
        this.flaw = flaw;
        this.This = new Shared(ct.threads());
        this.This.at(This);
        this.cells = (int) this.This.cells.load(ct);
        this.words = new CellWords(ct.threads() + 1, cells);
        this.me = ct.id();
        this.local = ct.allocateLocal(64);
        this.head = this.This.horizon.load(ct);
        this.tail = head;
    }

    private long address(long reference, ComputeThread ct) {
        return This.pools.load(words.pool(reference) - 1, ct) + (long) words.index(reference) * LINE;
    }

    private long nil(long reference) {
        return flaw == Flaw.NO_GENERATION_IN_LINK ? 0 : words.nil(reference);
    }

    @Override
    public boolean tryEnqueue(Long item, ComputeThread ct) {
        if (taken == released + cells) {
            reclaim(ct);
            if (taken == released + cells) {
                return false;
            }
        }
        stamp += words.reference(1, 0, 0);
        long mine = words.reference(words.generation(stamp), me + 1, (int) (taken++ % cells));
        long cell = address(mine, ct);
        ct.compareAndSwap(cell + STATE, ct.read(cell + STATE), words.inQueue(mine));
        ct.compareAndSwap(cell + NEXT, ct.read(cell + NEXT), nil(mine));
        if (flaw == Flaw.LINKED_BEFORE_PLACED) {
            ct.post(cell + ITEM, item);
        } else {
            ct.write(cell + ITEM, item);
        }
        while (true) {
            long nil = nil(tail);
            long next = ct.compareAndSwap(address(tail, ct) + NEXT, nil, mine);
            if (next == nil) {
                stamp = words.isLater(tail, stamp) ? words.nil(tail) : stamp;
                tail = mine;
                return true;
            }
            if (words.isNil(next)) {
                tail = This.horizon.load(ct);
                ct.pause();
            } else {
                tail = next;
            }
        }
    }

    @Override
    public Dequeued<Long> tryDequeue(ComputeThread ct) {
        while (findFirst(ct)) {
            long inQueue = words.inQueue(head);
            if (ct.compareAndSwap(address(head, ct) + STATE, inQueue, words.dequeued(head)) == inQueue) {
                return Dequeued.of(local.getLong(ITEM));
            }
        }
        return Dequeued.empty();
    }

    private boolean findFirst(ComputeThread ct) {
        while (true) {
            long cell = address(head, ct);
            ct.read(cell, local, 0, CELL);
            if (flaw == Flaw.STATE_AND_LINK_IN_ONE_READ) {
                local.putLong(CELL + STATE, local.getLong(STATE));
                local.putLong(CELL + NEXT, local.getLong(NEXT));
            } else {
                ct.read(cell, local, CELL, ITEM);
            }
            long state = local.getLong(CELL + STATE);
            if (!words.isSameGeneration(state, head)) {
                head = This.horizon.load(ct);
                ct.pause();
            } else if (!words.isDequeued(state)) {
                return true;
            } else if (!words.isNil(local.getLong(NEXT))) {
                head = local.getLong(NEXT);
            } else if (flaw == Flaw.EMPTY_BY_AN_EARLIER_LINK
                    || words.isDequeued(local.getLong(STATE)) && words.isNil(local.getLong(CELL + NEXT))) {
                return false;
            }
        }
    }

    private void reclaim(ComputeThread ct) {
        long last = taken - 1;
        while (last >= released && !isDequeued(last, ct)) {
            last--;
        }
        long horizon = This.horizon.load(ct);
        while (last >= released && flaw != Flaw.USED_AGAIN_BEFORE_THE_HORIZON) {
            findFirst(ct);
            long found = This.horizon.compareAndExchange(horizon, head, ct);
            if (found == horizon) {
                break;
            }
            horizon = found;
            ct.pause();
        }
        boolean isLast = words.pool(head) == me + 1 && words.index(head) == last % cells;
        released = Math.max(released, isLast ? last : last + 1);
    }

    private boolean isDequeued(long position, ComputeThread ct) {
        return words.isDequeued(ct.read(This.pools.load(me, ct) + position % cells * LINE + STATE));
    }

    @Override
    public void destroy(ComputeThread ct) {}
}
