// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Completions;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Lane;
import dev.remus.fabric.NodeLostException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A lane over one queue pair, which many threads share.
 *
 * <p>A completion from the device carries the number of its request in the {@link SendQueue}. Requests of a queue pair
 * complete in order, so a completion also completes all earlier requests; unsignalled ones report nothing. When a
 * request fails, the lane flushes all later ones itself. The device flushes them too, but its reports are not awaited.
 *
 * <p>One lock guards all of it, and posting and polling take no other: the calls of the device keep no state in Java,
 * and what is asked of the link is a volatile field. The lock is needed although a lane may belong to one thread, since
 * others look after it about once a second ({@link #watch}), break it when the Memory Node is lost, connect it again,
 * and close it. A caller can hold the lock across calls ({@link #lock}), so that they take it once. It is a {@link
 * ReentrantLock} because its holder can see that another thread waits for it.
 */
final class VerbsLane implements Lane {
    /** How long the device may make no progress on signalled requests; it gives up on its own long before. */
    static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(45);

    /** The Memory Node at the other end, as the link sees it. */
    interface Peer {
        int memoryNode();

        /** Checks whether the Memory Node is gone. */
        boolean isLost();

        /** The status with which operations fail once the Memory Node has been found lost; null before. */
        @Nullable
        CompletionStatus loss();

        /**
         * Makes one attempt to open a new connection for a lane with a broken one.
         *
         * @throws FabricException if that is not possible now
         */
        Connection redial(VerbsLane lane);
    }

    private final Peer link;
    private final int number;
    private final int identity;
    private final int depth;
    private final SendQueue queue;
    private final WorkCompletions arrived;
    private int arrivedNext;
    private int arrivedEnd;
    private Connection connection;
    private volatile boolean broken; // read without the lock too
    private CompletionStatus nextFailure = CompletionStatus.FLUSHED;
    private volatile boolean closed; // read without the lock too

    private final ReentrantLock lock = new ReentrantLock();

    /**
     * Held while the connection is replaced. {@link #lock} is not held meanwhile, since dialling takes seconds, and the
     * threads that watch and poll must not wait for it.
     */
    private final ReentrantLock replacing = new ReentrantLock();

    /** Whether the connection is a new one that no request has used. */
    private boolean replaced;

    /** The first outstanding request at the last progress that {@link #watch} saw. */
    private long seenFirst;

    private long movedAt = System.nanoTime();

    VerbsLane(Peer link, int number, int identity, Connection connection, DeviceLimits device) {
        this.identity = identity;
        this.link = link;
        this.number = number;
        this.connection = connection;
        this.depth = device.depth();
        this.queue = new SendQueue(depth, device.emulated(), connection.pair().inlineBytes());
        this.arrived = new WorkCompletions(depth);
    }

    /** The number by which the Memory Node recognises that a connection replaces that of this lane. */
    int identity() {
        return identity;
    }

    /** The connection, for a caller that uses its queue pair instead of this lane. */
    Connection connection() {
        return connection;
    }

    /**
     * Relies on the device's own fences from now on, also on Soft-RoCE, where that is safe for WRITEs only: a READ or
     * atomic that is retransmitted waits for itself.
     */
    void useDeviceFences() {
        lock.lock();
        try {
            queue.useDeviceFences();
        } finally {
            lock.unlock();
        }
    }

    /** How often the device was notified of requests. */
    long doorbells() {
        lock.lock();
        try {
            return queue.doorbells();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int depth() {
        return depth;
    }

    @Override
    public Optional<ReentrantLock> lock() {
        return Optional.of(lock);
    }

    @Override
    public boolean tryPost(Chain chain) {
        lock.lock();
        try {
            return tryAdd(chain) && submitOrRemove(chain.size());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean tryPostMore(Chain chain) {
        lock.lock();
        try {
            return tryAdd(chain);
        } finally {
            lock.unlock();
        }
    }

    /** Adds a chain to the queue if there is room. */
    private boolean tryAdd(Chain chain) {
        checkOpen();
        check(chain);
        if (queue.outstanding() + chain.size() > depth) {
            return false;
        }
        CompletionStatus loss = link.loss();
        if (loss != null) {
            peerLost(loss);
        }
        queue.add(chain);
        return true;
    }

    /** Submits all that was added. If the device refuses it, the last chain counts as not posted. */
    private boolean submitOrRemove(int last) {
        if (!broken) {
            try {
                queue.submit(connection.pair());
            } catch (IOException e) {
                queue.removeFrom(queue.next() - last);
                fail(CompletionStatus.FLUSHED);
                throw refused("a chain of " + last + " requests", e);
            }
        }
        return true;
    }

    private FabricException refused(String what, IOException e) {
        return new FabricException(
                this + ": the device refused " + what + ", of which it may have executed some: " + e.getMessage(), e);
    }

    @Override
    public void start() {
        lock.lock();
        try {
            checkOpen();
            submitRest();
        } finally {
            lock.unlock();
        }
    }

    /** Submits what {@link #tryPostMore} has added. */
    private void submitRest() {
        if (!broken && queue.isAnyToSubmit()) {
            try {
                queue.submit(connection.pair());
            } catch (IOException e) {
                fail(CompletionStatus.FLUSHED);
                throw refused(queue.outstanding() + " outstanding requests", e);
            }
        }
    }

    private void check(Chain chain) {
        int n = chain.size();
        if (n == 0 || n > depth) {
            throw new IllegalArgumentException(this + ": a chain of " + n + " requests: needs 1 to " + depth);
        }
        for (int i = 0; i < n; i++) {
            if (chain.segment(i).memoryNode() != link.memoryNode()) {
                throw new IllegalArgumentException(this + ": request " + i + " of the chain goes to Memory Node "
                        + chain.segment(i).memoryNode());
            }
            if (chain.local(i).localKey() == 0) {
                throw new IllegalArgumentException(this + ": request " + i + " of the chain names local memory that is "
                        + "not registered: allocate it from the endpoint");
            }
        }
    }

    @Override
    public int poll(Completions into) {
        lock.lock();
        try {
            checkOpen();
            into.clear();
            submitRest();
            while (!into.isFull() && (arrivedNext < arrivedEnd || fetch())) {
                take(into);
            }
            while (broken && !queue.isEmpty() && !into.isFull() && arrivedNext == arrivedEnd) {
                failNext(into, nextFailure);
            }
            return into.size();
        } finally {
            lock.unlock();
        }
    }

    /** Fetches completions from the device, and resumes after a fence if its mark has completed. */
    private boolean fetch() {
        if (broken || queue.isEmpty()) {
            return false;
        }
        try {
            arrivedNext = 0;
            arrivedEnd = arrived.poll(connection.pair().completionQueue());
            if (queue.isMarked() && isMarkAmongArrived()) {
                queue.markHasCompleted(connection.pair());
            }
        } catch (IOException e) {
            fail(CompletionStatus.FLUSHED);
            throw new FabricException(this + " is broken: " + e.getMessage(), e);
        }
        return arrivedEnd > 0;
    }

    private boolean isMarkAmongArrived() {
        for (int i = arrivedEnd - 1; i >= 0; i--) {
            if (arrived.id(i) == SendQueue.MARK && arrived.status(i) == WorkCompletions.SUCCESS) {
                return true;
            }
        }
        return false;
    }

    /** Takes the next completion that has arrived. */
    private void take(Completions into) {
        long sequence = arrived.id(arrivedNext);
        int status = arrived.status(arrivedNext);
        arrivedNext++;
        if (status == WorkCompletions.SUCCESS) {
            if (sequence != SendQueue.MARK) {
                queue.retireUpTo(sequence);
                into.add(queue.id(sequence), CompletionStatus.SUCCESS);
            }
            return;
        }
        CompletionStatus reason = reason(status);
        queue.retireUpTo((sequence == SendQueue.MARK ? queue.submitted() : sequence) - 1);
        broken = true;
        arrivedNext = arrivedEnd = 0;
        failNext(into, reason);
    }

    private void failNext(Completions into, CompletionStatus status) {
        into.add(queue.retireFirst(), status);
        nextFailure = CompletionStatus.FLUSHED;
    }

    private CompletionStatus reason(int status) {
        return switch (status) {
            case WorkCompletions.REMOTE_ACCESS, WorkCompletions.REMOTE_INVALID_REQUEST ->
                CompletionStatus.REMOTE_ACCESS_ERROR;
            case WorkCompletions.RETRIES_EXCEEDED, WorkCompletions.RNR_RETRIES_EXCEEDED ->
                connection.hasEnded() ? CompletionStatus.PEER_LOST : CompletionStatus.RETRY_EXCEEDED;
            case WorkCompletions.FLUSHED -> {
                if (broken) {
                    yield nextFailure;
                }
                yield connection.hasEnded() ? CompletionStatus.PEER_LOST : CompletionStatus.FLUSHED;
            }
            default -> CompletionStatus.DEVICE_ERROR;
        };
    }

    /** Fails all outstanding requests: the Memory Node is gone or no longer answers. */
    void peerLost(CompletionStatus reason) {
        lock.lock();
        try {
            if (!closed && !broken) {
                fail(reason);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Breaks the lane. Operations that the device has completed before are still reported with their status. */
    private void fail(CompletionStatus status) {
        connection.disconnect();
        if (arrivedNext == arrivedEnd) {
            try {
                arrivedNext = 0;
                arrivedEnd = arrived.poll(connection.pair().completionQueue());
            } catch (IOException e) {
                arrivedEnd = 0;
            }
        }
        broken = true;
        nextFailure = status;
    }

    /**
     * To be called about once a second. Resumes after a fence on behalf of threads that do not poll, and breaks the
     * lane if signalled requests have made no progress for too long.
     */
    void watch(long now) {
        lock.lock();
        try {
            if (closed || broken) {
                return;
            }
            submitRest();
            if (arrivedNext == arrivedEnd) {
                fetch();
            }
            if (queue.first() != seenFirst || !queue.hasSignalled() || arrivedNext < arrivedEnd) {
                seenFirst = queue.first();
                movedAt = now;
            } else if (now - movedAt > STUCK_NANOS) {
                fail(CompletionStatus.RETRY_EXCEEDED);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isBroken() {
        return broken;
    }

    @Override
    public void reconnect() {
        replacing.lock();
        try {
            if (mustReplace()) {
                Connection fresh = link.redial(this);
                if (!use(fresh)) {
                    fresh.close();
                }
            }
            resume();
        } finally {
            replacing.unlock();
        }
    }

    /** Whether a new connection is needed; then closes the old one. */
    private boolean mustReplace() {
        lock.lock();
        try {
            checkOpen();
            if (!broken || replaced) {
                return false;
            }
            checkPolled();
            if (link.isLost()) {
                throw new NodeLostException(
                        link.memoryNode(), this + ": Memory Node " + link.memoryNode() + " is gone");
            }
            connection.close(); // its queue pair sends nothing more; the Memory Node destroys the other end
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void checkPolled() {
        if (!queue.isEmpty()) {
            throw new IllegalStateException(this + ": " + queue.outstanding() + " requests have not been polled");
        }
    }

    /** Takes a new connection, unless this lane was closed meanwhile. */
    private boolean use(Connection fresh) {
        lock.lock();
        try {
            if (!closed) {
                connection = fresh;
                replaced = true;
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Lets requests use the new connection. Those that were posted meanwhile have to be polled first: they failed. */
    private void resume() {
        lock.lock();
        try {
            checkOpen();
            if (broken) {
                checkPolled();
                queue.restart();
                arrivedNext = arrivedEnd = 0;
                nextFailure = CompletionStatus.FLUSHED;
                replaced = false;
                broken = false;
            }
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true; // which ends dialling too
        } finally {
            lock.unlock();
        }
        replacing.lock();
        try {
            closeConnection();
        } finally {
            replacing.unlock();
        }
    }

    private void closeConnection() {
        lock.lock();
        try {
            connection.close();
        } finally {
            lock.unlock();
        }
    }

    /** Throws if this lane is closed. Any thread may call it. */
    void checkOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    @Override
    public String toString() {
        return "lane " + number + " to Memory Node " + link.memoryNode();
    }
}
