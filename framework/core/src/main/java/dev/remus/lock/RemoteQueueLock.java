// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.LockKind;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import org.jspecify.annotations.Nullable;

/**
 * A fair lock in remote memory for many threads: a queue of tickets, where the holder wakes the next waiter by a word
 * in that one's own memory. A waiter without such a word polls the ticket before its own.
 *
 * <pre>
 *  0             8             16                            16 + 8 n             16 + 16 n
 * +-------------+-------------+--------------+--------------+-- ... --+--------- ... --+
 * | next ticket | a ticket    | place of     | place of     |         | for each place |
 * |             | that was    | tickets 0,   | tickets 1,   |         | the pointer to |
 * |             | served      | n, 2n, ...   | n+1, ...     |         | a waiter's word|
 * +-------------+-------------+--------------+--------------+-- ... --+--------- ... --+     n = 2 * threads
 *
 *  ticket    7          8          9          10          11
 *        +----------+----------+----------+-----------+----------+
 *        | RELEASED | CLAIMED  | CLAIMED  | ABANDONED | CLAIMED  |
 *        +----------+----------+----------+-----------+----------+
 *                     holds,     awaits 8   gave up     awaits 9
 *                     wakes 9
 * </pre>
 *
 * <p>It is used like a {@link RemoteLock}, with the same results, and costs fewer round trips. A waiter has a word of
 * its own if its node is a Memory Node too, from the second time on that it waits: 64 bytes for each thread and lock,
 * until the cluster ends ({@code WaiterWord}). Others pause for as long as the turns before their own are likely to
 * take, so that a thousand waiters poll rarely. The lock needs four times the memory of a {@code RemoteLock} and does
 * not name its holder: use a {@code RemoteLock} where there are many locks with few waiters each.
 *
 * <p><b>Promises.</b> Mutual exclusion: everything that the holder has written or posted to remote memory, on any
 * Memory Node, is placed before the next holder has the lock. Fairness: first come, first served, in the order of the
 * tickets. A thread that stands still for more than 100 ms between drawing a ticket and claiming it, two consecutive
 * requests, may lose its ticket and draw another; one that has claimed its ticket is never overtaken. {@link #acquire}
 * blocks. {@link #tryAcquire} gives up when its time is over. {@link #release} is wait-free. The lock is not reentrant:
 * acquiring it twice is reported.
 *
 * <p><b>Linearization points.</b> Of a release: the compare-and-swap of the holder's own word. Of an acquisition: the
 * moment when the ticket is claimed and all earlier ones have ended. So a ticket has its turn or not, whoever looks: a
 * waiter that is not woken loses time only, up to 33 ms, until it polls.
 *
 * <p><b>Death.</b> As of a {@code RemoteLock}. If a thread is lost with its node and cut off ({@link
 * dev.remus.node.Peers#isLost}), the thread behind it ends its ticket on its behalf, by one compare-and-swap. The next
 * holder gets {@link Acquisition#HOLDER_DIED} if it had been the lost thread's turn, even if that was lost while it
 * waited. So does every holder after it, also if more of them are lost, until one has called {@link #makeConsistent}
 * and released the lock. If the node is not cut off within the loss time-out, a waiter behind it gets a {@link
 * LostHolderException} instead.
 *
 * <p><b>Broken lanes.</b> An operation of unknown outcome is repeated: each changes a word from one value to another
 * that it has only once. A thread that cannot know which ticket it has drawn draws another. When the turn of the first
 * comes, that delays the lock by 100 ms.
 *
 * <p><b>Exceptions.</b> As of a {@code RemoteLock}: a thread whose attempt ends with an exception leaves the line, and
 * a {@link #release} throws only if it has not begun. A ticket that was drawn and not claimed delays the lock by 100
 * ms.
 *
 * <p><b>Round trips.</b> Without contention, 2 to acquire and 1 to release. With contention, one more to wake the next
 * waiter, or one for each poll, whose number grows with the logarithm of that of the waiters; and one for each ticket
 * that was given up since the last turn. On shm, reading the waiter's own word counts too.
 *
 * <p>Once {@link #init} has returned, the first word and the places are changed by atomics only, the others by WRITEs.
 *
 * <p>Source: a queue lock whose waiters poll their predecessors' words (Craig, "Building FIFO and Priority-Queuing
 * Spin Locks from Atomic Swap", 1993; Magnusson, Landin, Hagersten, IPPS 1994), in an array (Graunke and Thakkar, IEEE
 * Computer 23(6), 1990), since cards have fetch-and-add and no swap. A waiter that gives up marks its place, after
 * Scott and Scherer, PPoPP 2001. The words near the waiters, and pauses proportional to the distance from the front,
 * are those of Mellor-Crummey and Scott, ACM TOCS 9(1), 1991. Death is reported as by the robust mutexes of POSIX.
 */
