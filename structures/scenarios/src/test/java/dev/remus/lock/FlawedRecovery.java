// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import dev.remus.fabric.NodeLostException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import dev.remus.simulation.scenario.LockHandle;

/**
 * A flawed recovery of a lock whose holders die, whose mistakes the simulator must find. Without a mistake it has a
 * limited number of tickets, unlike the shipped lock.
 *
 * <pre>
 *  entry of a ticket  63       4 3     0
 *                    +----------+-------+
 *                    | thread   | state |
 *                    +----------+-------+
 * </pre>
 */
final class FlawedRecovery implements LockHandle {
    /** The mistakes. */
    enum Flaw {
        /** None. */
        NONE,
        /** The turn of a lost holder is never taken. */
        NO_RECOVERY,
        /** The turn of a holder that was lost after it had passed the lock on is passed on again. */
        PASSED_ON_TWICE,
        /** The turn is taken as soon as the holder is declared lost, although its requests may still arrive. */
        NOT_CUT_OFF,
        /** A thread that recovers takes the lock itself, whatever its ticket. */
        OVERTAKES,
        /** A ticket that the lost holder has skipped is believed to have got the turn. */
        SKIPPED_BELIEVED_GRANTED,
        /** The turn of a thread that was lost while it recovered the lock, or repaired the data, is never taken. */
        NO_SECOND_RECOVERY,
        /** The next holder does not learn of the death. */
        DEATH_CONCEALED,
        /** If a holder that has learned of a death dies too, the next one does not learn of either. */
        DEATH_FORGOTTEN_WITH_THE_NEXT,
        /** A holder that does not declare the data consistent passes the lock on as if it had. */
        DEATH_FORGOTTEN_AT_RELEASE,
        /** The ticket of a waiter that died is not skipped. */
        DEAD_WAITER_AWAITED
    }

    private static final int TICKETS = 100;
    private static final int POLLS_OF_UNCLAIMED = 64;
    private static final int STATE_BITS = 4;
    private static final long STATES = (1 << STATE_BITS) - 1;
    private static final long FREE = 0;
    private static final long GRANTED = 1;
    private static final long WAITING = 2;
    private static final long HELD = 3;
    private static final long ABANDONED = 4;
    private static final long SKIPPED = 5;
    private static final long RELEASED = 6;
    private static final long AFTER_DEATH = 8;

    private static final class Shared extends RemoteRecord {
        private final RemoteLong next = longField();
        private final RemoteLongArray entries = longArrayField(TICKETS);
    }

    private final Shared This = new Shared();
    private final Flaw flaw;
    private int ticket;
    private boolean isInconsistent;
    private int polls;

    FlawedRecovery(RdmaPtr<?> This, Flaw flaw) {
        this.This.at(This);
        this.flaw = flaw;
    }

    static RdmaPtr<?> create(ComputeThread ct) {
        Shared shared = new Shared();
        shared.allocate(ct);
        shared.next.store(0, ct);
        for (int i = 0; i < TICKETS; i++) {
            shared.entries.post(i, i == 0 ? GRANTED : FREE, ct);
        }
        ct.place();
        return new RdmaPtr<>(shared.pointer());
    }

    private static long entry(long state, int thread) {
        return (long) thread << STATE_BITS | state;
    }

    private static int thread(long entry) {
        return (int) (entry >>> STATE_BITS);
    }

    /** The state without the note that a holder died. */
    private static long state(long entry) {
        return entry & STATES & ~AFTER_DEATH;
    }

    private static long noteOf(long entry) {
        return entry & AFTER_DEATH;
    }

    private boolean swap(int t, long expected, long desired, ComputeThread ct) {
        return This.entries.compareAndSet(t, expected, desired, ct);
    }

    @Override
    public Acquisition acquire(ComputeThread ct) {
        return tryAcquire(Long.MAX_VALUE, ct);
    }

    @Override
    public Acquisition tryAcquire(long nanos, ComputeThread ct) {
        long start = ct.nanoTime();
        do {
            ticket = (int) This.next.fetchAdd(1, ct);
        } while (!claim(ct));
        polls = 0;
        while (true) {
            long entry = This.entries.load(ticket, ct);
            if (state(entry) == HELD && thread(entry) == ct.id()) {
                ct.locks().stopWaiting();
                isInconsistent = noteOf(entry) != 0;
                return isInconsistent ? Acquisition.HOLDER_DIED : Acquisition.NORMAL;
            }
            boolean isOver = ct.nanoTime() - start >= nanos;
            if (isOver && swap(ticket, entry(WAITING, ct.id()), entry(ABANDONED, ct.id()), ct)) {
                ct.locks().stopWaiting();
                return Acquisition.TIMED_OUT;
            }
            ct.locks().startWaiting(This.pointer()); // so that pauses grow, however many words it READs between them
            lookAhead(ct);
            ct.pause();
        }
    }

