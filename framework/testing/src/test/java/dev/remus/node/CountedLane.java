// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.Chain;
import dev.remus.fabric.Completions;
import dev.remus.fabric.Lane;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lane with a lock of its own, like that of a queue pair. It counts how often each thread takes the lock, and how
 * often a device would be notified of requests. Requests that may wait for more are executed once they are started.
 */
final class CountedLane implements Lane {
    private final WeakLane lane;
    private final CountedLock lock = new CountedLock();
    private boolean waitsForMore;
    private int doorbells;

    CountedLane(WeakLane lane) {
        this.lane = lane;
    }

    /** Counts how often the calling thread takes it while it does not hold it. */
    private static final class CountedLock extends ReentrantLock {
        private static final long serialVersionUID = 1L;

        private final transient ThreadLocal<Integer> taken = ThreadLocal.withInitial(() -> 0);

        @Override
        public void lock() {
            super.lock();
            count();
        }

        @Override
        public boolean tryLock() {
            boolean isTaken = super.tryLock();
            if (isTaken) {
                count();
            }
            return isTaken;
        }

        private void count() {
            if (getHoldCount() == 1) {
                taken.set(taken.get() + 1);
            }
        }
    }

    /** How often the calling thread has taken the lock. */
    int locks() {
        return lock.taken.get();
    }

    /** The lane below, which decides when requests are executed. */
    WeakLane weak() {
        return lane;
    }

    /** How often a device would have been notified of requests, of any thread. */
    int doorbells() {
        lock.lock();
        try {
            return doorbells;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<ReentrantLock> lock() {
        return Optional.of(lock);
    }

    @Override
    public int depth() {
        return lane.depth();
    }

    @Override
    public boolean tryPost(Chain chain) {
        return tryPost(chain, false);
    }

    @Override
    public boolean tryPostMore(Chain chain) {
        return tryPost(chain, true);
    }

    private boolean tryPost(Chain chain, boolean more) {
        lock.lock();
        try {
            if (!lane.tryPost(chain)) {
                return false;
            }
            lane.hold(more);
            waitsForMore = more;
            doorbells += more ? 0 : 1;
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void start() {
        lock.lock();
        try {
            if (waitsForMore) {
                lane.hold(false);
                waitsForMore = false;
                doorbells++;
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int poll(Completions into) {
        lock.lock();
        try {
            start();
            return lane.poll(into);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isBroken() {
        return lane.isBroken();
    }

    @Override
    public void reconnect() {
        lane.reconnect();
    }
}
