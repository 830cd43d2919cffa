// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Environment;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.LocalSegments;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.fabric.RemoteSegment;
import dev.remus.fabric.RemoteSequence;
import dev.remus.fabric.SingleOperations;
import dev.remus.fabric.UnsettledException;
import dev.remus.logging.Loggers;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The blocking operations of one thread, built once for all fabrics from chains that are posted to lanes.
 *
 * <pre>
 *  scratch memory, 8-byte words
 *   0           1              2             3             4 ... 67
 *  +-----------+--------------+-------------+-------------+------------------------------+
 *  | result    | value to     | read back   | results of  | values of posted WRITEs      |
 *  |           | write        |             | posted FAAs | until the next place()       |
 *  +-----------+--------------+-------------+-------------+------------------------------+
 * </pre>
 *
 * <p>An awaited WRITE is posted in one chain with a READ of 8 bytes of the same segment. When the READ has completed,
 * all WRITEs of that lane until then are placed, as a READ is answered from memory (fabric contract, "placed").
 */
final class BlockingLaneOperations extends BlockingOperations implements LaneSequence.Target, PostedReleases.Repeater {
    private static final Logger LOG = Loggers.of(BlockingLaneOperations.class);
    private static final int MOST_ATTEMPTS = 16;
    private static final int RESULT = 0;
    private static final int VALUE = 8;
    private static final int READ_BACK = 16;
    private static final int IGNORED = 24;
    private static final int POSTED = 32;
    private static final int MAX_POSTED = 64;
    /** The bytes of scratch memory that a thread needs. */
    static final int SCRATCH = POSTED + MAX_POSTED * Long.BYTES;

    /** The asynchronous operations of the same thread, which use the same lanes. */
    interface AsyncSide {
        /** Called when a blocking operation other than a WRITE has been executed on a lane. */
        void executed(int node, int lane);

        /** Whether something was posted to a Memory Node that is not known to be executed and placed. */
        boolean isAnythingOnTheWay(int node);

        /** Starts what was posted and held back. */
        void start();
    }

    private final ThreadLanes lanes;

    private final LocalSegments[] local; // by Memory Node; null for those of other processes
    private final @Nullable SingleOperations single; // null if the fabric has none

    private long localReads;
    private final Supplier<LocalBuffer> newScratch;
    private final Chain chain = new Chain(2);
    private final Backoff backoff;
    private final int user;

    private LocalBuffer scratch;
    private final AwaitedCompletions awaited = new AwaitedCompletions();
    private final UnplacedLanes unplaced;

    private @Nullable AsyncSide async;

    private int posted;

    private final PostedReleases releases = new PostedReleases();
    private final Chain releasing = new Chain(1); // of its own: releases may be repeated before another chain is

    private boolean hasAbandoned; // a request whose wait was given up may be on the way, on an unplaced lane
    private boolean mayFill; // such a request may still fill local memory that the caller uses again

    /**
     * Creates the operations. A method, because a constructor call would load this class even where a fabric has
     * operations of its own. Without it, calls have one target, and the compiler can rely on that.
     *
     * @param newScratch allocates {@link #SCRATCH} bytes
     * @param single cheaper operations of the fabric, if it has some
     */
    static BlockingOperations create(
            ThreadLanes lanes,
            SharedLane.Users users,
            Environment environment,
            Supplier<LocalBuffer> newScratch,
            Optional<SingleOperations> single) {
        return new BlockingLaneOperations(lanes, users, environment, newScratch, single.orElse(null));
    }

    private BlockingLaneOperations(
            ThreadLanes lanes,
            SharedLane.Users users,
            Environment environment,
            Supplier<LocalBuffer> newScratch,
            @Nullable SingleOperations single) {
        this.single = single;
        this.lanes = lanes;
        this.local = lanes.links().stream().map(Link::localSegments).toArray(LocalSegments[]::new);
        this.backoff = new Backoff(environment);
        this.newScratch = newScratch;
        this.scratch = newScratch.get();
        this.unplaced = new UnplacedLanes(lanes.all());
        this.user = users.add(awaited);
    }

