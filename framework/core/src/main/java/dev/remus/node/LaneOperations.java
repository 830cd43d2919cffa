package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Environment;
import dev.remus.fabric.LocalMemory;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.RemoteSequence;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous operations as signalled requests on lanes. A completion, which any thread may have polled, finds its future
 * by the number of the future and how often that has been used:
 *
 * <pre>
 *  epoch   31            12 11          0
 *         +----------------+-------------+
 *         | generation     | slot        |
 *         +----------------+-------------+
 * </pre>
 *
 * <p>What a WRITE needs to be placed, an 8-byte READ behind it on its lane, is posted when somebody waits for it: one on
 * each lane that was written, for all WRITEs that are there by then.
 */
final class LaneOperations extends AsyncOperations implements SharedLane.User {
    private static final int SLOT_BITS = 12;
    private static final int SLOTS = 1 << SLOT_BITS;
    private static final int LEAST_OPEN = 64;

    private final LaneMemory memory;
    private final SharedLane[][] lanes;
    private final int user;
    private final int firstNode;
    private final LongFunction<LocalMemory> newLocal;
    private final Chain chain = new Chain(1);
    private final Backoff backoff;

    LaneOperations(
            ComputeThread ct,
            ClusterConfig config,
            ThreadMetrics metrics,
            LaneMemory memory,
            SharedLane[][] lanes,
            SharedLane.Users users,
            Environment environment,
            CompletionWatch watch,
            LongFunction<LocalMemory> newLocal) {
        super(ct, config, metrics, environment, watch);
        this.memory = memory;
        this.lanes = lanes;
        this.firstNode = config.firstMemoryNode();
        this.newLocal = newLocal;
        this.backoff = new Backoff(environment);
        if (pool.size() > SLOTS) {
            throw new AssertionError(pool.size() + " futures do not fit into " + SLOT_BITS + " bits");
        }
        LocalMemory words = newLocal.apply((long) pool.size() * Long.BYTES);
        for (int slot = 0; slot < pool.size(); slot++) {
            pool.get(slot).hold(words, (long) slot * Long.BYTES);
        }
        int size = Math.max(LEAST_OPEN, Integer.highestOneBit(config.opsPerThread()) * 4);
        for (int node = 0; node < destinations.length; node++) {
            destinations[node].track(new OpenOperations(pool, lanes[node], size));
        }
        this.user = users.add(this);
    }

    private int node(CompletionBarrier destination) {
        return destination.memoryNode() - firstNode;
    }

    // ------------------------------------------------------------------------------------------------ posting

    @Override
    void read(RemoteFuture future, long pointer) {
        prepare(future);
        chain.clear()
                .read(memory.segment(pointer), RdmaPtr.offset(pointer), future.word(), future.wordOffset(), Long.BYTES);
        post(chain, future, true, false);
    }

    @Override
    void write(RemoteFuture future, long pointer, long value) {
        prepare(future);
        future.word().putLong(future.wordOffset(), value);
        chain.clear()
                .write(
                        memory.segment(pointer),
                        RdmaPtr.offset(pointer),
                        future.word(),
                        future.wordOffset(),
                        Long.BYTES);
        post(chain, future, false, true);
    }

    @Override
    void compareAndSwap(RemoteFuture future, long pointer, long expected, long desired) {
        prepare(future);
        chain.clear()
                .compareAndSwap(
                        memory.segment(pointer),
                        RdmaPtr.offset(pointer),
                        expected,
                        desired,
                        future.word(),
                        future.wordOffset());
        post(chain, future, true, false);
    }

    @Override
    void fetchAndAdd(RemoteFuture future, long pointer, long delta) {
        prepare(future);
        chain.clear()
                .fetchAndAdd(
                        memory.segment(pointer), RdmaPtr.offset(pointer), delta, future.word(), future.wordOffset());
        post(chain, future, true, false);
    }

    @Override
    void read(RemoteFuture future, long pointer, LocalMemory to, long toOffset, int length) {
        prepare(future);
        chain.clear().read(memory.segment(pointer), RdmaPtr.offset(pointer), to, toOffset, length);
        post(chain, future, false, false);
    }

    @Override
    void write(RemoteFuture future, long pointer, LocalMemory from, long fromOffset, int length) {
        prepare(future);
        chain.clear().write(memory.segment(pointer), RdmaPtr.offset(pointer), from, fromOffset, length);
        post(chain, future, false, true);
    }

    @Override
    void execute(RemoteFuture future, long pointer, RemoteSequence sequence) {
        prepare(future);
        try {
            post(LaneMemory.requests(sequence), future, false, future.writes);
        } finally {
            sequence.clear();
        }
    }

    /** Where late results of an operation that was given up may arrive, nothing else may. */
    private void prepare(RemoteFuture future) {
        if (future.givenUp) {
            future.hold(newLocal.apply(Long.BYTES), 0);
            future.givenUp = false;
        }
    }

