// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Environment;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.RemoteSequence;
import java.util.function.LongFunction;

/**
 * Awaits asynchronous operations that a {@link LanePoster} posts on lanes.
 *
 * <p>To place a WRITE, an 8-byte READ is posted behind it on its lane when a thread waits for it: one READ on each lane
 * with unplaced WRITEs, for all WRITEs posted by then.
 */
final class AsyncLaneEngine extends AsyncEngine implements BlockingLaneOperations.AsyncSide {
    private static final int MIN_OPEN = 64;

    private final ThreadLanes lanes;
    private final LanePoster poster;
    private final Backoff backoff;

    /** By Memory Node. */
    private final IncompleteOperations[] incomplete;

    private AsyncLaneEngine(
            ThreadOwner owner,
            ClusterConfig config,
            ThreadMetrics metrics,
            ThreadLanes lanes,
            SharedLane.Users users,
            Environment environment,
            CompletionWatch watch,
            LongFunction<LocalBuffer> newLocal) {
        super(owner, config, metrics, environment, watch);
        this.lanes = lanes;
        this.backoff = new Backoff(environment);
        int size = Math.max(MIN_OPEN, Integer.highestOneBit(config.opsPerThread()) * 4);
        this.incomplete = new IncompleteOperations[destinations.length];
        for (int node = 0; node < incomplete.length; node++) {
            incomplete[node] = new IncompleteOperations(pool, lanes.all()[node], size);
        }
        this.poster = new LanePoster(lanes, users, pool, incomplete, newLocal, this::lookEverywhere);
    }

    /**
     * Creates an engine for the thread that has these blocking operations. A method, for the same reason as {@link
     * BlockingLaneOperations#create}.
     */
    static AsyncEngine create(
            ThreadOwner owner,
            ClusterConfig config,
            ThreadMetrics metrics,
            BlockingLaneOperations blocking,
            SharedLane.Users users,
            Environment environment,
            CompletionWatch watch,
            LongFunction<LocalBuffer> newLocal) {
        AsyncLaneEngine engine =
                new AsyncLaneEngine(owner, config, metrics, blocking.lanes(), users, environment, watch, newLocal);
        blocking.share(engine);
        return engine;
    }

    private IncompleteOperations incomplete(Destination destination) {
        return incomplete[destination.index()];
    }

    private IncompleteOperations incomplete(RemoteFuture future) {
        return incomplete(future.destination());
    }

    private SharedLane lane(RemoteFuture future) {
        return lanes.get(future.destination().index(), future.lane);
    }

    // ------------------------------------------------------------------------------------------------ posting

    @Override
    void gather() {
        poster.gather();
    }

    @Override
    public void start() {
        poster.start();
    }

    @Override
    void read(RemoteFuture future, long pointer) {
        setWrites(future, false);
        poster.read(future, pointer);
    }

    @Override
    void write(RemoteFuture future, long pointer, long value) {
        setWrites(future, true);
        poster.write(future, pointer, value);
    }

    @Override
    void compareAndSwap(RemoteFuture future, long pointer, long expected, long desired) {
        setWrites(future, false);
        poster.compareAndSwap(future, pointer, expected, desired);
    }

    @Override
    void fetchAndAdd(RemoteFuture future, long pointer, long delta) {
        setWrites(future, false);
        poster.fetchAndAdd(future, pointer, delta);
    }

    @Override
    void read(RemoteFuture future, long pointer, LocalBuffer to, long toOffset, int length) {
        setWrites(future, false);
        poster.read(future, pointer, to, toOffset, length);
    }

    @Override
    void write(RemoteFuture future, long pointer, LocalBuffer from, long fromOffset, int length) {
        setWrites(future, true);
        poster.write(future, pointer, from, fromOffset, length);
    }

    @Override
    void execute(RemoteFuture future, long pointer, RemoteSequence sequence) {
        setWrites(future, future.writes);
        poster.execute(future, sequence);
    }

    @Override
    public void executed(int node, int lane) {
        IncompleteOperations open = incomplete[node];
        open.place(lane, open.last());
    }

