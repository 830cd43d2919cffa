package dev.remus.lock;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A fair lock in remote memory: whoever wants it draws a ticket, and tickets have their turn in order.
 *
 * <pre>
 *  0             8              16                      8 + 8 * threads
 * +-------------+--------------+--------------+-- ... --+
 * | next ticket | entry of     | entry of     |         |
 * |             | tickets 0,   | tickets 1,   |         |
 * |             | n, 2n, ...   | n+1, ...     |         |
 * +-------------+--------------+--------------+-- ... --+
 * </pre>
 *
 * <p>Like all records it is looked at through a view that belongs to one thread; it can lie in a block of its own or
 * inside another record:
 *
 * <pre>{@code
 * RemoteLock lock = new RemoteLock(ct.threads());
 * lock.allocate(ct);                                   // or: lock.at(the pointer that somebody else published)
 * lock.init(ct);                                       // once, before others can see it
 * ...
 * lock.acquire(ct);
 * try { ... } finally { lock.release(ct); }
 * }</pre>
 *
 * <p><b>Promises.</b> Mutual exclusion; what the holder has written or posted to remote memory, on any Memory Node, is
 * placed before the next holder has the lock. First come, first served: who has drawn a ticket is overtaken by nobody
 * with a later one. {@link #acquire} blocks; {@link #tryAcquire} gives up when its time is over, and its ticket is then
 * skipped by whoever releases the lock. {@link #release} is wait-free but for tickets to be skipped, at most one per
 * thread. It is not reentrant: acquiring it twice is reported.
 *
 * <p><b>Linearization points.</b> Of an acquisition: when the ticket's entry becomes HELD, by the owner's
 * compare-and-swap if the lock was free and by the releaser's if it was not. Of a release: when the next ticket's entry
 * becomes GRANTED or HELD. Of giving up: when the entry becomes ABANDONED. Owner and releaser change the same word, so
 * a wake-up cannot be lost between giving up and being served.
 *
 * <p><b>Death.</b> A thread that is lost with its node while it holds the lock leaves it locked: everybody who waits
 * gets a {@link LostHolderException} that names it, as soon as membership knows. One that is known to be lost when its
 * turn comes is skipped, also if it died before it could say who it was; in that case only, a thread that is merely
 * slow may be taken for the lost one, and then draws a new ticket. (Under {@code --on-node-loss abort} every loss ends
 * every wait.) A thread that ends without releasing it takes its node with it ({@link ComputeThread#close}); one that
 * stops without an end is waited for.
 *
 * <p><b>Round trips.</b> Without contention 2 to acquire and 2 to release, and none for placing what was stored rather
 * than posted. With contention 3 to acquire, and 2 for each look while waiting; 3 to release, and 2 more for each
 * abandoned ticket.
 *
 * <p>Every word is changed by compare-and-swap and fetch-and-add only, once {@link #init} has returned.
 *
 * <p>Source: the ticket lock of Mellor-Crummey and Scott, "Algorithms for Scalable Synchronization on Shared-Memory
 * Multiprocessors", ACM TOCS 9(1), 1991, with a word for each waiter to look at as in Anderson's array lock (section
 * 2.3 there); time-outs after Scott and Scherer, "Scalable Queue-Based Spin Locks with Timeout", PPoPP 2001.
 */
public final class RemoteLock extends RemoteRecord {
    private static final long NONE = -1;

    /** After this many polls an unclaimed ticket is presumed abandoned, if some node is lost. */
    private static final int LOOKS_AT_A_STRANGER = 64;

    private final RemoteLong next = longField();
    private final RemoteLongArray entries;

    /** The ticket that this thread has drawn last. */
    private long drawn;

    /** The ticket with which it has the lock at {@link #heldAt}. */
    private long held = NONE;

    private long heldAt;

    /** A ticket that it abandoned, of the lock at {@link #abandonedAt}: taken up again if that is still possible. */
    private long abandoned = NONE;

    private long abandonedAt;
    private int looksAtStranger;

    /** @param threads how many threads the cluster has ({@link ComputeThread#threads}) */
    public RemoteLock(int threads) {
        entries = longArrayField(threads);
    }

    /** Size of a lock, for records that hold one. */
    public static int bytes(int threads) {
        return (1 + threads) * Long.BYTES;
    }

    /**
     * What the words of a lock show that were read from outside, by a program that watches a cluster and takes no part
     * in it. Empty if they are not those of a lock, or were read while it changed hands.
     *
     * @param words all {@link #bytes} of it
     */
    public static Optional<LockState> state(long[] words) {
        return TicketState.state(words);
    }

    /** Makes it a free lock. To be called once, before another thread can see it. One round trip. */
    public void init(ComputeThread ct) {
        ByteBuffer words = ByteBuffer.allocate((int) bytes()).order(ByteOrder.LITTLE_ENDIAN);
        words.putLong(0).putLong(TicketState.granted(0));
        for (int i = 1; i < entries.length(); i++) {
            words.putLong(TicketState.free(i));
        }
        ct.write(pointer(), words.flip());
    }

    /**
     * Takes the lock, when it is this thread's turn.
     *
     * @throws LostHolderException if the thread that has it is lost
     * @throws IllegalStateException if this thread has it already
     */
    public void acquire(ComputeThread ct) {
        draw(ct);
        while (!hasTurn(ct)) {
            awaitTurn(ct);
        }
    }

    /**
     * Takes the lock if it is this thread's turn in time. Otherwise the ticket stays behind until its turn comes and it
     * is skipped; a thread that tries again before that, through the same view, keeps its place. (Through other views
     * it draws another ticket; when more are abandoned than there are threads, drawing one waits until some are
     * skipped.)
     *
     * @param nanos how long to wait; 0 or less looks once
     * @return whether this thread has the lock
     * @throws LostHolderException if the thread that has it is lost
     * @throws IllegalStateException if this thread has it already
     */
    public boolean tryAcquire(long nanos, ComputeThread ct) {
        long start = ct.nanoTime();
        draw(ct);
        while (!hasTurn(ct)) {
            if (ct.nanoTime() - start >= nanos && abandon(ct)) {
                return false;
            }
            awaitTurn(ct);
        }
        return true;
    }

    /**
     * Gives the lock to the next thread that waits for it, or to whoever comes next.
     *
     * @throws IllegalStateException if this thread does not have it, or not through this view
     */
    public void release(ComputeThread ct) {
        if (held == NONE || heldAt != pointer()) {
            throw new IllegalStateException(
                    ct + " releases the " + this + ", which it has not acquired through this view");
        }
        ct.place(); // the next holder may look on another lane
        passOn(held, ct);
        ct.locks().remove(heldAt);
        held = NONE;
    }

    /**
     * The ticket that this thread has drawn last, the one with which it has the lock if it does: later holders have
     * larger ones. It can serve as a fencing token, by which others recognise a holder that comes too late.
     */
    public long ticket() {
        return drawn;
    }

    /**
     * The {@link ComputeThread#id} of the thread that has the lock. For people and their messages: while it changes
     * hands the answer may be any of those who have it, or nobody; a thread that keeps it is named, however many others
     * have given up behind it. One round trip for each thread of the cluster, and one more.
     */
    public OptionalInt holder(ComputeThread ct) {
        long start = next.load(ct);
        long newest = Long.MIN_VALUE;
        OptionalInt holder = OptionalInt.empty();
        for (int i = 0; i < entries.length(); i++) {
            long entry = entries.load(i, ct);
            boolean isTurn =
                    TicketState.state(entry) == TicketState.HELD || TicketState.state(entry) == TicketState.GRANTED;
            if (isTurn && TicketState.ahead(entry, start) > newest) {
                newest = TicketState.ahead(entry, start);
                holder = TicketState.state(entry) == TicketState.HELD
                        ? OptionalInt.of(TicketState.thread(entry))
                        : OptionalInt.empty(); // it is the turn of somebody who has not come yet
            }
        }
        return holder;
    }

    // ---------------------------------------------------------------------------------------------- coming

    /** Comes with a ticket: with the one that was abandoned if it has not been skipped yet, else with a new one. */
    private void draw(ComputeThread ct) {
        if (held != NONE) {
            throw new IllegalStateException(ct + " acquires the " + this + " through a view that has the lock at ("
                    + RdmaPtr.toString(heldAt) + ") already: a lock is not reentrant, and a view has one at a time");
        }
        looksAtStranger = 0;
        if (!takeUpAgain(ct)) {
            do {
                drawn = next.fetchAdd(1, ct);
            } while (!show(ct));
        }
    }

    private boolean takeUpAgain(ComputeThread ct) {
        if (abandoned == NONE || abandonedAt != pointer()) {
            return false;
        }
        drawn = abandoned;
        abandoned = NONE;
        return change(drawn, TicketState.abandoned(drawn, ct.id()), TicketState.waiting(drawn, ct.id()), ct);
    }

    /** Writes this thread's name on its ticket. False if it came so late that it was presumed abandoned. */
    private boolean show(ComputeThread ct) {
        long expected = TicketState.granted(drawn);
        while (true) {
            boolean turn = expected == TicketState.granted(drawn);
            long desired = turn ? TicketState.held(drawn, ct.id()) : TicketState.waiting(drawn, ct.id());
            long seen = entries.compareAndExchange(index(drawn), expected, desired, ct);
            if (seen == expected) {
                if (turn) {
                    takeLock(ct);
                }
                return true;
            } else if (seen == TicketState.free(drawn) || seen == TicketState.granted(drawn)) {
                expected = seen;
            } else if (TicketState.ahead(seen, drawn) < 0) {
                awaitTurn(ct); // the entry is still about a ticket one round earlier
            } else {
                return false;
            }
        }
    }

    private boolean hasTurn(ComputeThread ct) {
        if (held != drawn && entries.load(index(drawn), ct) == TicketState.held(drawn, ct.id())) {
            takeLock(ct);
        }
        return held == drawn;
    }

    private void takeLock(ComputeThread ct) {
        held = drawn;
        heldAt = pointer();
        ct.locks().add(heldAt);
    }

    /** Whether the ticket could be abandoned; if not, its turn has come. */
    private boolean abandon(ComputeThread ct) {
        if (!change(drawn, TicketState.waiting(drawn, ct.id()), TicketState.abandoned(drawn, ct.id()), ct)) {
            return false;
        }
        abandoned = drawn;
        abandonedAt = pointer();
        ct.locks().stopWaiting();
        return true;
    }

    // ---------------------------------------------------------------------------------------------- waiting

    /**
     * Waits a little, for the nearest earlier ticket that somebody still waits or holds with. Entries that are ahead of
     * their ticket here have been passed already. Those that are behind it are still about a ticket one round earlier,
     * which comes before all others: where many have given up, the holder's is one of these.
     */
    private void awaitTurn(ComputeThread ct) {
        ct.locks().startWaiting(pointer());
        long earliest = NONE;
        long entryOfEarliest = NONE;
        for (long t = drawn - 1; t >= 0 && t >= drawn - entries.length(); t--) {
            long entry = entries.load(index(t), ct);
            long ahead = TicketState.ahead(entry, t);
            if (ahead <= 0 && TicketState.state(entry) != TicketState.ABANDONED) {
                if (ahead == 0) {
                    awaitTicket(t, entry, ct);
                    return;
                }
                earliest = t + ahead;
                entryOfEarliest = entry;
            }
        }
        if (earliest == NONE) {
            ct.pause();
        } else {
            awaitTicket(earliest, entryOfEarliest, ct);
        }
    }

    private void awaitTicket(long earlier, long entry, ComputeThread ct) {
        switch (TicketState.state(entry)) {
            case TicketState.HELD -> awaitHolder(TicketState.thread(entry), ct);
            case TicketState.WAITING -> awaitWaiter(earlier, entry, ct);
            default -> awaitStranger(earlier, entry, ct);
        }
    }

    private void awaitHolder(int thread, ComputeThread ct) {
        if (thread == ct.id()) {
            abandon(ct);
            throw new IllegalStateException(
                    ct + " acquires the " + this + ", which it has already: it is not reentrant");
        }
        if (ct.peers().isLost(thread)
                && (abandon(ct) || !hasTurn(ct))) { // those behind look past it, and see the holder too
            throw new LostHolderException(toString(), thread, ct.peers().nodeOf(thread));
        }
        ct.pause();
    }

    /** A thread that is lost while it waits abandons its ticket, by the hand of the one behind it. */
    private void awaitWaiter(long earlier, long entry, ComputeThread ct) {
        if (ct.peers().isLost(TicketState.thread(entry))) {
            change(earlier, entry, TicketState.abandoned(earlier, TicketState.thread(entry)), ct);
        } else {
            ct.pause();
        }
    }

    /** Somebody has drawn a ticket and not come with it: if that lasts, it may have been a thread of a lost node. */
    private void awaitStranger(long earlier, long entry, ComputeThread ct) {
        if (++looksAtStranger % LOOKS_AT_A_STRANGER != 0 || !ct.peers().isAnyNodeLost()) {
            ct.pause();
        } else if (entry == TicketState.free(earlier)) {
            change(earlier, entry, TicketState.abandoned(earlier, TicketState.NOBODY), ct);
        } else if (change(earlier, entry, TicketState.held(earlier, ct.id()), ct)) {
            passOn(earlier, ct);
        }
    }

    // ---------------------------------------------------------------------------------------------- passing on

    /**
     * Lets the next ticket that is not abandoned have its turn, and only then frees the entry of this one: at any
     * moment somebody holds the lock, and can be named if it is lost.
     */
    private void passOn(long held, ComputeThread ct) {
        long t = held + 1;
        while (!grant(t, ct)) {
            t++;
        }
        change(held, TicketState.held(held, ct.id()), TicketState.free(held + entries.length()), ct);
    }

    /**
     * Gives a ticket its turn; false if nobody waits with it any more, and then its entry is free for the next round.
     */
    private boolean grant(long t, ComputeThread ct) {
        long seen = TicketState.free(t);
        while (true) {
            long desired = afterPassing(seen, t, ct);
            long found = entries.compareAndExchange(index(t), seen, desired, ct);
            if (found == seen) {
                return TicketState.ahead(desired, t) == 0;
            }
            seen = found;
        }
    }

    /** An entry that is still about the ticket one round earlier is one that its releaser has not freed yet. */
    private long afterPassing(long seen, long t, ComputeThread ct) {
        int state = TicketState.ahead(seen, t) == 0 ? TicketState.state(seen) : TicketState.FREE;
        boolean waits = state == TicketState.WAITING && !ct.peers().isLost(TicketState.thread(seen));
        if (state == TicketState.FREE) {
            return TicketState.granted(t);
        }
        return waits ? TicketState.held(t, TicketState.thread(seen)) : TicketState.free(t + entries.length());
    }

    private boolean change(long t, long expected, long desired, ComputeThread ct) {
        return entries.compareAndSet(index(t), expected, desired, ct);
    }

    private int index(long t) {
        return (int) (t % entries.length());
    }
}