public final class RemoteQueueLock extends RemoteRecord {
    private static final long NONE = -1;
    private static final int OTHER_WORDS = 2;
    private static final int WORDS_PER_PLACE = 2;

    /** A thread has one ticket at a time through one view; the others leave room for threads with several views. */
    private static final int PLACES_PER_THREAD = 2;

    private final RemoteLong next = longField();
    private final RemoteLong served = longField();
    private final RemoteLongArray places;
    private final RemoteLongArray waiters;
    private final QueueWords words;
    private final QueueLine line;
    private final QueuePace pace = new QueuePace();
    private final WaiterWord own = new WaiterWord();
    private final UnclaimedTickets unclaimed = new UnclaimedTickets();
    private final QueueHolding holding = new QueueHolding();

    /** The last ticket that this thread has drawn, NONE if drawing one has failed. */
    private long drawn = NONE;

    /** The ticket before this one that it waits for, and its word; NONE before the first look. */
    private long watched = NONE;

    private long watchedWord;

    /** A ticket that this thread abandoned, of the lock at {@link #abandonedAt}. */
    private long abandoned = NONE;

    private long abandonedAt;

    /** @param threads the number of threads of the cluster ({@link ComputeThread#threads}) */
    public RemoteQueueLock(int threads) {
        places = longArrayField(PLACES_PER_THREAD * threads);
        waiters = longArrayField(PLACES_PER_THREAD * threads);
        words = new QueueWords(next, served, places, waiters);
        line = new QueueLine(words);
    }

    /** Size of a lock, for records that contain one. */
    public static int bytes(int threads) {
        return (OTHER_WORDS + WORDS_PER_PLACE * PLACES_PER_THREAD * threads) * Long.BYTES;
    }

    /** Makes it a free lock. To be called once, before another thread can reach it. One round trip. */
    public void init(ComputeThread ct) {
        next.stage(0, ct);
        served.stage(-1, ct);
        for (int i = 0; i < places.length(); i++) {
            places.stage(i, QueueTicket.released((long) i - places.length()), ct);
            waiters.stage(i, RdmaPtr.NULL, ct);
        }
        storeStaged(ct);
    }

    /**
     * Acquires the lock, when it is this thread's turn.
     *
     * @return {@link Acquisition#NORMAL} or {@link Acquisition#HOLDER_DIED}
     * @throws OutcomeUnknownException if something that this thread posted before may be lost; then it has not begun
     * @throws FabricException if the thread is interrupted, or a lane cannot be connected; then it leaves the line
     * @throws LostHolderException if a thread before this one is lost, and was not cut off within the loss time-out
     * @throws IllegalStateException if this thread holds the lock already
     */
    public Acquisition acquire(ComputeThread ct) {
        return tryAcquire(Long.MAX_VALUE, ct);
    }

    /**
     * Acquires the lock for a structure that cannot repair its data. If a holder died, throws, and leaves the lock to
     * the other threads, which get the same exception in turn.
     *
     * @throws LostHolderException if a holder was lost
     * @throws OutcomeUnknownException as {@link #acquire}
     * @throws IllegalStateException as {@link #acquire}
     */
    public void acquireConsistent(ComputeThread ct) {
        if (acquire(ct) == Acquisition.HOLDER_DIED) {
            int thread = holding.lostThread();
            passOn(ct);
            throw LostHolderException.halfChanged(toString(), thread, ct.peers().nodeOf(thread));
        }
    }