    /** Returns false if another thread has presumed the ticket abandoned. */
    private boolean claim(ComputeThread ct) {
        while (true) {
            long entry = This.entries.load(ticket, ct);
            long claimed = state(entry) == FREE ? WAITING : HELD | noteOf(entry);
            if (state(entry) != FREE && state(entry) != GRANTED) {
                return false;
            } else if (swap(ticket, entry, entry(claimed, ct.id()), ct)) {
                return true;
            }
        }
    }

    /** Looks at the nearest ticket before this thread's own that is neither passed nor given up. */
    private void lookAhead(ComputeThread ct) {
        for (int t = ticket - 1; t >= 0; t--) {
            long entry = This.entries.load(t, ct);
            if (state(entry) == FREE || state(entry) == GRANTED) {
                passUnclaimed(t, entry, ct);
                return;
            } else if (state(entry) == WAITING) {
                if (ct.peers().isLost(thread(entry)) && flaw != Flaw.DEAD_WAITER_AWAITED) {
                    swap(t, entry, entry(ABANDONED, thread(entry)), ct);
                }
                return;
            } else if (state(entry) == HELD) {
                if (canRecover(entry, ct) && (flaw == Flaw.PASSED_ON_TWICE || !hasPassedOn(t, ct))) {
                    recover(t, entry, ct);
                }
                return;
            }
        }
    }

    private void passUnclaimed(int t, long entry, ComputeThread ct) {
        if (++polls % POLLS_OF_UNCLAIMED != 0 || !ct.peers().isAnyNodeLost()) {
            return;
        }
        long own = entry(HELD | noteOf(entry), ct.id());
        if (state(entry) == FREE) {
            swap(t, entry, ABANDONED, ct);
        } else if (swap(t, entry, own, ct)) {
            passOn(t, own, noteOf(entry), ct);
        }
    }

    private boolean canRecover(long entry, ComputeThread ct) {
        if (flaw == Flaw.NO_RECOVERY || flaw == Flaw.NO_SECOND_RECOVERY && noteOf(entry) != 0) {
            return false;
        }
        return flaw == Flaw.NOT_CUT_OFF
                ? isDeclaredLost(thread(entry), ct)
                : ct.peers().isLost(thread(entry));
    }

    private static boolean isDeclaredLost(int thread, ComputeThread ct) {
        try {
            ct.pauseFor(thread);
            return false;
        } catch (NodeLostException e) {
            return true;
        }
    }

    private boolean hasPassedOn(int t, ComputeThread ct) {
        long end = This.next.load(ct) + 1;
        for (int later = t + 1; later < Math.min(end, TICKETS); later++) {
            long state = state(This.entries.load(later, ct));
            if (state == GRANTED || state == HELD || state == RELEASED) {
                return true;
            }
        }
        return false;
    }

    private void recover(int t, long entry, ComputeThread ct) {
        boolean isForgotten =
                flaw == Flaw.DEATH_CONCEALED || flaw == Flaw.DEATH_FORGOTTEN_WITH_THE_NEXT && noteOf(entry) != 0;
        long own = entry(HELD | AFTER_DEATH, ct.id());
        if (swap(t, entry, own, ct)) {
            if (flaw == Flaw.OVERTAKES) {
                swap(ticket, entry(WAITING, ct.id()), entry(ABANDONED, ct.id()), ct);
                ticket = t;
            } else {
                passOn(t, own, isForgotten ? 0 : AFTER_DEATH, ct);
            }
        }
    }

    @Override
    public void makeConsistent() {
        isInconsistent = false;
    }

    @Override
    public void release(ComputeThread ct) {
        ct.place();
        long own = This.entries.load(ticket, ct);
        passOn(ticket, own, isInconsistent && flaw != Flaw.DEATH_FORGOTTEN_AT_RELEASE ? AFTER_DEATH : 0, ct);
    }

    private void passOn(int t, long own, long note, ComputeThread ct) {
        int next = t + 1;
        while (!grant(next, note, ct)) {
            next++;
        }
        swap(t, own, RELEASED, ct);
    }

    private boolean grant(int t, long note, ComputeThread ct) {
        while (true) {
            long entry = This.entries.load(t, ct);
            long state = state(entry);
            if (state == SKIPPED) {
                return flaw == Flaw.SKIPPED_BELIEVED_GRANTED;
            } else if (state == GRANTED || state == HELD || state == RELEASED) {
                // Passed on by another thread, which only a mistake allows.
                return flaw != Flaw.PASSED_ON_TWICE;
            }
            boolean isWaiting = state == WAITING && !ct.peers().isLost(thread(entry));
            boolean skips = state != FREE && !isWaiting && (state != WAITING || flaw != Flaw.DEAD_WAITER_AWAITED);
            long granted = state == FREE ? GRANTED | note : entry(HELD | note, thread(entry));
            if (swap(t, entry, skips ? SKIPPED : granted, ct)) {
                return !skips;
            }
        }
    }

    @Override
    public long ticket() {
        return ticket;
    }
}