    /** The lanes of these operations. */
    ThreadLanes lanes() {
        return lanes;
    }

    /** Adds the thread's asynchronous operations. */
    void share(AsyncSide with) {
        async = with;
    }

    @Override
    public long read(long pointer) {
        int node = lanes.node(pointer);
        LocalSegments here = local[node];
        if (here != null && here.isOpen() && !hasOwnOnTheWay(node)) {
            localReads++;
            backoff.yieldIfDue();
            return here.read(RdmaPtr.segment(pointer), RdmaPtr.offset(pointer));
        }
        if (single != null && !hasOwnOnTheWay(node)) {
            return single.read(pointer);
        }
        prepare();
        chain.clear().read(lanes.segment(pointer), RdmaPtr.offset(pointer), scratch, RESULT, Long.BYTES);
        execute(chain, pointer);
        return scratch.getLong(RESULT);
    }

    /** Whether this thread has posted something there that is not placed, or has to finish something else first. */
    private boolean hasOwnOnTheWay(int node) { // a load would not wait for that
        return unplaced.isAny() && (hasAbandoned || unplaced.isAnyTo(node))
                || async != null && async.isAnythingOnTheWay(node)
                || releases.mustRepeat();
    }

    @Override
    public long localReads() {
        return localReads;
    }

    @Override
    public void write(long pointer, long value) {
        prepare();
        scratch.putLong(VALUE, value);
        writePrepared(pointer, scratch, VALUE, Long.BYTES);
    }

    @Override
    public long compareAndSwap(long pointer, long expected, long desired) {
        if (single != null && !hasOwnOnTheWay(lanes.node(pointer))) {
            return single.compareAndSwap(pointer, expected, desired);
        }
        prepare();
        chain.clear()
                .compareAndSwap(lanes.segment(pointer), RdmaPtr.offset(pointer), expected, desired, scratch, RESULT);
        execute(chain, pointer);
        return scratch.getLong(RESULT);
    }

    @Override
    public long fetchAndAdd(long pointer, long delta) {
        if (single != null && !hasOwnOnTheWay(lanes.node(pointer))) {
            return single.fetchAndAdd(pointer, delta);
        }
        prepare();
        chain.clear().fetchAndAdd(lanes.segment(pointer), RdmaPtr.offset(pointer), delta, scratch, RESULT);
        execute(chain, pointer);
        return scratch.getLong(RESULT);
    }

    @Override
    public void read(long pointer, LocalBuffer to, long toOffset, int length) {
        if (single != null && !hasOwnOnTheWay(lanes.node(pointer))) {
            single.read(pointer, to, toOffset, length);
            return;
        }
        prepareTransfer();
        chain.clear().read(lanes.segment(pointer), RdmaPtr.offset(pointer), to, toOffset, length);
        execute(chain, pointer);
    }

    @Override
    public void write(long pointer, LocalBuffer from, long fromOffset, int length) {
        prepareTransfer();
        writePrepared(pointer, from, fromOffset, length);
    }

    private void writePrepared(long pointer, LocalBuffer from, long fromOffset, int length) {
        RemoteSegment segment = lanes.segment(pointer);
        chain.clear()
                .write(segment, RdmaPtr.offset(pointer), from, fromOffset, length)
                .read(segment, SegmentHeader.MAGIC, scratch, READ_BACK, Long.BYTES);
        execute(chain, pointer);
    }

    @Override
    public void post(long pointer, long value) {
        post(pointer, value, false);
    }

    @Override
    public void postRepeated(long pointer, long value) {
        post(pointer, value, true);
    }

    private void post(long pointer, long value, boolean isRepeated) {
        if (posted == MAX_POSTED) {
            place();
        }
        prepare();
        int at = POSTED + posted * Long.BYTES;
        scratch.putLong(at, value);
        chain.clear().write(lanes.segment(pointer), RdmaPtr.offset(pointer), scratch, at, Long.BYTES);
        postUnsignalled(chain, lanes.node(pointer), lanes.pick(), isRepeated);
        posted++;
    }

