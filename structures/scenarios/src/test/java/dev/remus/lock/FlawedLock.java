// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import dev.remus.simulation.scenario.LockHandle;

/**
 * A flawed lock, whose mistakes the simulator must find. Without a mistake it is right, but has a limited number of
 * tickets.
 */
final class FlawedLock implements LockHandle {
    /** The mistakes. */
    enum Flaw {
        /** None. */
        NONE,
        /** The lock is passed on by a plain WRITE, which the next owner's failing compare-and-swap undoes. */
        RELEASE_BY_STORE,
        /** The lock is passed on before the WRITEs posted inside are placed. */
        RELEASE_BEFORE_PLACED,
        /** A ticket is abandoned without a check whether its turn has just come. */
        LOST_WAKE_UP,
        /** An abandoned ticket has its turn, and no thread takes it. */
        ABANDONED_NOT_SKIPPED,
        /** The owner's turn is read in one step and taken in another. */
        LOOK_THEN_TAKE,
        /** The first thread that reads the free lock gets it, whatever its ticket. */
        BARGING
    }

    private static final int TICKETS = 100;
    private static final long FREE = 0;
    private static final long GRANTED = 1;
    private static final long WAITING = 2;
    private static final long HELD = 3;
    private static final long ABANDONED = 4;

    private static final class Shared extends RemoteRecord {
        private final RemoteLong next = longField();
        private final RemoteLong taken = longField();
        private final RemoteLongArray entries = longArrayField(TICKETS);
    }

    private final Shared This = new Shared();
    private final Flaw flaw;
    private int ticket;

    FlawedLock(RdmaPtr<?> This, Flaw flaw) {
        this.This.at(This);
        this.flaw = flaw;
    }

    static RdmaPtr<?> create(ComputeThread ct) {
        Shared shared = new Shared();
        shared.allocate(ct);
        shared.next.store(0, ct);
        shared.taken.store(0, ct);
        for (int i = 0; i < TICKETS; i++) {
            shared.entries.post(i, i == 0 ? GRANTED : FREE, ct);
        }
        ct.place();
        return new RdmaPtr<>(shared.pointer());
    }

    @Override
    public Acquisition acquire(ComputeThread ct) {
        return tryAcquire(Long.MAX_VALUE, ct);
    }

    @Override
    public Acquisition tryAcquire(long nanos, ComputeThread ct) {
        long start = ct.nanoTime();
        ticket = (int) This.next.fetchAdd(1, ct);
        if (flaw == Flaw.BARGING) {
            while (!This.taken.compareAndSet(0, 1, ct)) {
                ct.pause();
            }
            return Acquisition.NORMAL;
        }
        if (!This.entries.compareAndSet(ticket, FREE, WAITING, ct)) {
            This.entries.compareAndSet(ticket, GRANTED, HELD, ct);
        }
        while (!hasTurn(ct)) {
            if (ct.nanoTime() - start >= nanos && abandon(ct)) {
                return Acquisition.TIMED_OUT;
            }
            ct.pause();
        }
        return Acquisition.NORMAL;
    }

    @Override
    public void makeConsistent() {
        throw new UnsupportedOperationException("no holder is lost");
    }

    private boolean hasTurn(ComputeThread ct) {
        if (flaw == Flaw.LOOK_THEN_TAKE && ticket > 0) {
            return This.entries.load(ticket - 1, ct) >= HELD; // held, not yet released
        }
        return This.entries.load(ticket, ct) == HELD;
    }

    private boolean abandon(ComputeThread ct) {
        if (flaw == Flaw.LOST_WAKE_UP) {
            This.entries.store(ticket, ABANDONED, ct);
            return true;
        }
        return This.entries.compareAndSet(ticket, WAITING, ABANDONED, ct);
    }

    @Override
    public void release(ComputeThread ct) {
        if (flaw != Flaw.RELEASE_BEFORE_PLACED) {
            ct.place();
        }
        if (flaw == Flaw.BARGING) {
            This.taken.compareAndSet(1, 0, ct);
            return;
        }
        int next = ticket + 1;
        while (!grant(next, ct)) {
            next++;
        }
    }

    private boolean grant(int next, ComputeThread ct) {
        while (true) {
            long seen = This.entries.load(next, ct);
            if (seen == ABANDONED && flaw != Flaw.ABANDONED_NOT_SKIPPED) {
                return false;
            }
            long desired = seen == WAITING ? HELD : GRANTED;
            if (flaw == Flaw.RELEASE_BY_STORE) {
                This.entries.store(next, desired, ct);
                return true;
            }
            if (This.entries.compareAndSet(next, seen, desired, ct)) {
                return true;
            }
        }
    }

    @Override
    public long ticket() {
        return ticket;
    }
}