    @Override
    public boolean isAnythingOnTheWay(int node) {
        IncompleteOperations open = incomplete[node];
        if (!open.isAllOver()) {
            start();
            open.look();
        }
        return !open.isAllOver();
    }

    // ------------------------------------------------------------------------------------------------ waiting

    private void poll(int node) {
        start();
        for (SharedLane lane : lanes.all()[node]) {
            lane.poll();
        }
    }

    @Override
    void look(Destination destination) {
        if (!incomplete(destination).isAllOver()) {
            poll(destination.index());
            incomplete(destination).look();
        }
    }

    @Override
    boolean isAnyOutstanding(Destination destination) {
        return incomplete(destination).isAnyOutstanding();
    }

    /** Records the operations that have ended, and checks whether the others can still end. */
    private void lookEverywhere() {
        for (Destination destination : destinations) {
            look(destination);
            if (!incomplete(destination).isAllOver()) {
                checkAlive(destination);
            }
        }
    }

    @Override
    void checkAlive(Destination destination) {
        try {
            lanes.checkAlive(destination.index());
        } catch (NodeLostException e) {
            if (lanes.isLost(destination.index())) {
                incomplete(destination).giveUp();
            }
            throw e;
        }
    }

    @Override
    boolean awaitEnd(RemoteFuture future, long deadline) {
        start();
        backoff.reset();
        while (future.writes && !isPlaced(future)) {
            if (!backoff.pauseUntil(deadline)) { // also throws if interrupted; the thread then keeps the future
                return false;
            }
        }
        backoff.reset();
        while (!isEnded(future)) {
            if (!backoff.pauseUntil(deadline)) {
                return false;
            }
        }
        incomplete(future).ended(future);
        return true;
    }

    /** Places WRITEs to all Memory Nodes at this time, so that one wait covers all of them. */
    private boolean isPlaced(RemoteFuture future) {
        IncompleteOperations open = incomplete(future);
        if (open.isPlaced(future.id)) {
            return true;
        }
        try {
            for (Destination destination : destinations) {
                poster.postReadBacks(destination);
            }
            look(future.destination());
            if (open.isPlaced(future.id)) {
                return true;
            }
            checkAlive(future.destination());
            return false;
        } catch (RuntimeException e) {
            giveBackIfOver(future);
            throw e;
        }
    }

    private boolean isEnded(RemoteFuture future) {
        if (future.isEnded()) {
            return true;
        }
        try {
            lane(future).poll();
            if (future.isEnded()) {
                return true;
            }
            checkAlive(future.destination());
            return false;
        } catch (RuntimeException e) {
            giveBackIfOver(future);
            throw e;
        }
    }

    /**
     * Releases a future whose operation can no longer end, because its Memory Node is lost or its READ cannot be
     * posted.
     */
    private void giveBackIfOver(RemoteFuture future) {
        if (future.isEnded()) {
            incomplete(future).awaited(future);
            pool.release(future);
        }
    }

    @Override
    long take(RemoteFuture future) {
        IncompleteOperations open = incomplete(future);
        SharedLane lane = lane(future);
        long value = future.returnsWord ? future.word().getLong(future.wordOffset()) : 0;
        long id = future.id;
        CompletionStatus status = future.status();
        if (status == CompletionStatus.SUCCESS && open.hasFailed(id)) {
            status = open.failure(id); // acknowledged, but perhaps lost before it was placed
        }
        open.awaited(future);
        pool.release(future);
        if (status != CompletionStatus.SUCCESS) {
            throw failure(id, lane, status);
        }
        return value;
    }

    private RuntimeException failure(long id, SharedLane lane, CompletionStatus status) {
        return lanes.failure(
                lane, status, "operation " + id + " to Memory Node " + lane.memoryNode() + ", on " + lane + ",");
    }

    @Override
    boolean lookAt(RemoteFuture future) {
        if (!future.isEnded()) {
            start();
            lane(future).poll();
        }
        if (!future.isEnded()) {
            return false;
        }
        incomplete(future).ended(future);
        return true;
    }

    @Override
    void detached(RemoteFuture future) {
        IncompleteOperations open = incomplete(future);
        if (!open.holds(future)) {
            pool.release(future); // it has ended, and its end was recorded
        }
    }