    @Override
    public void postFetchAndAdd(long pointer, long delta) {
        prepare();
        chain.clear().fetchAndAdd(lanes.segment(pointer), RdmaPtr.offset(pointer), delta, scratch, IGNORED);
        postUnsignalled(chain, pointer);
    }

    @Override
    public void postRelease(long lock, long mark) {
        int node = lanes.node(lock);
        int lane = lanes.pick();
        try {
            prepare();
            awaitAbandoned();
            lanes.repair(node, lane);
            releases.add(lock, mark, lanes.get(node, lane));
            chain.clear().compareAndSwap(lanes.segment(lock), RdmaPtr.offset(lock), mark, 0, scratch, IGNORED);
            postUnsignalled(chain, node, lane, true);
        } catch (FabricException e) {
            LOG.debug("a lock is released later: {}", e.getMessage());
            releases.addFailed(lock, mark, lanes.get(node, lane));
        }
    }

    @Override
    public void postUnsignalled(Chain requests, long pointer) {
        postUnsignalled(requests, lanes.node(pointer), lanes.pick(), false);
    }

    private void postUnsignalled(Chain requests, int node, int lane, boolean isRepeated) {
        lanes.repair(node, lane);
        unplaced.add(node, lane, isRepeated);
        lanes.postUnsignalled(requests, node, lane);
    }

    /** One READ on each lane that was written since the last call, all at once. */
    @Override
    public void place() {
        lanes.settle();
        if (releases.mustRepeat()) {
            releases.repeat(this);
            releases.throwIfCleanupsAreLeft();
        }
        if (!unplaced.isAny()) {
            return;
        }
        prepare();
        awaited.begin(unplaced.count());
        FabricException failure = null;
        boolean hasBroken = false;
        SharedLane lossy = null;
        try {
            unplaced.postReadBacks(chain, scratch, READ_BACK, SharedLane.id(user, awaited.epoch()), lanes);
            unplaced.await(awaited, backoff, lanes);
            failure = unplaced.reconnect(lanes, awaited);
        } finally {
            hasBroken = unplaced.hasAnyBroken();
            hasAbandoned = !awaited.isOver();
            lossy = unplaced.removeAll(hasAbandoned, lanes); // a loss is reported once and must not fail later calls
            posted = 0;
        }
        if (hasBroken) {
            releases.repeat(this);
        } else {
            releases.placed();
        }
        if (failure != null) {
            throw failure;
        }
        UnplacedLanes.throwIfLost(lossy);
    }

    @Override
    public int unplacedLanes() {
        return unplaced.count();
    }

    /** Posts the chain with its last request signalled, and waits for it. If its lane breaks, READs are repeated. */
    private void execute(Chain requests, long pointer) {
        int node = lanes.node(pointer);
        int lane = lanes.pick();
        execute(requests, node, lane);
        if (async != null) {
            async.executed(node, lane);
        }
        if (!releases.isRepeating()) { // which reports no loss
            UnplacedLanes.throwIfLost(placed(node, lane));
        }
    }

    private void execute(Chain requests, int node, int lane) {
        lanes.checkUsable(node, lane);
        int attempts = requests == releasing || ThreadLanes.onlyReads(requests) ? MOST_ATTEMPTS : 1;
        boolean isOver = false;
        try {
            while (!isExecuted(requests, node, lane)) {
                FabricException failure = failure(awaited.failedLane(), requests);
                if (--attempts == 0 || !(failure instanceof OutcomeUnknownException)) {
                    isOver = !(failure instanceof UnsettledException);
                    throw failure;
                }
            }
            isOver = true;
        } finally {
            if (!isOver && !lanes.isLost(node)) {
                unplaced.add(node, lane, true);
                hasAbandoned = true;
            }
        }
    }

    @Override // a READ does not overtake what was given up
    public void awaitAbandoned() {
        lanes.settle();
        readBackUnplaced(false);
        hasAbandoned = false;
    }