    private void post(Chain requests, RemoteFuture future, boolean returnsWord, boolean writes) {
        OpenOperations open = future.destination().open();
        future.lane = memory.pickLane();
        future.returnsWord = returnsWord;
        setWrites(future, writes);
        open.add(future);
        try {
            post(requests, future);
        } catch (RuntimeException e) {
            if (!future.isEnded()) {
                future.givenUp = true;
                future.end(CompletionStatus.FLUSHED);
            }
            open.awaited(future);
            pool.release(future);
            throw e;
        }
    }

    private void post(Chain requests, RemoteFuture future) {
        requests.signalled(id(future));
        memory.post(requests, node(future.destination()), future.lane);
    }

    private boolean tryPost(Chain requests, RemoteFuture future) {
        requests.signalled(id(future));
        return lanes[node(future.destination())][future.lane].tryPost(requests);
    }

    private long id(RemoteFuture future) {
        return SharedLane.id(user, future.generation << SLOT_BITS | future.slot);
    }

    @Override
    public void completed(SharedLane lane, int epoch, CompletionStatus status) {
        RemoteFuture future = pool.get(epoch & SLOTS - 1);
        if (future.generation << SLOT_BITS == (epoch & -SLOTS)) {
            future.end(status);
        }
    }

    /** A blocking operation of this thread that is no WRITE has been executed on a lane. */
    void executed(int node, int lane) {
        OpenOperations open = destinations[node].open();
        open.place(lane, open.last());
    }

    /** Whether something was posted to a Memory Node that is not known to be executed and placed. */
    boolean isAnythingOnTheWay(int node) {
        OpenOperations open = destinations[node].open();
        if (!open.isAllOver()) {
            open.look();
        }
        return !open.isAllOver();
    }

    /** Posts what places the WRITEs of one Memory Node; returns whether there was room for all of it. */
    private boolean postReadBacks(CompletionBarrier destination) {
        OpenOperations open = destination.open();
        boolean posted = true;
        for (int lane = 0; lane < lanes[node(destination)].length; lane++) {
            if (open.needsReadBack(lane)) {
                posted &= postReadBack(destination, lane);
            }
        }
        return posted;
    }

    private boolean postReadBack(CompletionBarrier destination, int lane) {
        OpenOperations open = destination.open();
        RemoteFuture future = spare();
        if (future == null) {
            return false;
        }
        prepare(future);
        future.lane = lane;
        future.writes = false;
        future.post(destination, 0);
        chain.clear()
                .read(
                        memory.firstSegment(node(destination)),
                        SegmentHeader.MAGIC,
                        future.word(),
                        future.wordOffset(),
                        Long.BYTES);
        try {
            if (tryPost(chain, future)) {
                open.addReadBack(future);
                return true;
            }
            pool.releaseSpare(future);
            return false;
        } catch (RuntimeException e) {
            open.cannotReadBack(lane);
            future.givenUp = true;
            pool.releaseSpare(future);
            throw e;
        }
    }

    private @Nullable RemoteFuture spare() {
        RemoteFuture future = pool.takeSpare();
        if (future == null) {
            lookEverywhere();
            future = pool.takeSpare();
        }
        return future;
    }

    // ------------------------------------------------------------------------------------------------ waiting

    private void poll(int node) {
        for (SharedLane lane : lanes[node]) {
            lane.poll();
        }
    }

    @Override
    void look(CompletionBarrier destination) {
        if (!destination.open().isAllOver()) {
            poll(node(destination));
            destination.open().look();
        }
    }

    @Override
    boolean isAnyOutstanding(CompletionBarrier destination) {
        return destination.open().isAnyOutstanding();
    }

    /** Looks what has ended, and whether those that have not still can. */
    private void lookEverywhere() {
        for (CompletionBarrier destination : destinations) {
            look(destination);
            if (!destination.open().isAllOver()) {
                checkAlive(destination);
            }
        }
    }

    @Override
    void checkAlive(CompletionBarrier destination) {
        try {
            memory.checkAlive(node(destination));
        } catch (NodeLostException e) {
            if (memory.isLost(node(destination))) {
                destination.open().giveUp();
            }
            throw e;
        }
    }

    @Override
    boolean awaitEnd(RemoteFuture future, long deadline) {
        OpenOperations open = future.destination().open();
        SharedLane lane = lanes[node(future.destination())][future.lane];
        try {
            if (future.writes && !awaitPlaced(future, open, deadline)) {
                return false;
            }
            backoff.reset();
            while (!future.isEnded()) {
                lane.poll();
                if (!future.isEnded()) {
                    checkAlive(future.destination());
                    if (!backoff.pauseUntil(deadline)) {
                        return false;
                    }
                }
            }
            open.ended(future);
            return true;
        } catch (RuntimeException e) {
            if (future.isEnded()) { // given up, as its Memory Node is lost
                open.awaited(future);
                pool.release(future);
            }
            throw e;
        }
    }

