// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Completions;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Lane;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.Operation;
import dev.remus.fabric.RemoteSegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lane that guarantees no more than the contract. A request is executed some time after it was posted, and requests
 * on other lanes overtake it. A WRITE that has completed becomes visible only when a later READ or atomic of this lane
 * is executed. The lane can be held, and can fail on request.
 */
final class WeakLane implements Lane {
    private final Lane shm;
    private final int depth;
    private final Random random = new Random(42);
    private final Chain one = new Chain(1);
    private final Completions polled = new Completions(1);
    private final Deque<Request> posted = new ArrayDeque<>();
    private final Deque<Request> unplaced = new ArrayDeque<>();
    private final Deque<Completion> completions = new ArrayDeque<>();
    private CompletionStatus failNext = CompletionStatus.SUCCESS;
    private @Nullable Thread failsFor;
    private CompletionStatus failAll = CompletionStatus.SUCCESS;
    private int writesToFail;
    private int outstanding;
    private int sinceCompletion;
    private boolean broken;
    private boolean held;
    private boolean refusesConnections;
    private int attempts;
    private boolean full;
    private @Nullable Consumer<Thread> beforePosts;
    private int maxPosted;
    private int repairs;

    private record Completion(long id, CompletionStatus status, int retires) {}

    private record Request(
            Operation operation,
            RemoteSegment segment,
            long offset,
            LocalBuffer local,
            long localOffset,
            int length,
            long operand,
            long swap,
            boolean signalled,
            long id,
            Thread poster) {}

    WeakLane(Lane shm, int depth) {
        this.shm = shm;
        this.depth = depth;
    }

    /** While the lane is held, nothing is executed. */
    synchronized void hold(boolean hold) {
        held = hold;
    }

    /** Whether a request of the calling thread waits to be executed. */
    synchronized boolean hasRequestOfThisThread() {
        return posted.stream().anyMatch(request -> request.poster == Thread.currentThread());
    }

    /** While the lane is full, it takes no more requests. */
    synchronized void fill(boolean isFull) {
        full = isFull;
    }

    /**
     * Makes the calling thread's next executed request fail with this status and break the lane. Requests of a node's
     * watch, which shares the lane, do not count.
     */
    synchronized void failNext(CompletionStatus status) {
        failNext = status;
        failsFor = Thread.currentThread();
    }

    /** Makes every request of any thread fail with this status; SUCCESS ends that. */
    synchronized void failAll(CompletionStatus status) {
        failAll = status;
    }

    /** Makes the next WRITEs of any thread fail. Each breaks the lane. */
    synchronized void failWrites(int number) {
        writesToFail = number;
    }

    /** While the lane refuses connections, it stays broken once it is. */
    synchronized void refuseConnections(boolean refuse) {
        refusesConnections = refuse;
    }

    /** Runs an action before each chain is posted, in the thread that posts it. */
    synchronized void beforePosts(Consumer<Thread> action) {
        beforePosts = action;
    }

    /** How often a thread tried to reconnect the broken lane. */
    synchronized int attempts() {
        return attempts;
    }

    /** How often the lane was broken and reconnected. */
    synchronized int repairs() {
        return repairs;
    }

    /** The maximum number of requests that were outstanding at once. */
    synchronized int maxPosted() {
        return maxPosted;
    }

    @Override
    public int depth() {
        return depth;
    }

    @Override
    public synchronized boolean tryPost(Chain chain) {
        if (beforePosts != null) {
            beforePosts.accept(Thread.currentThread());
        }
        if (full || outstanding + chain.size() > depth) {
            return false;
        }
        outstanding += chain.size();
        maxPosted = Math.max(maxPosted, outstanding);
        for (int i = 0; i < chain.size(); i++) {
            posted.add(new Request(
                    chain.operation(i),
                    chain.segment(i),
                    chain.offset(i),
                    chain.local(i),
                    chain.localOffset(i),
                    chain.length(i),
                    chain.operand(i),
                    chain.swap(i),
                    chain.isSignalled(i),
                    chain.id(i),
                    Thread.currentThread()));
        }
        return true;
    }

    @Override
    public synchronized int poll(Completions into) {
        into.clear();
        int most = held ? 0 : broken ? posted.size() : random.nextInt(4);
        for (int i = 0; i < most && !posted.isEmpty(); i++) {
            execute(posted.remove());
        }
        while (!completions.isEmpty() && !into.isFull()) {
            Completion next = completions.remove();
            into.add(next.id, next.status);
            outstanding -= next.retires;
        }
        return into.size();
    }

    private void execute(Request request) {
        CompletionStatus status = CompletionStatus.SUCCESS;
        if (request.poster == failsFor) {
            status = failNext;
            failsFor = null;
        } else if (failAll != CompletionStatus.SUCCESS) {
            status = failAll;
        } else if (writesToFail > 0 && request.operation == Operation.WRITE) {
            status = CompletionStatus.REMOTE_ACCESS_ERROR;
            writesToFail--;
        }
        sinceCompletion++;
        if (broken) {
            status = CompletionStatus.FLUSHED;
        } else if (status != CompletionStatus.SUCCESS) {
            broken = true;
        } else if (request.operation == Operation.WRITE) {
            unplaced.add(withDataOfItsOwn(request));
        } else {
            while (!unplaced.isEmpty() && status == CompletionStatus.SUCCESS) {
                status = executeOnShm(unplaced.remove());
            }
            if (status == CompletionStatus.SUCCESS) {
                status = executeOnShm(request);
            }
            broken = status != CompletionStatus.SUCCESS;
        }
        if (request.signalled || status != CompletionStatus.SUCCESS) {
            completions.add(new Completion(request.signalled ? request.id : 0, status, sinceCompletion));
            sinceCompletion = 0;
        }
    }

    /** Copies the data, since the caller may change its memory once the WRITE has completed. */
    private static Request withDataOfItsOwn(Request r) {
        LocalBuffer copy = LocalBuffer.unregistered(r.length);
        copy.view(0, r.length).put(r.local.view(r.localOffset, r.length));
        return new Request(r.operation, r.segment, r.offset, copy, 0, r.length, 0, 0, false, 0, r.poster);
    }

    private CompletionStatus executeOnShm(Request r) {
        one.clear();
        switch (r.operation) {
            case READ -> one.read(r.segment, r.offset, r.local, r.localOffset, r.length);
            case WRITE -> one.write(r.segment, r.offset, r.local, r.localOffset, r.length);
            case COMPARE_AND_SWAP -> one.compareAndSwap(r.segment, r.offset, r.operand, r.swap, r.local, r.localOffset);
            case FETCH_AND_ADD -> one.fetchAndAdd(r.segment, r.offset, r.operand, r.local, r.localOffset);
        }
        shm.post(one.signalled(1));
        shm.poll(polled);
        return polled.status(0);
    }

    @Override
    public synchronized boolean isBroken() {
        return broken;
    }

    @Override
    public synchronized void reconnect() {
        if (broken && !(completions.isEmpty() && posted.isEmpty())) {
            throw new IllegalStateException(this + ": completions have not been polled");
        }
        attempts += broken ? 1 : 0;
        if (broken && refusesConnections) {
            throw new FabricException(this + " cannot be connected now");
        }
        shm.reconnect();
        repairs += broken ? 1 : 0;
        broken = false;
    }

    @Override
    public String toString() {
        return "weak " + shm;
    }
}