    /**
     * Acquires the lock if it is this thread's turn in time. Otherwise the ticket stays abandoned until its turn comes
     * and it is passed by. A thread that tries again before that, through the same view, keeps its place. Through
     * another view it draws another ticket. If more tickets are abandoned than there are places, claiming one waits
     * until some are passed by.
     *
     * @param nanos how long to wait; 0 or less polls once
     * @return {@link Acquisition#TIMED_OUT} if it was not its turn in time, otherwise as {@link #acquire}
     * @throws OutcomeUnknownException as {@link #acquire}
     * @throws LostHolderException as {@link #acquire}
     * @throws IllegalStateException as {@link #acquire}
     */
    public Acquisition tryAcquire(long nanos, ComputeThread ct) {
        if (holding.isKept()) {
            throw new IllegalStateException(ct + " acquires the " + this + " through a view that holds the lock at ("
                    + RdmaPtr.toString(holding.at())
                    + ") already: a lock is not reentrant, and a view holds one at a time");
        }
        ct.place(); // or a loss would be noticed, and not reported, by what follows
        drawn = NONE;
        try {
            return acquireInTime(nanos, ct);
        } catch (FabricException e) {
            leaveLine(ct);
            throw e;
        }
    }

    private Acquisition acquireInTime(long nanos, ComputeThread ct) {
        long start = ct.nanoTime();
        long turn = resume(ct) ? turn(words.before(ct), ct) : draw(ct);
        while (turn == QueueLine.NOT_FIRST) {
            long left = nanos == Long.MAX_VALUE ? nanos : nanos - (ct.nanoTime() - start);
            if (left <= 0) {
                abandon(ct);
                return Acquisition.TIMED_OUT;
            }
            turn = own.published(pointer()) != RdmaPtr.NULL ? awaitWake(left, ct) : poll(left, ct);
        }
        return hold(turn, ct);
    }

    /**
     * Declares that what the lock protects is consistent, after {@link Acquisition#HOLDER_DIED}: later holders get
     * {@link Acquisition#NORMAL} again.
     *
     * @throws IllegalStateException if this thread does not hold the lock, or not through this view
     */
    public void makeConsistent() {
        if (!isHeldHere()) {
            throw new IllegalStateException("a thread declares what the " + this
                    + " protects consistent, without having acquired it through this view");
        }
        holding.makeConsistent();
    }

    /**
     * Releases the lock: the next thread in line finds that it has it.
     *
     * @throws OutcomeUnknownException if something that this thread posted may be lost. It still holds the lock, and
     *     can post that again and release the lock then.
     * @throws FabricException if what it posted cannot be placed now; it still holds the lock
     * @throws IllegalStateException if this thread does not hold the lock, or not through this view
     */
    public void release(ComputeThread ct) {
        release(null, 0, 0, ct);
    }

    /**
     * As {@link #release(ComputeThread)}, and swaps a word on the lock's Memory Node in the same round trip, which may
     * take effect later than the release. The word must never have the expected value again.
     */
    void release(@Nullable RemoteLong also, long expected, long desired, ComputeThread ct) {
        if (!isHeldHere()) {
            throw new IllegalStateException(
                    ct + " releases the " + this + ", which it has not acquired through this view");
        }
        ct.place(); // the next holder may read on another lane
        passOn(also, expected, desired, ct);
    }

    /** Releases the lock for a holder that has placed everything. */
    void passOn(ComputeThread ct) {
        passOn(null, 0, 0, ct);
    }

    private void passOn(@Nullable RemoteLong also, long expected, long desired, ComputeThread ct) {
        long ticket = holding.ticket();
        long end = holding.endWord();
        try {
            words.release(ticket, holding.word(), end, also, expected, desired, ct);
        } catch (FabricException e) {
            giveUp(also, expected, desired, ct);
            if (e instanceof NodeLostException) {
                throw e;
            }
            return;
        }
        holding.end(ct);
        line.wakeNext(ticket, end, ct);
    }

    /** As {@link #release}, by a {@link dev.remus.node.Cleanup}: after an operation of the holder has failed. */
    void giveUp(@Nullable RemoteLong also, long expected, long desired, ComputeThread ct) {
        words.swapByCleanup(holding.ticket(), holding.word(), holding.endWord(), also, expected, desired, ct);
        holding.end(ct);
    }