    /** WRITEs to all Memory Nodes are placed on this occasion, so that it is one wait for all of them. */
    private boolean awaitPlaced(RemoteFuture future, OpenOperations open, long deadline) {
        backoff.reset();
        while (!open.isPlaced(future.id)) {
            for (CompletionBarrier destination : destinations) {
                postReadBacks(destination);
            }
            look(future.destination());
            if (!open.isPlaced(future.id)) {
                checkAlive(future.destination());
                if (!backoff.pauseUntil(deadline)) {
                    return false;
                }
            }
        }
        return true;
    }

    @Override
    long take(RemoteFuture future) {
        OpenOperations open = future.destination().open();
        SharedLane lane = lanes[node(future.destination())][future.lane];
        long value = future.returnsWord ? future.word().getLong(future.wordOffset()) : 0;
        long id = future.id;
        CompletionStatus status = future.status();
        if (status == CompletionStatus.SUCCESS && open.hasFailed(id)) {
            status = open.failure(id); // it was acknowledged, and may have been lost before it was placed
        }
        open.awaited(future);
        pool.release(future);
        if (status != CompletionStatus.SUCCESS) {
            throw failure(id, lane, status);
        }
        return value;
    }

    private RuntimeException failure(long id, SharedLane lane, CompletionStatus status) {
        return memory.failure(
                lane, status, "operation " + id + " to Memory Node " + lane.memoryNode() + ", on " + lane + ",");
    }

    @Override
    boolean lookAt(RemoteFuture future) {
        if (!future.isEnded()) {
            lanes[node(future.destination())][future.lane].poll();
        }
        if (!future.isEnded()) {
            return false;
        }
        future.destination().open().ended(future);
        return true;
    }

    @Override
    void detached(RemoteFuture future) {
        OpenOperations open = future.destination().open();
        if (!open.holds(future)) {
            pool.release(future); // it has ended, and that has been noticed
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
    void awaitRoom(CompletionBarrier to) {
        OpenOperations open = to.open();
        if (!open.isFull()) {
            return;
        }
        open.look();
        backoff.reset();
        while (open.isFull()) {
            postReadBacks(to);
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
            for (CompletionBarrier destination : destinations) {
                postReadBacks(destination);
            }
            lookEverywhere();
            boolean over = true;
            for (CompletionBarrier destination : destinations) {
                over &= destination.open().isAllOver();
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
    long completed(CompletionBarrier barrier, CompletionGrade grade) {
        look(barrier);
        return barrier.open().completed(grade);
    }

    @Override
    long await(CompletionBarrier barrier, long id, CompletionGrade grade, long deadline) {
        OpenOperations open = barrier.open();
        look(barrier);
        backoff.reset();
        while (true) {
            throwFailure(barrier, id);
            if (open.completed(grade) >= id) {
                return open.completed(grade);
            }
            if (grade == CompletionGrade.REMOTE) {
                postReadBacks(barrier);
            }
            look(barrier);
            if (open.completed(grade) < id && open.firstFailure() > id) {
                checkAlive(barrier);
                if (!backoff.pauseUntil(deadline)) {
                    return open.completed(grade);
                }
            }
        }
    }

    @Override
    long poll(CompletionBarrier barrier, long id, CompletionGrade grade) {
        OpenOperations open = barrier.open();
        look(barrier);
        throwFailure(barrier, id);
        if (open.completed(grade) < id) {
            barrier.lackReadBacks(grade == CompletionGrade.REMOTE && !postReadBacks(barrier));
            arm(barrier, id, grade);
        }
        return open.completed(grade);
    }

    private void arm(CompletionBarrier barrier, long id, CompletionGrade grade) {
        barrier.beginCounting();
        barrier.endCounting(barrier.open().arm(id, grade));
    }

    @Override
    boolean isArmedOver(CompletionBarrier barrier) {
        OpenOperations open = barrier.open();
        if (barrier.lacksReadBacks()) {
            barrier.lackReadBacks(!postReadBacks(barrier));
            arm(barrier, barrier.armed(), barrier.armedGrade());
        }
        if (!barrier.mayBeComplete()) {
            return false;
        }
        open.look(); // what has ended since the last look was not counted by arm(), so that it wakes nobody
        if (open.completed(barrier.armedGrade()) >= barrier.armed() || open.firstFailure() <= barrier.armed()) {
            return true;
        }
        arm(barrier, barrier.armed(), barrier.armedGrade());
        return false;
    }

    @Override
    void throwFailure(CompletionBarrier barrier, long upTo) {
        OpenOperations open = barrier.open();
        long failed = open.firstFailure();
        if (failed <= upTo) {
            SharedLane lane = open.failedLane(failed);
            CompletionStatus status = open.failure(failed);
            open.reported(failed);
            throw failure(failed, lane, status);
        }
    }
}
