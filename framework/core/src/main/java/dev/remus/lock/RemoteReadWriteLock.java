// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.LockKind;
import dev.remus.record.RemoteBytes;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;

/**
 * A lock in remote memory that many readers hold at once, or one writer.
 *
 * <pre>
 *  0      8                          8 + q    16 + q
 * +------+-- ... -------------------+--------+--------+-- ... --+
 * | gate | queue of the writers: a  | slot 0 | slot 1 |         |   one slot for each thread
 * |      | RemoteQueueLock          |        |        |         |
 * +------+-- ... -------------------+--------+--------+-- ... --+   q = RemoteQueueLock.bytes
 *
 *  gate   OPEN, OPEN_AFTER_DEATH, or the turn of the writer that has closed it
 *  slot   OUTSIDE, INSIDE, or the turn of the writer to which this reader gives way
 * </pre>
 *
 * <p>A reader marks its own slot and looks at the gate, in one round trip. A writer takes its turn in the queue, closes
 * the gate, looks at all slots in the same round trip, and waits for the readers inside.
 *
 * <pre>{@code
 * RemoteReadWriteLock lock = new RemoteReadWriteLock(ct.threads());  // a view: each thread has its own
 * lock.at(shared);
 * lock.acquireRead(ct);
 * try {
 *     ...
 * } finally { lock.releaseRead(ct); }
 * }</pre>
 *
 * <p><b>Promises.</b> While a writer holds the lock, no other thread does. What a holder has written or posted to
 * remote memory, on any Memory Node, is placed before a thread that had to wait for it has the lock. Fairness: writers
 * get the lock in the order of their tickets, as in a {@link RemoteQueueLock}. Readers and writers take turns: a reader
 * that has found the gate closed waits for that writer only, and enters before the next one; a writer waits only for
 * readers that were there before it closed the gate. So neither side starves the other. {@link #acquireRead} and {@link
 * #acquireWrite} block. {@link #tryAcquireRead} and {@link #tryAcquireWrite} give up when their time is over. {@link
 * #releaseRead} and {@link #releaseWrite} are wait-free. The lock is not reentrant, and a reader cannot become a writer
 * without releasing it first: a thread that tries is told so.
 *
 * <p><b>Linearization points.</b> Of a reader: the READ by which it finds the gate open, or not closed any more by the
 * writer to which it gave way. Of a writer: the READ of the last slot that it waited for. Of a release: the WRITE of
 * the slot, and the swap that opens the gate.
 *
 * <p><b>Why a reader and a writer never hold it together.</b> A reader's slot is placed before it READs the gate, and a
 * writer's gate is closed before it READs the slots ({@code dev.remus.fabric}: a WRITE is placed before a later READ of
 * its lane, which overtakes no atomic either). So at least one of them sees the other. If the reader sees the writer,
 * it writes that writer's turn to its slot, and waits until the gate has another word. It gives way to no later writer:
 * its slot, which was placed before the gate got that word, is not the later one's turn.
 *
 * <p><b>Death.</b> A lost reader counts as outside as soon as it is cut off ({@link dev.remus.node.Peers#isLost}). If a
 * writer is lost, the next in line gets {@link Acquisition#HOLDER_DIED}, and a waiting reader opens the gate on the
 * writer's behalf, and gets it too. So does every holder after it, until a writer has called {@link #makeConsistent}
 * and released the lock. It may be a false alarm if the writer was lost while it acquired or released the lock. If a
 * node is not cut off within the loss time-out, those who wait for its thread get a {@link LostHolderException}.
 *
 * <p><b>Broken lanes.</b> An operation of unknown outcome is repeated: a slot is written by its own thread only, and
 * each turn of a writer has a word of its own.
 *
 * <p><b>Exceptions.</b> As of a {@code RemoteLock}: a thread whose attempt ends with an exception leaves its slot, or
 * its place in the queue, and opens the gate. A release throws only if it has not begun.
 *
 * <p><b>Round trips.</b> Without contention, a reader 1 to acquire and 1 to release; a writer 3 to acquire, of which
 * one READs 8 bytes for each thread of the cluster, and 1 to release. With contention, one more for each poll, and
 * those of the {@link RemoteQueueLock}. Polls back off.
 *
 * <p>Source: readers that mark words of their own after Hsieh and Weihl, "Scalable Reader-Writer Locks for Parallel
 * Systems", IPPS 1992; readers and writers that take turns (a phase-fair lock) after Brandenburg and Anderson,
 * "Spin-Based Reader-Writer Synchronization for Multiprocessor Real-Time Systems", Real-Time Systems 46(1), 2010.
 */