    /** Whether this thread holds the lock at which this view is through this view. */
    boolean isHeldHere() {
        return holding.isOf(pointer());
    }

    /**
     * The last ticket that this thread has drawn; for a holder, the one with which it holds the lock. Later holders
     * have larger tickets, so it can serve as a fencing token.
     */
    public long ticket() {
        return drawn;
    }

    /** With which this thread holds the lock through this view, if it does. */
    QueueHolding holding() {
        return holding;
    }

    // --------------------------------------------------------------------------------------------- one's own ticket

    /** Resumes the abandoned ticket, if it has not been passed by yet. */
    private boolean resume(ComputeThread ct) {
        if (abandoned == NONE || abandonedAt != pointer()) {
            return false;
        }
        drawn = abandoned;
        abandoned = NONE;
        long given = QueueTicket.abandoned(drawn, ct.id());
        long claimed = QueueTicket.claimed(drawn, ct.id());
        boolean isResumed = words.change(drawn, given, claimed, own.published(pointer()), ct) == given;
        if (isResumed) {
            begin(ct);
        }
        return isResumed;
    }

    /** Draws a ticket and claims it. Returns as {@link #turn}. */
    private long draw(ComputeThread ct) {
        long waiter = own.open(pointer(), ct);
        while (true) {
            drawn = words.draw(ct);
            unclaimed.begin();
            begin(ct);
            long turn = awaitPlace(ct);
            if (claim(waiter, ct)) {
                return turn != QueueLine.NOT_FIRST ? turn : turn(words.before(ct), ct);
            }
        }
    }

    private void begin(ComputeThread ct) {
        watched = NONE;
        pace.begin(drawn, words.served(ct), ct.nanoTime());
    }

    /**
     * Waits until the ticket's place is free: no thread needs the word of the ticket one round earlier any more, since
     * a later one was served. Or until this ticket is first in line: then the word is this thread's to know. Returns
     * as {@link #turn}.
     */
    private long awaitPlace(ComputeThread ct) {
        long turn = QueueLine.NOT_FIRST;
        while (drawn - words.length() >= words.served(ct) && turn == QueueLine.NOT_FIRST) {
            turn = poll(Long.MAX_VALUE, ct);
        }
        return turn;
    }

    /** Claims the ticket; false if it was presumed abandoned. */
    private boolean claim(long waiter, ComputeThread ct) {
        long expected = QueueTicket.released(drawn - words.length());
        while (true) {
            long seen = words.change(drawn, expected, QueueTicket.claimed(drawn, ct.id()), waiter, ct);
            if (seen == expected) {
                return true;
            } else if (QueueTicket.ahead(seen, drawn) >= 0) {
                return false;
            }
            expected = seen;
        }
    }

    /** Gives up. If its turn has come meanwhile, wakes the next waiter. */
    private void abandon(ComputeThread ct) {
        long claimed = QueueTicket.claimed(drawn, ct.id());
        words.change(drawn, claimed, QueueTicket.abandoned(drawn, ct.id()), own.published(pointer()), ct);
        if (QueueTicket.isEnd(words.before(ct), drawn - 1)) {
            words.loadBehind(drawn + 1, ct);
            line.wakeNext(drawn, words.before(ct), ct);
        }
        abandoned = drawn;
        abandonedAt = pointer();
        ct.locks().stopWaiting();
    }

    /**
     * Gives up after an operation has failed, which may still take effect: abandons the ticket if this thread has
     * claimed it by then. It is not resumed, since the swap may be repeated.
     */
    private void leaveLine(ComputeThread ct) {
        ct.locks().stopWaiting();
        boolean isAbandoned = drawn == abandoned && abandonedAt == pointer();
        if (drawn != NONE && !isAbandoned) {
            long claimed = QueueTicket.claimed(drawn, ct.id());
            words.swapByCleanup(drawn, claimed, QueueTicket.abandoned(drawn, ct.id()), null, 0, 0, ct);
        }
    }

    private Acquisition hold(long turn, ComputeThread ct) {
        long now = ct.nanoTime();
        pace.end(now);
        own.share(pointer(), drawn - 1, now);
        return holding.begin(pointer(), drawn, turn, ct);
    }