    @Override
    boolean makeRoom() {
        backoff.reset();
        while (true) {
            lookEverywhere();
            if (!pool.isExhausted()) {
                return true;
            }
            if (!isAnyDetached()) {
                return false;
            }
            backoff.pause();
        }
    }

    private boolean isAnyDetached() {
        for (int slot = 0; slot < pool.size(); slot++) {
            if (pool.get(slot).detached && !pool.get(slot).isIdle()) {
                return true;
            }
        }
        return false;
    }

    @Override
    void awaitRoom(Destination to) {
        IncompleteOperations open = incomplete(to);
        if (!open.isFull()) {
            return;
        }
        open.look();
        backoff.reset();
        while (open.isFull()) {
            poster.postReadBacks(to);
            look(to);
            if (open.isFull()) {
                checkAlive(to);
                backoff.pause();
            }
        }
    }

    @Override
    boolean finishAll(long deadline) {
        backoff.reset();
        while (true) {
            for (Destination destination : destinations) {
                poster.postReadBacks(destination);
            }
            lookEverywhere();
            boolean over = true;
            for (Destination destination : destinations) {
                over &= incomplete(destination).isAllOver();
            }
            if (over) {
                return true;
            }
            if (!backoff.pauseUntil(deadline)) {
                return false;
            }
        }
    }

    // ------------------------------------------------------------------------------------------------ barriers

    @Override
    long completed(Destination destination, CompletionGrade grade) {
        look(destination);
        return incomplete(destination).completed(grade);
    }

    @Override
    long await(Destination destination, long id, CompletionGrade grade, long deadline) {
        IncompleteOperations open = incomplete(destination);
        look(destination);
        backoff.reset();
        while (true) {
            throwFailure(destination, id);
            if (open.completed(grade) >= id) {
                return open.completed(grade);
            }
            if (grade == CompletionGrade.REMOTE) {
                poster.postReadBacks(destination);
            }
            look(destination);
            if (open.completed(grade) < id && open.firstFailure() > id) {
                checkAlive(destination);
                if (!backoff.pauseUntil(deadline)) {
                    return open.completed(grade);
                }
            }
        }
    }

    @Override
    long poll(Destination destination, long id, CompletionGrade grade) {
        IncompleteOperations open = incomplete(destination);
        look(destination);
        throwFailure(destination, id);
        if (open.completed(grade) < id) {
            destination.lackReadBacks(grade == CompletionGrade.REMOTE && !poster.postReadBacks(destination));
            arm(destination, id, grade);
        }
        return open.completed(grade);
    }

    /** Arms the id. Returns whether nothing that it covers is outstanding, so that nothing will wake the thread. */
    private boolean arm(Destination destination, long id, CompletionGrade grade) {
        destination.beginCounting();
        return destination.endCounting(incomplete(destination).arm(id, grade));
    }

    @Override
    boolean isArmedOver(Destination destination) {
        if (destination.lacksReadBacks()) {
            destination.lackReadBacks(!poster.postReadBacks(destination));
            arm(destination, destination.armed(), destination.armedGrade());
        }
        if (!destination.mayBeComplete()) {
            return false;
        }
        if (isArmedComplete(destination)) {
            return true;
        }
        return armAgain(destination);
    }

    /**
     * Counts again what the armed id waits for. An operation that ends between the last poll and the count wakes no
     * thread: if nothing is left to count, polls once more. Returns whether the id is complete.
     */
    boolean armAgain(Destination destination) {
        return arm(destination, destination.armed(), destination.armedGrade()) && isArmedComplete(destination);
    }

    private boolean isArmedComplete(Destination destination) {
        IncompleteOperations open = incomplete(destination);
        open.look();
        return open.completed(destination.armedGrade()) >= destination.armed()
                || open.firstFailure() <= destination.armed();
    }

    @Override
    void throwFailure(Destination destination, long upTo) {
        IncompleteOperations open = incomplete(destination);
        long failed = open.firstFailure();
        if (failed <= upTo) {
            SharedLane lane = open.failedLane(failed);
            CompletionStatus status = open.failure(failed);
            open.reported(failed);
            throw failure(failed, lane, status);
        }
    }
}
