// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.LockKind;

/** A holding of a {@link RemoteQueueLock}: that of a thread, or one on its way between two threads of a node. */
final class QueueHolding {
    private static final long NONE = -1;

    private long ticket = NONE;

    /** The lock. */
    private long at = RdmaPtr.NULL;

    /** The word of the ticket. */
    private long word;

    /** The word of the turn before. */
    private long after;

    /** Whether what the lock protects may be half changed. */
    private boolean isInconsistent;

    /** Begins that of a thread, with a ticket of the lock at a pointer. */
    Acquisition begin(long atLock, long withTicket, long afterTurn, ComputeThread ct) {
        at = atLock;
        ticket = withTicket;
        word = QueueTicket.claimed(withTicket, ct.id());
        after = afterTurn;
        isInconsistent = QueueTicket.state(afterTurn) == QueueTicket.RELEASED_AFTER_DEATH;
        return begun(ct);
    }

    private Acquisition begun(ComputeThread ct) {
        ct.locks().add(at, LockKind.QUEUE);
        return isInconsistent ? Acquisition.HOLDER_DIED : Acquisition.NORMAL;
    }

    /** Ends that of a thread. */
    void end(ComputeThread ct) {
        ct.locks().remove(at);
        ticket = NONE;
    }

    /** Gives that of a thread to the next thread of its node. */
    void handOver(QueueHolding between, ComputeThread ct) {
        between.copy(this);
        end(ct);
    }

    /** Takes over that of a thread of the same node. */
    Acquisition takeOver(QueueHolding between, ComputeThread ct) {
        copy(between);
        between.ticket = NONE;
        return begun(ct);
    }

    private void copy(QueueHolding other) {
        at = other.at;
        ticket = other.ticket;
        word = other.word;
        after = other.after;
        isInconsistent = other.isInconsistent;
    }

    /** Whether there is one. */
    boolean isKept() {
        return ticket != NONE;
    }

    /** Whether it is one of this lock. */
    boolean isOf(long lock) {
        return ticket != NONE && at == lock;
    }

    /** The lock of this holding, or of the last one. */
    long at() {
        return at;
    }

    /** The ticket with which the thread holds the lock; negative if there is no holding. */
    long ticket() {
        return ticket;
    }

    long word() {
        return word;
    }

    /** The word of the ticket when the lock is released. */
    long endWord() {
        return isInconsistent ? QueueTicket.releasedAfterDeath(ticket, lostThread()) : QueueTicket.released(ticket);
    }

    /** The thread that was lost with the lock, after {@link Acquisition#HOLDER_DIED}. */
    int lostThread() {
        return QueueTicket.thread(after);
    }

    void makeConsistent() {
        isInconsistent = false;
    }
}