    // --------------------------------------------------------------------------------------------- earlier tickets

    /** Pauses, for so long at most, and polls the line. Returns as {@link #turn}. */
    private long poll(long most, ComputeThread ct) {
        own.wanted(pointer(), ct);
        own.inform(pace);
        pause(Math.min(most, pace.nanos(ct.nanoTime())), ct);
        return look(ct);
    }

    /** Pauses, for so long at most, and reads this thread's own word. Returns as {@link #turn}. */
    private long awaitWake(long most, ComputeThread ct) {
        own.inform(pace);
        pause(Math.min(most, pace.nanosUntilWoken(ct.nanoTime())), ct);
        long end = own.poll(ct);
        if (QueueTicket.isEnd(end, drawn - 1)) {
            return end;
        }
        boolean isQuiet = end == WaiterWord.EMPTY && !pace.isLookDue(ct.nanoTime());
        return isQuiet ? QueueLine.NOT_FIRST : look(ct);
    }

    private void pause(long nanos, ComputeThread ct) {
        ct.locks().startWaiting(pointer(), LockKind.QUEUE);
        try {
            ct.pause(nanos);
        } catch (RuntimeException e) {
            ct.locks().stopWaiting();
            throw e;
        }
    }

    /** Polls the ticket that this one waits for. Returns as {@link #turn}. */
    private long look(ComputeThread ct) {
        long ticket = watched == NONE ? drawn - 1 : watched;
        long word = words.poll(ticket, ct);
        long now = ct.nanoTime();
        pace.polled(words.served(ct), now);
        pace.looked(now);
        own.share(pointer(), words.served(ct), now);
        if (ticket == drawn - 1) {
            return turn(word, ct);
        }
        boolean isStill = word == watchedWord && !await(ticket, word, ct);
        return isStill ? QueueLine.NOT_FIRST : turn(words.load(drawn - 1, ct), ct);
    }

    /**
     * The word of the last turn if this thread is first in line, else {@link QueueLine#NOT_FIRST}.
     *
     * @param nearest the word of the ticket before
     */
    private long turn(long nearest, ComputeThread ct) {
        long word = nearest;
        while (true) {
            long last = line.first(drawn, word, ct);
            if (last != QueueLine.NOT_FIRST) {
                return last;
            }
            watchedWord = line.blockerWord();
            watched = QueueTicket.ahead(watchedWord, line.blocker()) > 0 ? NONE : line.blocker();
            if (watched == NONE || !await(watched, watchedWord, ct)) {
                return QueueLine.NOT_FIRST;
            }
            word = words.load(drawn - 1, ct);
        }
    }

    /**
     * Looks after the ticket that this thread waits for. Returns true if the line is to be read again: the ticket was
     * ended on its owner's behalf, or was read too late.
     */
    private boolean await(long ticket, long word, ComputeThread ct) {
        long ahead = QueueTicket.ahead(word, ticket);
        if (ahead != 0) {
            return ahead > 0 || awaitUnclaimed(ticket, word, ct);
        }
        int thread = QueueTicket.thread(word);
        if (thread == ct.id()) {
            abandon(ct);
            throw new IllegalStateException(
                    ct + " acquires the " + this + ", which it holds already: it is not reentrant");
        } else if (ct.peers().isLost(thread)) {
            line.endLost(ticket, word, ct);
            return true;
        } else if (ct.peers().isLostAndNotCutOff(thread)) {
            abandon(ct);
            throw LostHolderException.notCutOff(toString(), thread, ct.peers().nodeOf(thread));
        }
        return false;
    }

    /**
     * Waits for a ticket to be claimed. If that lasts, its owner may have been lost, or a lane broke as it drew: then
     * looks after what the ticket waits for, and ends it when it is first in line.
     */
    private boolean awaitUnclaimed(long ticket, long word, ComputeThread ct) {
        if (!unclaimed.isOverdue(ct.nanoTime())) {
            return false;
        }
        // This ticket is overdue, or was drawn before one that is: those behind it were claimed already.
        return line.endUnclaimed(ticket, word, ct) || await(line.blocker(), line.blockerWord(), ct);
    }
}