public final class RemoteReadWriteLock extends RemoteRecord {
    private static final long OUTSIDE = ReadWriteWords.OUTSIDE;
    private static final long INSIDE = 1;

    private final RemoteLong gate = atomic(longField());
    private final RemoteBytes queue;
    private final RemoteLongArray slots;
    private final RemoteQueueLock writers;
    private final ReadWriteWords words;

    /** The lock that this thread holds as a reader through this view, null if none. */
    private long readsAt = RdmaPtr.NULL;

    /** The word with which it has closed the gate as a writer. */
    private long closed;

    private boolean isInconsistent;

    /** @param threads the number of threads of the cluster ({@link ComputeThread#threads}) */
    public RemoteReadWriteLock(int threads) {
        queue = bytesField(RemoteQueueLock.bytes(threads));
        slots = longArrayField(threads);
        writers = new RemoteQueueLock(threads);
        words = new ReadWriteWords(gate, slots);
    }

    /** Size of a lock, for records that contain one. */
    public static int bytes(int threads) {
        return Long.BYTES + RemoteQueueLock.bytes(threads) + threads * Long.BYTES;
    }

    /** Makes it a free lock. To be called once, before another thread can reach it. Two round trips. */
    public void init(ComputeThread ct) {
        gate.stage(GateWord.OPEN, ct);
        for (int i = 0; i < slots.length(); i++) {
            slots.stage(i, OUTSIDE, ct);
        }
        storeStaged(ct);
        writers().init(ct);
    }

    /** The queue of the writers of the lock to which this view was moved. */
    private RemoteQueueLock writers() {
        writers.at(queue.pointer());
        return writers;
    }

    // ------------------------------------------------------------------------------------------------------ readers

    /**
     * Acquires the lock as a reader.
     *
     * @return {@link Acquisition#NORMAL} or {@link Acquisition#HOLDER_DIED}
     * @throws OutcomeUnknownException if something that this thread posted before may be lost; then it has not begun
     * @throws FabricException if the thread is interrupted, or a lane cannot be connected; then it gives up
     * @throws LostHolderException if the writer inside is lost, and was not cut off within the loss time-out
     * @throws IllegalStateException if this thread holds the lock already
     */
    public Acquisition acquireRead(ComputeThread ct) {
        return tryAcquireRead(Long.MAX_VALUE, ct);
    }

    /**
     * Acquires the lock as a reader, if that is possible in time.
     *
     * @param nanos how long to wait; 0 or less polls once
     * @return {@link Acquisition#TIMED_OUT} if there was a writer all the time, otherwise as {@link #acquireRead}
     * @throws OutcomeUnknownException as {@link #acquireRead}
     * @throws LostHolderException as {@link #acquireRead}
     * @throws IllegalStateException as {@link #acquireRead}
     */
    public Acquisition tryAcquireRead(long nanos, ComputeThread ct) {
        checkHoldsNone(ct);
        ct.place(); // or a loss would be noticed, and not reported, by what follows
        try {
            return acquireRead(nanos, ct);
        } catch (FabricException e) {
            ct.locks().stopWaiting();
            words.leaveByCleanup(ct);
            throw e;
        }
    }

    private Acquisition acquireRead(long nanos, ComputeThread ct) {
        long start = ct.nanoTime();
        long found = words.storeSlotAndLoadGate(INSIDE, ct);
        if (GateWord.isClosed(found)) {
            long writer = found;
            found = giveWay(writer, nanos, start, ct);
            if (found == writer) {
                return Acquisition.TIMED_OUT;
            }
        }
        readsAt = pointer();
        ct.locks().add(readsAt, LockKind.READERS);
        return GateWord.isAfterDeath(found) ? Acquisition.HOLDER_DIED : Acquisition.NORMAL;
    }

