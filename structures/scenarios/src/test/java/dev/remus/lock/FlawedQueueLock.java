// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import dev.remus.simulation.scenario.LockHandle;

/**
 * A flawed queue lock, whose mistakes the simulator must find. Without a mistake it is right, but has a limited number
 * of tickets, and no thread may be lost.
 */
final class FlawedQueueLock implements LockHandle {
    /** The mistakes. */
    enum Flaw {
        /** None. */
        NONE,
        /** The lock is released before the WRITEs posted inside are placed. */
        RELEASE_BEFORE_PLACED,
        /** An abandoned ticket is passed by without a mark, and its owner resumes it. */
        PASSED_BY_WITHOUT_SWAP,
        /** An abandoned ticket is resumed without a check whether it was passed by. */
        RESUMED_WITHOUT_SWAP,
        /** A ticket that is passed by counts as one whose turn is over, whatever is before it. */
        SKIPPED_IS_RELEASED,
        /** A ticket that its owner has not claimed yet is passed by. */
        UNCLAIMED_IS_SKIPPED,
        /** An abandoned ticket is never passed by. */
        ABANDONED_NOT_PASSED,
        /** A ticket is passed by as soon as its owner gives up, although a thread before it holds the lock. */
        PASSED_BY_TOO_SOON,
        /** The next waiter is woken before the WRITEs posted inside are placed. */
        WOKEN_BEFORE_PLACED,
        /** A waiter takes any new value of its own word for its turn, also one that arrives late. */
        ANY_VALUE_WAKES
    }

    private static final int TICKETS = 200;
    private static final long FREE = 0;
    private static final long CLAIMED = 1;
    private static final long RELEASED = 2;
    private static final long ABANDONED = 3;
    private static final long SKIPPED = 4;
    private static final int NONE = -1;

    private static final class Shared extends RemoteRecord {
        private final RemoteLong next = longField();
        private final RemoteLongArray places = longArrayField(TICKETS);
        private final RemoteLongArray waiters = longArrayField(TICKETS);
    }

    private static final int MOST_ABANDONED = 3;

    private final Shared This = new Shared();
    private final Flaw flaw;
    private int ticket;
    private int abandoned = NONE;

    /** This view's own word, to which the end of the ticket before is written. */
    private long own;

    private long seen = NONE;

    FlawedQueueLock(RdmaPtr<?> This, Flaw flaw) {
        this.This.at(This);
        this.flaw = flaw;
    }

    static RdmaPtr<?> create(ComputeThread ct) {
        Shared shared = new Shared();
        shared.allocate(ct);
        shared.next.stage(1, ct);
        for (int i = 0; i < TICKETS; i++) {
            shared.places.stage(i, i == 0 ? RELEASED : FREE, ct);
            shared.waiters.stage(i, RdmaPtr.NULL, ct);
        }
        shared.storeStaged(ct);
        return new RdmaPtr<>(shared.pointer());
    }

    @Override
    public Acquisition acquire(ComputeThread ct) {
        return tryAcquire(Long.MAX_VALUE, ct);
    }

    @Override
    public Acquisition tryAcquire(long nanos, ComputeThread ct) {
        long start = ct.nanoTime();
        if (!resume(ct)) {
            if (wakes()) {
                openOwn(ct);
            }
            ticket = (int) This.next.fetchAdd(1, ct);
            if (wakes()) {
                This.waiters.store(ticket, own, ct);
            }
            This.places.compareAndSet(ticket, FREE, CLAIMED, ct);
        }
        while (!isWoken(ct) && !isFirst(ct)) {
            if (ct.nanoTime() - start >= nanos) {
                This.places.compareAndSet(ticket, CLAIMED, ABANDONED, ct);
                abandoned = ticket;
                return Acquisition.TIMED_OUT;
            }
            ct.pause();
        }
        return Acquisition.NORMAL;
    }

    private void openOwn(ComputeThread ct) {
        if (own == RdmaPtr.NULL) {
            own = ct.allocateNear(Long.BYTES);
            ct.write(own, NONE);
        }
    }

    /** The mistakes in reading the line are planted in a lock whose waiters are not woken: there they matter. */
    private boolean wakes() {
        return flaw == Flaw.NONE || flaw == Flaw.WOKEN_BEFORE_PLACED || flaw == Flaw.ANY_VALUE_WAKES;
    }

    private boolean isWoken(ComputeThread ct) {
        if (!wakes()) {
            return false;
        }
        long ended = ct.read(own);
        boolean isNew = ended != seen;
        seen = ended;
        return ended == ticket - 1 || isNew && flaw == Flaw.ANY_VALUE_WAKES;
    }

    /** Wakes the next waiter, behind tickets that were given up. */
    private void wakeNext(ComputeThread ct) {
        for (int t = ticket + 1; t <= ticket + MOST_ABANDONED && t < TICKETS; t++) {
            long state = This.places.load(t, ct);
            if (state == CLAIMED) {
                ct.write(This.waiters.load(t, ct), ticket);
            }
            if (state != ABANDONED && state != SKIPPED) {
                return;
            }
        }
    }

    private boolean resume(ComputeThread ct) {
        if (abandoned == NONE) {
            return false;
        }
        ticket = abandoned;
        abandoned = NONE;
        return This.places.compareAndSet(ticket, ABANDONED, CLAIMED, ct)
                || flaw == Flaw.RESUMED_WITHOUT_SWAP && This.places.compareAndSet(ticket, SKIPPED, CLAIMED, ct);
    }

    private boolean isFirst(ComputeThread ct) {
        int last = ticket - 1;
        for (; ; last--) {
            long state = This.places.load(last, ct);
            if (state == RELEASED || state == SKIPPED && flaw == Flaw.SKIPPED_IS_RELEASED) {
                break;
            }
            boolean isPassed = state == SKIPPED
                    || state == FREE && flaw == Flaw.UNCLAIMED_IS_SKIPPED
                    || state == ABANDONED && flaw != Flaw.ABANDONED_NOT_PASSED && mayPass(last, ct);
            if (!isPassed) {
                return false;
            }
        }
        for (int t = ticket - 1; t > last; t--) {
            if (!isSkipped(t, ct)) {
                return false;
            }
        }
        return true;
    }

    private boolean mayPass(int place, ComputeThread ct) {
        return flaw != Flaw.PASSED_BY_TOO_SOON || This.places.compareAndSet(place, ABANDONED, RELEASED, ct);
    }

    private boolean isSkipped(int place, ComputeThread ct) {
        if (flaw == Flaw.PASSED_BY_WITHOUT_SWAP || flaw == Flaw.UNCLAIMED_IS_SKIPPED) {
            return true;
        }
        return This.places.compareAndSet(place, ABANDONED, SKIPPED, ct) || This.places.load(place, ct) == SKIPPED;
    }

    @Override
    public void makeConsistent() {
        throw new UnsupportedOperationException("no holder is lost");
    }

    @Override
    public void release(ComputeThread ct) {
        if (flaw == Flaw.WOKEN_BEFORE_PLACED) {
            wakeNext(ct);
        }
        if (flaw != Flaw.RELEASE_BEFORE_PLACED) {
            ct.place();
        }
        This.places.compareAndSet(ticket, CLAIMED, RELEASED, ct);
        if (wakes() && flaw != Flaw.WOKEN_BEFORE_PLACED) {
            wakeNext(ct);
        }
    }

    @Override
    public long ticket() {
        return ticket;
    }
}
