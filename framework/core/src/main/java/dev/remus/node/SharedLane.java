// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Completions;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Lane;
import dev.remus.logging.Loggers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;

/**
 * A lane that several Compute Threads share. A waiter polls for all of them, and a completion's id names its owner.
 *
 * <p>One lock guards all of it: that of the lane, if it has one ({@link Lane#lock}). A thread that has the lane for
 * itself takes it once for a blocking operation, and keeps it while it spins ({@link #execute}).
 *
 * <pre>
 *  id   63            32 31                0
 *      +----------------+-------------------+
 *      | 1 + user       | user's epoch      |
 *      +----------------+-------------------+
 * </pre>
 */
final class SharedLane {
    private static final Logger LOG = Loggers.of(SharedLane.class);
    private static final int BATCH = 32;

    /** The id of completions that no thread awaits, and of an unsignalled request that failed. */
    private static final long UNAWAITED = 0;

    /** A waiter for completions. */
    interface User {
        /** Called by any thread. Ignores completions of an earlier epoch, whose wait was given up. */
        void completed(SharedLane lane, int epoch, CompletionStatus status);
    }

    /** A user that waits until all that it has posted is completed. */
    interface Waiter extends User {
        boolean isOver();
    }

    /** The users of all lanes of a Compute Node, by number. */
    static final class Users {
        private final List<User> users = new CopyOnWriteArrayList<>();

        synchronized int add(User user) {
            users.add(user);
            return users.size();
        }
    }

    private final Lane lane;
    private final int memoryNode;
    private final Users users;
    private final Completions batch = new Completions(BATCH);

    /** Held to poll, and to post unsignalled requests; by the lane also to post others, if it is the lane's own. */
    private final ReentrantLock lock;

    /** Held by the thread that connects the lane again. It takes {@link #lock} only for moments. */
    private final ReentrantLock recovering = new ReentrantLock();

    private final AtomicInteger breaks = new AtomicInteger();

    /** How many attempts to reconnect it have failed. */
    private final AtomicInteger failedAttempts = new AtomicInteger();

    private int unsignalled;

    /** Whether the Memory Node was gone when the lane broke. Used under {@link #lock}. */
    private boolean peerLost;

    SharedLane(Lane lane, int memoryNode, Users users) {
        this.lane = lane;
        this.lock = lane.lock().orElseGet(ReentrantLock::new);
        this.memoryNode = memoryNode;
        this.users = users;
    }

    static long id(int user, int epoch) {
        return (long) user << 32 | epoch & 0xFFFF_FFFFL;
    }

    /** The Memory Node of the lane. */
    int memoryNode() {
        return memoryNode;
    }

    /** Posts a chain once there is room. */
    void post(Chain chain, Runnable whileFull) {
        while (!lane.tryPost(chain)) {
            poll();
            whileFull.run();
        }
    }

    /** Posts a chain if there is room; returns whether there was. */
    boolean tryPost(Chain chain) {
        return lane.tryPost(chain);
    }

    /** The same for a thread that is about to post more, or to {@link #start}. */
    boolean tryPostMore(Chain chain) {
        return lane.tryPostMore(chain);
    }

    /** Starts what was posted. */
    void start() {
        lane.start();
    }

    /**
     * Posts a chain once there is room, and polls for as long as its completion may come while the thread spins. To be
     * called by the one thread that uses the lane: it holds the lock all the while, so that the operation takes it
     * once, and not again for each poll. It lets go as soon as another thread asks for the lock.
     */
    void execute(Chain chain, Runnable whileFull, Waiter awaited, Backoff backoff) {
        lock.lock();
        try {
            if (lane.tryPost(chain)) {
                while (!awaited.isOver() && !lock.hasQueuedThreads() && backoff.spin()) {
                    passOn();
                }
                return;
            }
        } finally {
            lock.unlock();
        }
        post(chain, whileFull);
    }

    /**
     * Posts a chain without signalled requests. From time to time its last request is signalled all the same, for no
     * thread: requests free their places on the lane only when a signalled one behind them has completed.
     */
    void postUnsignalled(Chain chain, Runnable whileFull) {
        while (!tryPostUnsignalled(chain)) {
            poll();
            whileFull.run();
        }
    }

    /**
     * Counts and posts in one step. Otherwise a lane could fill up before the threads that are to signal have posted.
     */
    private boolean tryPostUnsignalled(Chain chain) {
        lock.lock();
        try {
            boolean signal = unsignalled + chain.size() > lane.depth() / 4;
            if (signal) {
                chain.signalled(UNAWAITED);
            }
            boolean posted = lane.tryPost(chain);
            if (posted) {
                unsignalled = signal ? 0 : unsignalled + chain.size();
            }
            return posted;
        } finally {
            lock.unlock();
        }
    }

    /** Passes on the available completions, unless another thread uses the lane now; returns their number. */
    int poll() {
        if (lock.tryLock()) {
            try {
                return passOn();
            } finally {
                lock.unlock();
            }
        }
        return 0;
    }

    /** Passes on the available completions; returns their number. To be called under {@link #lock}. */
    private int passOn() {
        lane.poll(batch);
        for (int i = 0; i < batch.size(); i++) {
            CompletionStatus status = reason(batch.status(i));
            // A failure that no thread awaits breaks the lane, which all threads notice.
            if (batch.id(i) != UNAWAITED) {
                int user = (int) (batch.id(i) >>> 32);
                users.users.get(user - 1).completed(this, (int) batch.id(i), status);
            }
        }
        return batch.size();
    }

    /** The reason for a flushed request: if the Memory Node is gone, it failed for that reason too. */
    private CompletionStatus reason(CompletionStatus status) {
        peerLost |= status == CompletionStatus.PEER_LOST;
        return peerLost && status == CompletionStatus.FLUSHED ? CompletionStatus.PEER_LOST : status;
    }

    boolean isBroken() {
        return lane.isBroken();
    }

    /** How often the lane was found broken. Unsignalled requests posted before a break may be lost. */
    int breaks() {
        return breaks.get();
    }

    /** The state of a lane after an attempt to {@link #recover} it. */
    enum Recovery {
        /** It is connected: nothing posted before it broke can still arrive. */
        CONNECTED,
        /** Another thread has posted to it meanwhile: try again. */
        BUSY,
        /** It cannot be connected now. The next request fails, and tries again. */
        FAILED
    }

    /**
     * After a failure: notifies the waiters, and tries to reconnect the lane. Threads that call it at the same time
     * share one attempt.
     */
    Recovery recover() {
        int before = failedAttempts.get();
        recovering.lock();
        try {
            if (lane.isBroken() && failedAttempts.get() != before) {
                return Recovery.FAILED;
            }
            if (lane.isBroken()) {
                reconnect();
            }
            return Recovery.CONNECTED;
        } catch (FabricException e) {
            failedAttempts.incrementAndGet();
            LOG.debug("{} stays broken: {}", lane, e.getMessage());
            return Recovery.FAILED;
        } catch (IllegalStateException e) {
            LOG.debug("{} stays broken for now: {}", lane, e.getMessage());
            return Recovery.BUSY;
        } finally {
            recovering.unlock();
        }
    }

    private void reconnect() {
        lock.lock();
        try {
            int found;
            do {
                found = passOn();
            } while (found > 0);
        } finally {
            lock.unlock();
        }
        breaks.incrementAndGet();
        lane.reconnect();
        lock.lock();
        try {
            peerLost = false;
        } finally {
            lock.unlock();
        }
        LOG.debug("{} had broken and is connected again", lane);
    }

    @Override
    public String toString() {
        return lane.toString();
    }
}