    /**
     * Gives way to a writer, and returns the word of the gate after its turn; if it has closed the gate for longer than
     * this reader waits, returns its word, and this reader is outside.
     */
    private long giveWay(long writer, long nanos, long start, ComputeThread ct) {
        long found = words.storeSlotAndLoadGate(writer, ct);
        while (found == writer) {
            if (ct.peers().isLost(GateWord.thread(writer))) { // first, or readers that only poll never get in
                found = words.openAfterDeath(writer, ct);
            } else if (ct.nanoTime() - start >= nanos) {
                words.storeSlot(OUTSIDE, ct);
                ct.locks().stopWaiting();
                return writer;
            } else {
                found = pollGate(writer, ct);
            }
        }
        return found;
    }

    private long pollGate(long writer, ComputeThread ct) {
        int thread = GateWord.thread(writer);
        if (ct.peers().isLostAndNotCutOff(thread)) {
            throw LostHolderException.notCutOff(toString(), thread, ct.peers().nodeOf(thread));
        }
        ct.locks().startWaiting(pointer(), LockKind.READERS);
        ct.pause();
        return words.loadGate(ct);
    }

    /**
     * Releases the lock as a reader.
     *
     * @throws OutcomeUnknownException if something that this thread posted may be lost; then it still holds the lock
     * @throws FabricException if what it posted cannot be placed now; it still holds the lock
     * @throws IllegalStateException if this thread does not hold the lock as a reader, or not through this view
     */
    public void releaseRead(ComputeThread ct) {
        if (readsAt == RdmaPtr.NULL || readsAt != pointer()) {
            throw new IllegalStateException(
                    ct + " releases the " + this + " as a reader, as which it has not acquired it through this view");
        }
        ct.place(); // the next writer may read on another lane
        ct.locks().remove(readsAt);
        readsAt = RdmaPtr.NULL;
        try {
            words.storeSlot(OUTSIDE, ct);
        } catch (FabricException e) {
            words.leaveByCleanup(ct);
            if (e instanceof NodeLostException) {
                throw e;
            }
        }
    }

    // ------------------------------------------------------------------------------------------------------ writers

    /**
     * Acquires the lock as a writer, when it is this thread's turn and all readers before it have left.
     *
     * @return {@link Acquisition#NORMAL} or {@link Acquisition#HOLDER_DIED}
     * @throws OutcomeUnknownException if something that this thread posted before may be lost; then it has not begun
     * @throws FabricException if the thread is interrupted, or a lane cannot be connected; then it gives up
     * @throws LostHolderException if a thread for which it waits is lost, and was not cut off within the loss time-out
     * @throws IllegalStateException if this thread holds the lock already
     */
    public Acquisition acquireWrite(ComputeThread ct) {
        return tryAcquireWrite(Long.MAX_VALUE, ct);
    }

    /**
     * Acquires the lock as a writer, if that is possible in time. A thread that gives up while others are before it in
     * the queue keeps its place for a while ({@link RemoteQueueLock#tryAcquire}).
     *
     * @param nanos how long to wait; 0 or less polls once
     * @return {@link Acquisition#TIMED_OUT} if the time was over, otherwise as {@link #acquireWrite}
     * @throws OutcomeUnknownException as {@link #acquireWrite}
     * @throws LostHolderException as {@link #acquireWrite}
     * @throws IllegalStateException as {@link #acquireWrite}
     */
    public Acquisition tryAcquireWrite(long nanos, ComputeThread ct) {
        checkHoldsNone(ct);
        long start = ct.nanoTime();
        Acquisition turn = writers().tryAcquire(nanos, ct);
        if (!turn.isHeld()) {
            return turn;
        }
        try {
            closeGate(turn, ct);
            if (!awaitReaders(nanos, start, ct)) {
                releaseWrite(ct);
                return Acquisition.TIMED_OUT;
            }
        } catch (FabricException e) {
            ct.locks().stopWaiting();
            if (writers.isHeldHere()) {
                writers.giveUp(gate, closed, GateWord.open(isInconsistent), ct);
            }
            throw e;
        }
        return isInconsistent ? Acquisition.HOLDER_DIED : Acquisition.NORMAL;
    }

