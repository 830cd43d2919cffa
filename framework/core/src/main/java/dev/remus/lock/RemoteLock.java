// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A fair lock in remote memory: each thread draws a ticket, and tickets are served in order.
 *
 * <pre>
 *  0             8              16                      8 + 8 * threads
 * +-------------+--------------+--------------+-- ... --+-------------+
 * | next ticket | entry of     | entry of     |         | last holder |
 * |             | tickets 0,   | tickets 1,   |         | that was    |
 * |             | n, 2n, ...   | n+1, ...     |         | lost        |
 * +-------------+--------------+--------------+-- ... --+-------------+
 * </pre>
 *
 * <p>It is a record, accessed through a view that belongs to one thread. It can lie in a block of its own or inside
 * another record:
 *
 * <pre>{@code
 * RemoteLock lock = new RemoteLock(ct.threads());
 * lock.allocate(ct);                                   // or: lock.at(a pointer that another thread published)
 * lock.init(ct);                                       // once, before other threads can reach it
 * ...
 * boolean isIntact = lock.acquire(ct) == Acquisition.NORMAL;
 * try {
 *     if (!isIntact) {                                 // a holder died inside
 *         ...                                          // repair what it may have left half changed
 *         lock.makeConsistent();
 *     }
 *     ...
 * } finally { lock.release(ct); }
 * }</pre>
 *
 * <p><b>Promises.</b> Mutual exclusion: everything that the holder has written or posted to remote memory, on any
 * Memory Node, is placed before the next holder has the lock. Fairness: first come, first served; a thread that has
 * claimed a ticket is never overtaken by one with a later ticket. {@link #acquire} blocks. {@link #tryAcquire} gives up
 * when its time is over, and a later releaser skips its ticket. {@link #release} is wait-free except for skipping
 * tickets, at most one per thread. The lock is not reentrant: acquiring it twice is reported.
 *
 * <p><b>Linearization points.</b> Of an acquisition: when the ticket's entry becomes HELD, by the owner's
 * compare-and-swap if the lock was free, and by the releaser's if it was not. Of a release: when the next ticket's
 * entry becomes GRANTED or HELD. Of giving up: when the entry becomes ABANDONED. Owner and releaser change the same
 * word, so no wake-up is lost between giving up and being served.
 *
 * <p><b>Death.</b> If a thread is lost with its node while it holds the lock, the next thread in line gets the lock, as
 * soon as the lost node is cut off ({@link dev.remus.node.Peers#isLost}). A waiter that notices passes the turn on, in
 * the order of the tickets, so no waiter is overtaken. {@link #acquire} returns {@link Acquisition#HOLDER_DIED} then,
 * since the lost thread may have left the data half changed. (It may also have been lost just before it began, or after
 * its last change.) Every holder gets that result, also if more of them are lost, until one has called {@link
 * #makeConsistent} and released the lock. A structure that cannot repair its data uses {@link #acquireConsistent}.
 * If the node is not cut off within the loss time-out, every waiter gets a {@link LostHolderException} instead.
 *
 * <p>A thread that is known to be lost when its turn comes is skipped, even if it died before it could write its name
 * on its ticket. So a thread that is merely slow to do that may be presumed lost, and draws a new ticket: after 64
 * polls of a waiter if a node is lost, else after more than 100 ms. (Under {@code --on-node-loss abort} every loss ends
 * every wait.) A thread that ends without releasing the lock fails its node ({@link ComputeThread#close}). The waiters
 * wait for one that stops without ending.
 *
 * <p><b>Exceptions.</b> An attempt to acquire the lock ends with a {@link FabricException} if the thread is interrupted
 * while it waits, or a lane cannot be connected. Then the thread leaves the line, or passes the lock on if its turn has
 * come: at once if it can, else as a {@link dev.remus.node.Cleanup} of its later operations. A ticket that cannot be
 * abandoned yet, since its entry is in use, delays the lock by 100 to 300 ms. A {@link #release} that throws has not
 * begun: this thread still holds the lock. Once it has placed everything, it ends as an attempt does, and throws only
 * if the Memory Node is lost.
 *
 * <p><b>Broken lanes.</b> No ticket is lost and no lock stays taken while lanes can be connected again: a thread reads
 * whether an operation of unknown outcome took effect, and if not, repeats it. If it cannot know which ticket it has
 * drawn, it claims any unclaimed one, and so does a thread whose ticket another has claimed. So after a break, threads
 * that have not claimed their tickets yet may exchange them. WRITEs that the caller has posted are its own: {@link
 * #acquire} and {@link #release} place them first, and report a loss before they change the lock.
 *
 * <p><b>Round trips.</b> Without contention, 2 to acquire and 2 to release, and none to place data that was stored
 * rather than posted. With contention, 3 to acquire, and 2 for each poll while waiting; 3 to release, and 2 more for
 * each abandoned ticket. In a cluster of one thread, where all tickets share an entry, 3 to release. Only if a lane
 * breaks or a node is lost, some for each thread of the cluster: to look for an unclaimed ticket, or a lost holder.
 *
 * <p>Once {@link #init} has returned, every word but the last is changed by compare-and-swap and fetch-and-add only.
 * The words of a ticket are packed by {@link TicketState}, since its states change by one compare-and-swap.
 *
 * <p>Source: the ticket lock of Mellor-Crummey and Scott, "Algorithms for Scalable Synchronization on Shared-Memory
 * Multiprocessors", ACM TOCS 9(1), 1991, with one word for each waiter to poll as in Anderson's array lock (section 2.3
 * there); time-outs after Scott and Scherer, "Scalable Queue-Based Spin Locks with Timeout", PPoPP 2001. Death is
 * reported as by the robust mutexes of POSIX ({@code EOWNERDEAD}, {@code pthread_mutex_consistent}).
 */
public final class RemoteLock extends RemoteRecord {
    private static final long NONE = -1;

    /** The words of a lock that are not entries. */
    static final int OTHER_WORDS = 2;

    private final RemoteLong next = longField();
    private final RemoteLongArray entries;

    /** The {@link ComputeThread#id} of the holder that was lost last. */
    private final RemoteLong lost;

    private final TicketWords words;
    private final Succession succession;
    private final TicketLine line;

    /** The last ticket that this thread has drawn, or wants to claim; NONE if drawing one has failed. */
    private long drawn = NONE;

    /** Whether it has drawn that itself, and it is not claimed by another thread. */
    private boolean isDrawn;

    private boolean seeks; // it may have drawn one, and has claimed none

    /** The ticket with which this thread holds the lock at {@link #heldAt}. */
    private long held = NONE;

    private long heldAt;
    private long heldEntry; // of that ticket

    /** Whether a holder died before this one, and no holder since has declared the data consistent. */
    private boolean isInconsistent;

    /** A ticket that this thread abandoned, of the lock at {@link #abandonedAt}. Until it is skipped, it is resumed. */
    private long abandoned = NONE;

    private long abandonedAt;

    /** @param threads the number of threads of the cluster ({@link ComputeThread#threads}) */
    public RemoteLock(int threads) {
        entries = longArrayField(threads);
        lost = longField();
        words = new TicketWords(next, entries, lost);
        succession = new Succession(words);
        line = new TicketLine(words, succession);
    }

    /** The words of the lock for a cleanup: this thread may move its own view to another lock meanwhile. */
    private TicketWords wordsForCleanup() {
        RemoteLock view = new RemoteLock(words.length());
        view.at(pointer());
        return view.words;
    }

    /** Size of a lock, for records that contain one. */
    public static int bytes(int threads) {
        return (OTHER_WORDS + threads) * Long.BYTES;
    }

    /**
     * Decodes the words of a lock, for a program that watches a cluster from outside. Empty if they are not those of a
     * lock, or were read while it changed hands.
     *
     * @param words all {@link #bytes} of the lock
     */
    public static Optional<LockState> state(long[] words) {
        return TicketState.state(words);
    }

    /** Makes it a free lock. To be called once, before another thread can reach it. One round trip. */
    public void init(ComputeThread ct) {
        next.stage(0, ct);
        entries.stage(0, TicketState.granted(0), ct);
        for (int i = 1; i < entries.length(); i++) {
            entries.stage(i, TicketState.free(i), ct);
        }
        lost.stage(0, ct);
        storeStaged(ct);
    }

    /**
     * Acquires the lock, when it is this thread's turn.
     *
     * @return {@link Acquisition#NORMAL} or {@link Acquisition#HOLDER_DIED}
     * @throws OutcomeUnknownException if something that this thread posted before may be lost; then it has not begun
     * @throws FabricException if the thread is interrupted, or a lane cannot be connected; then it leaves the line
     * @throws LostHolderException if the holder is lost, and was not cut off within the loss time-out
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
            int thread;
            try {
                thread = words.lost(ct);
            } finally {
                passOn(ct);
            }
            throw LostHolderException.halfChanged(toString(), thread, ct.peers().nodeOf(thread));
        }
    }

    /**
     * Acquires the lock if it is this thread's turn in time. Otherwise the ticket stays abandoned until its turn comes
     * and it is skipped. A thread that tries again before that, through the same view, keeps its place. Through another
     * view it draws another ticket. If more tickets are abandoned than there are threads, drawing one waits until some
     * are skipped.
     *
     * @param nanos how long to wait; 0 or less polls once, or twice if a node is lost or the thread keeps its place
     * @return {@link Acquisition#TIMED_OUT} if it was not its turn in time, otherwise as {@link #acquire}
     * @throws OutcomeUnknownException as {@link #acquire}
     * @throws LostHolderException as {@link #acquire}
     * @throws IllegalStateException as {@link #acquire}
     */
    public Acquisition tryAcquire(long nanos, ComputeThread ct) {
        begin(ct);
        try {
            return acquireInTime(nanos, ct);
        } catch (FabricException e) {
            leaveLine(ct);
            throw e;
        }
    }

    private Acquisition acquireInTime(long nanos, ComputeThread ct) {
        boolean isLimited = nanos != Long.MAX_VALUE;
        long start = isLimited ? ct.nanoTime() : 0;
        boolean isResumed = draw(ct);
        if (isLimited && (isResumed || ct.peers().isAnyNodeLost()) && !hasTurn(ct)) {
            lookAtLine(ct); // a thread that never waits has to end the tickets of lost threads, too
        }
        while (!hasTurn(ct)) {
            if (isLimited && ct.nanoTime() - start >= nanos && abandon(ct)) {
                return Acquisition.TIMED_OUT;
            }
            waitInLine(ct);
        }
        return isInconsistent ? Acquisition.HOLDER_DIED : Acquisition.NORMAL;
    }

    /**
     * Declares that the data is consistent, although an earlier holder died. Sends nothing: if this thread is lost
     * before it has released the lock, the next holder gets {@link Acquisition#HOLDER_DIED} again.
     *
     * @throws IllegalStateException if this thread does not hold the lock, or not through this view
     */
    public void makeConsistent() {
        if (!isHeldHere()) {
            throw new IllegalStateException("a thread declares what the " + this
                    + " protects consistent, without having acquired it through this view");
        }
        isInconsistent = false;
    }

    /**
     * Passes the lock on to the next waiter, or leaves it free.
     *
     * @throws OutcomeUnknownException if something that this thread posted may be lost. It still holds the lock, and
     *     can post that again and release the lock then.
     * @throws FabricException if what it posted cannot be placed now; it still holds the lock
     * @throws IllegalStateException if this thread does not hold the lock, or not through this view
     */
    public void release(ComputeThread ct) {
        if (!isHeldHere()) {
            throw new IllegalStateException(
                    ct + " releases the " + this + ", which it has not acquired through this view");
        }
        ct.place(); // the next holder may read on another lane
        passOn(ct);
    }

    private void passOn(ComputeThread ct) {
        try {
            succession.passOn(held, heldEntry, isInconsistent, ct);
        } catch (FabricException e) {
            TicketCleanup.passOn(wordsForCleanup(), held, isInconsistent, ct);
            if (e instanceof NodeLostException) {
                throw e;
            }
        } finally {
            ct.locks().remove(heldAt);
            held = NONE;
        }
    }

    private boolean isHeldHere() {
        return held != NONE && heldAt == pointer();
    }

    /**
     * The last ticket that this thread has drawn; for a holder, the one with which it holds the lock. Later holders
     * have larger tickets, so it can serve as a fencing token, by which other nodes recognise a holder that is too
     * late.
     */
    public long ticket() {
        return drawn;
    }

    /**
     * The {@link ComputeThread#id} of the holder, for messages. While the lock changes hands, the answer may be any of
     * the holders, or none. A thread that keeps the lock is reported, however many threads have given up behind it.
     * Costs one round trip for each thread of the cluster, and one more.
     */
    public OptionalInt holder(ComputeThread ct) {
        return words.holder(ct);
    }

    // --------------------------------------------------------------------------------------------- drawing tickets

    private void begin(ComputeThread ct) {
        if (held != NONE) {
            throw new IllegalStateException(ct + " acquires the " + this + " through a view that holds the lock at ("
                    + RdmaPtr.toString(heldAt) + ") already: a lock is not reentrant, and a view holds one at a time");
        }
        ct.place(); // or a loss would be noticed, and not reported, by what follows
        drawn = NONE;
        isDrawn = false;
        seeks = false;
    }

    /** Resumes the abandoned ticket if it has not been skipped yet, and returns true; otherwise draws a new one. */
    private boolean draw(ComputeThread ct) {
        if (resumeAbandoned(ct)) {
            return true;
        }
        line.begin();
        seeks = true;
        if (!(drawNext(ct) && claim(ct))) {
            claimAny(ct);
        }
        seeks = false;
        return false;
    }

    /** Gives up after an operation has failed, which may still take effect. The ticket is not resumed. */
    private void leaveLine(ComputeThread ct) {
        ct.locks().stopWaiting();
        long left = abandoned == drawn && abandonedAt == pointer() ? NONE : drawn;
        TicketCleanup.leave(wordsForCleanup(), left, isDrawn, seeks, succession, ct);
    }

    private boolean resumeAbandoned(ComputeThread ct) {
        if (abandoned == NONE || abandonedAt != pointer()) {
            return false;
        }
        drawn = abandoned;
        abandoned = NONE;
        long given = TicketState.abandoned(drawn, ct.id());
        long seen = words.exchange(drawn, given, TicketState.waiting(drawn, ct.id()), ct);
        return seen == given || isHeldWithTicket(seen, ct);
    }

    /** Draws a ticket. Returns false if its number, or whether there is one, is unknown. */
    private boolean drawNext(ComputeThread ct) {
        try {
            drawn = words.draw(ct);
            isDrawn = true;
            return true;
        } catch (OutcomeUnknownException e) {
            return false;
        }
    }

    /**
     * Claims any unclaimed ticket. Draws one only if there is none. For a thread that may have drawn a ticket without
     * learning its number, or whose ticket another thread has claimed.
     *
     * <p>So no ticket stays unclaimed. Say that a thread <em>seeks</em> from the moment it draws until it claims: then
     * at no time are there more unclaimed tickets than seekers. The first draw adds one of each, and a claim takes one
     * of each away. A seeker draws again by a swap of the counter, from a value below which it has found every ticket
     * claimed. Claims are never undone, so at that moment no ticket at all is unclaimed. (By a FETCH_AND_ADD it would
     * not be: another seeker can draw a ticket meanwhile, and claim an older one instead, before this thread reads it.)
     * Seekers that wait for one ticket, in {@link #claim}, wait for different ones. So for each of the other unclaimed
     * tickets there is a seeker that searches, here, until it has claimed one; and the ticket whose turn it is can be
     * claimed at any time.
     */
    private void claimAny(ComputeThread ct) {
        isDrawn = false;
        long claimed = 0; // all tickets below this one are
        while (true) {
            long end = words.next(ct);
            boolean isAnyBehind = false;
            for (long t = Math.max(claimed, end - entries.length()); t < end; t++) {
                long entry = words.load(t, ct);
                long of = t + TicketState.ahead(entry, t);
                if (of < end && TicketState.isUnclaimed(entry)) {
                    drawn = of;
                    if (claim(ct)) {
                        return;
                    }
                }
                isAnyBehind |= of < t; // ticket t can be claimed when the entry's own ticket has been passed
            }
            drawn = end;
            if (isAnyBehind) {
                waitInLine(ct);
            } else {
                claimed = end;
                words.tryDraw(end, ct); // then the next round finds it unclaimed
            }
        }
    }

    /** Claims the ticket with this thread's id. Returns false if another has claimed it, or presumed it abandoned. */
    private boolean claim(ComputeThread ct) {
        long expected = TicketState.granted(drawn);
        while (true) {
            boolean turn = TicketState.hasTurn(expected);
            long desired = turn
                    ? TicketState.held(drawn, ct.id(), TicketState.isAfterDeath(expected))
                    : TicketState.waiting(drawn, ct.id());
            long seen = words.exchange(drawn, expected, desired, ct);
            long ahead = TicketState.ahead(seen, drawn);
            if (seen == expected) {
                if (turn) {
                    takeLock(desired, ct);
                }
                return true;
            } else if (isHeldWithTicket(seen, ct)) {
                return true; // the turn came before the outcome was known
            } else if (ahead == 0 && TicketState.isUnclaimed(seen)) {
                expected = seen;
            } else if (ahead < 0) {
                waitInLine(ct); // the entry still belongs to a ticket one round earlier
            } else {
                return false;
            }
        }
    }

    private boolean hasTurn(ComputeThread ct) {
        if (held != drawn) {
            long entry = words.load(drawn, ct);
            if (isHeldWithTicket(entry, ct)) {
                takeLock(entry, ct);
            }
        }
        return held == drawn;
    }

    /** Whether this thread has the turn with the ticket that it has drawn, where this is the ticket's entry. */
    private boolean isHeldWithTicket(long entry, ComputeThread ct) {
        return TicketState.isHeldBy(entry, ct.id()) && TicketState.ahead(entry, drawn) == 0;
    }

    private void takeLock(long entry, ComputeThread ct) {
        held = drawn;
        heldAt = pointer();
        heldEntry = entry;
        isInconsistent = TicketState.isAfterDeath(entry);
        ct.locks().add(heldAt);
    }

    /** Abandons the ticket; false if its turn has come instead. */
    private boolean abandon(ComputeThread ct) {
        long waiting = TicketState.waiting(drawn, ct.id());
        long seen = words.exchange(drawn, waiting, TicketState.abandoned(drawn, ct.id()), ct);
        if (seen != waiting && TicketState.ahead(seen, drawn) <= 0) {
            return false;
        }
        abandoned = drawn;
        abandonedAt = pointer();
        ct.locks().stopWaiting();
        return true;
    }

    // ---------------------------------------------------------------------------------------------- waiting

    /** Waits a little, and is known to wait meanwhile. */
    private void waitInLine(ComputeThread ct) {
        ct.locks().startWaiting(pointer());
        try {
            if (!lookAtLine(ct)) {
                ct.pause();
            }
        } catch (RuntimeException e) {
            ct.locks().stopWaiting();
            throw e;
        }
    }

    /** Ends the next earlier ticket if its owner is lost. Returns whether the line has changed. */
    private boolean lookAtLine(ComputeThread ct) {
        int holder = line.look(drawn, ct);
        if (holder == ct.id()) {
            abandon(ct);
            throw new IllegalStateException(
                    ct + " acquires the " + this + ", which it holds already: it is not reentrant");
        } else if (holder >= 0 && (abandon(ct) || !hasTurn(ct))) {
            throw LostHolderException.notCutOff(toString(), holder, ct.peers().nodeOf(holder)); // as later waiters do
        }
        return holder != TicketLine.UNCHANGED;
    }
}