    /** @param skipsBroken whether broken lanes do not matter, since they fill no local memory any more */
    private void readBackUnplaced(boolean skipsBroken) {
        for (int node = 0; node < local.length && hasAbandoned; node++) {
            for (int lane = 0; lane < lanes.count(node) && !lanes.isLost(node); lane++) {
                try {
                    if (unplaced.is(node, lane)) {
                        execute(lanes.readBack(releasing, node, scratch, READ_BACK), node, lane);
                    }
                } catch (UnsettledException | NodeLostException e) {
                    if (!skipsBroken) {
                        throw e;
                    }
                }
            }
        }
        mayFill = false;
    }

    /**
     * Waits for the chain of a sequence. A READ or atomic behind its WRITEs places them. If there is none, a READ is
     * added.
     *
     * @param pointer the target of the last request
     */
    @Override
    public void execute(Chain requests, long pointer, boolean endsWithWrite) {
        prepareTransfer();
        if (endsWithWrite) {
            requests.read(lanes.segment(pointer), SegmentHeader.MAGIC, scratch, READ_BACK, Long.BYTES);
        }
        execute(requests, pointer);
    }

    /**
     * Called when a READ or atomic of this thread has completed on a lane, which places what was posted there before.
     * If the lane broke and was repaired meanwhile, repeats releases, and returns the lane if other requests may be
     * lost.
     */
    private @Nullable SharedLane placed(int node, int lane) {
        boolean hasBroken = unplaced.hasBroken(node, lane);
        SharedLane lossy = unplaced.remove(node, lane);
        if (!unplaced.isAny()) {
            posted = 0;
        }
        if (hasBroken) {
            releases.repeatLater();
        } else {
            releases.placed(lanes.get(node, lane));
        }
        return lossy;
    }

    @Override
    public void release(long lock, long mark) {
        try {
            prepare();
            awaitAbandoned();
            releasing.clear().compareAndSwap(lanes.segment(lock), RdmaPtr.offset(lock), mark, 0, scratch, IGNORED);
            execute(releasing, lock);
        } catch (FabricException e) {
            releases.addFailed(lock, mark, lanes.get(lanes.node(lock), 0));
            throw e;
        }
    }

    @Override
    public boolean hasCleanups() {
        return releases.hasCleanups();
    }

    @Override
    public void cleanUp(Runnable cleanup) {
        releases.add(cleanup);
        releases.repeat(this);
    }

    @Override
    public void repeatLostReleases() {
        if (releases.mustRepeat() || releases.mayAnyBeLost(lanes)) {
            releases.repeat(this);
        }
    }

    @Override
    public RemoteSequence newSequence() {
        return new LaneSequence(lanes, this);
    }

    /**
     * Begins an operation. After an abandoned wait, outstanding requests may still use the old memory, so the thread
     * gets new memory.
     */
    private void prepare() {
        if (async != null) {
            async.start();
        }
        if (releases.mustRepeat()) {
            releases.repeat(this);
        }
        if (!awaited.isOver()) {
            scratch = newScratch.get();
            awaited.giveUp();
            mayFill = true;
        }
    }

    /** Begins one that uses the caller's memory, which requests of an abandoned wait may still fill: waits for them. */
    private void prepareTransfer() {
        prepare();
        if (mayFill) {
            readBackUnplaced(true);
        }
    }

    /** Posts the chain and waits for it; returns whether it succeeded. */
    private boolean isExecuted(Chain requests, int node, int lane) {
        awaited.begin(1);
        requests.signalled(SharedLane.id(user, awaited.epoch()));
        backoff.reset();
        lanes.execute(requests, node, lane, awaited, backoff);
        backoff.continueRoundTrip();
        while (!awaited.isOver()) {
            lanes.get(node, lane).poll();
            if (!awaited.isOver()) {
                lanes.checkAlive(node);
                backoff.pause();
            }
        }
        return awaited.failure() == CompletionStatus.SUCCESS;
    }

    /** Reconnects a lane, and repeats this thread's releases; later if one is executed now. */
    private FabricException failure(SharedLane lane, Chain requests) {
        FabricException failure = lanes.failure(lane, awaited.failure(), "an operation on " + lane);
        if (requests == releasing) {
            releases.repeatLater();
        } else if (!lane.isBroken()) { // connected again
            releases.repeatReleases(this); // and nothing that would use the chain of this operation
        }
        return failure;
    }
}