    /** Closes the gate for readers, after the writer before has opened it. */
    private void closeGate(Acquisition turn, ComputeThread ct) {
        isInconsistent = turn == Acquisition.HOLDER_DIED;
        long expected = GateWord.open(isInconsistent);
        while (true) {
            isInconsistent |= expected != GateWord.OPEN;
            closed = GateWord.closed(writers.ticket(), ct.id(), isInconsistent);
            long found = words.closeAndLoadSlots(expected, closed, ct);
            if (found == expected) {
                return;
            }
            boolean mayReplace = !GateWord.isClosed(found) || isLost(GateWord.thread(found), ct);
            if (mayReplace) {
                expected = found;
            } else {
                ct.pause(); // the writer before has left the queue, and its gate opens in a moment
            }
        }
    }

    /**
     * Whether a thread is lost and cut off.
     *
     * @throws LostHolderException if it is lost and was not cut off in time; then this thread gives up as a writer
     */
    private boolean isLost(int thread, ComputeThread ct) {
        if (ct.peers().isLostAndNotCutOff(thread)) {
            throw LostHolderException.notCutOff(toString(), thread, ct.peers().nodeOf(thread));
        }
        return ct.peers().isLost(thread);
    }

    /** Waits until all readers that came before are outside; false if that takes too long. */
    private boolean awaitReaders(long nanos, long start, ComputeThread ct) {
        int reader = nextReader(0, ct);
        while (reader < slots.length()) {
            if (ct.nanoTime() - start >= nanos) {
                ct.locks().stopWaiting();
                return false;
            }
            ct.locks().startWaiting(pointer(), LockKind.READERS);
            ct.pause();
            words.loadSlots(reader, ct);
            reader = nextReader(reader, ct);
        }
        ct.locks().stopWaiting();
        return true;
    }

    /** The first thread, from one on, that reads or is about to. Those before it were outside since the gate closed. */
    private int nextReader(int first, ComputeThread ct) {
        int thread = first;
        while (thread < slots.length() && (isAway(words.slot(thread, ct)) || isLost(thread, ct))) {
            thread++;
        }
        return thread;
    }

    private boolean isAway(long slot) {
        return slot == OUTSIDE || slot == closed;
    }

    /**
     * Declares that what the lock protects is consistent, after {@link Acquisition#HOLDER_DIED}: later holders get
     * {@link Acquisition#NORMAL} again.
     *
     * @throws IllegalStateException if this thread does not hold the lock as a writer, or not through this view
     */
    public void makeConsistent() {
        if (!writers().isHeldHere()) {
            throw new IllegalStateException("a thread declares what the " + this
                    + " protects consistent, without having acquired it as a writer through this view");
        }
        isInconsistent = false;
    }

    /**
     * Releases the lock as a writer.
     *
     * @throws OutcomeUnknownException if something that this thread posted may be lost. It still holds the lock, and
     *     can post that again and release the lock then.
     * @throws FabricException if what it posted cannot be placed now; it still holds the lock
     * @throws IllegalStateException if this thread does not hold the lock as a writer, or not through this view
     */
    public void releaseWrite(ComputeThread ct) {
        if (!writers().isHeldHere()) {
            throw new IllegalStateException(
                    ct + " releases the " + this + " as a writer, as which it has not acquired it through this view");
        }
        writers.makeConsistent(); // the gate says whether it is
        writers.release(gate, closed, GateWord.open(isInconsistent), ct);
    }

    private void checkHoldsNone(ComputeThread ct) {
        if (readsAt != RdmaPtr.NULL
                || ct.locks().contains(pointer())
                || ct.locks().contains(queue.pointer())) {
            throw new IllegalStateException(ct + " acquires the " + this
                    + ", and holds it already, or another one through the same view: a lock is not reentrant");
        }
    }
}
