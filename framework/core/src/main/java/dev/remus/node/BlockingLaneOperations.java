package dev.remus.node;

import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Environment;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.LocalSegments;
import dev.remus.fabric.RemoteSegment;
import dev.remus.fabric.RemoteSequence;
import dev.remus.fabric.SingleOperations;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
 * <p>An awaited WRITE is posted together with an 8-byte READ of the same segment on the same lane: one chain, one
 * completion, one round trip. When the READ has completed, the WRITE and all earlier ones of that lane are placed,
 * since requests of a lane execute in order and a READ is answered from memory (fabric contract, "placed").
 */
final class BlockingLaneOperations extends BlockingOperations implements LaneSequence.Target {
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
    }

    private final ThreadLanes lanes;

    /** By Memory Node; null for those of other processes. */
    private final LocalSegments[] local;

    /** Null if the fabric has none. */
    private final @Nullable SingleOperations single;

    private long localReads;
    private final Supplier<LocalBuffer> newScratch;
    private final Chain chain = new Chain(2);
    private final Backoff backoff;
    private final int user;

    private LocalBuffer scratch;

    private final AwaitedCompletions awaited = new AwaitedCompletions();
    private final UnplacedLanes unplaced;

    /** Null while this thread has no asynchronous operations. */
    private @Nullable AsyncSide async;

    private int posted;

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
            return here.read(RdmaPtr.segment(pointer), RdmaPtr.offset(pointer));
        }
        if (single != null && !hasOwnOnTheWay(node)) {
            return single.read(pointer);
        }
        renewScratch();
        chain.clear().read(lanes.segment(pointer), RdmaPtr.offset(pointer), scratch, RESULT, Long.BYTES);
        execute(chain, pointer);
        return scratch.getLong(RESULT);
    }

    /** Whether this thread has posted something there that is not placed. A load would not wait for it. */
    private boolean hasOwnOnTheWay(int node) {
        return unplaced.isAny() && unplaced.isAnyTo(node) || async != null && async.isAnythingOnTheWay(node);
    }

    @Override
    public long localReads() {
        return localReads;
    }

    @Override
    public void write(long pointer, long value) {
        renewScratch();
        scratch.putLong(VALUE, value);
        write(pointer, scratch, VALUE, Long.BYTES);
    }

    @Override
    public long compareAndSwap(long pointer, long expected, long desired) {
        if (single != null && !hasOwnOnTheWay(lanes.node(pointer))) {
            return single.compareAndSwap(pointer, expected, desired);
        }
        renewScratch();
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
        renewScratch();
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
        renewScratch();
        chain.clear().read(lanes.segment(pointer), RdmaPtr.offset(pointer), to, toOffset, length);
        execute(chain, pointer);
    }

    @Override
    public void write(long pointer, LocalBuffer from, long fromOffset, int length) {
        renewScratch();
        RemoteSegment segment = lanes.segment(pointer);
        chain.clear()
                .write(segment, RdmaPtr.offset(pointer), from, fromOffset, length)
                .read(segment, SegmentHeader.MAGIC, scratch, READ_BACK, Long.BYTES);
        execute(chain, pointer);
    }

    @Override
    public void post(long pointer, long value) {
        if (posted == MAX_POSTED) {
            place();
        }
        renewScratch();
        int at = POSTED + posted * Long.BYTES;
        scratch.putLong(at, value);
        chain.clear().write(lanes.segment(pointer), RdmaPtr.offset(pointer), scratch, at, Long.BYTES);
        postUnsignalled(chain, pointer);
        posted++;
    }

    @Override
    public void postFetchAndAdd(long pointer, long delta) {
        renewScratch();
        chain.clear().fetchAndAdd(lanes.segment(pointer), RdmaPtr.offset(pointer), delta, scratch, IGNORED);
        postUnsignalled(chain, pointer);
    }

    @Override
    public void postUnsignalled(Chain requests, long pointer) {
        int node = lanes.node(pointer);
        int lane = lanes.pick();
        unplaced.add(node, lane);
        lanes.postUnsignalled(requests, node, lane);
    }

    /** One READ on each lane that was written since the last call, all at once. */
    @Override
    public void place() {
        if (!unplaced.isAny()) {
            return;
        }
        renewScratch();
        awaited.begin(unplaced.count());
        SharedLane broken = null;
        try {
            postReadBacks();
            awaitReadBacks();
        } finally {
            broken = unplaced.removeAll(); // a loss is reported once and must not fail later calls
            posted = 0;
        }
        throwFailure();
        throwIfBroken(broken);
    }

    private void postReadBacks() {
        for (int node = 0; node < local.length; node++) {
            for (int lane = 0; lane < lanes.count(node); lane++) {
                if (unplaced.is(node, lane)) {
                    chain.clear()
                            .read(lanes.firstSegment(node), SegmentHeader.MAGIC, scratch, READ_BACK, Long.BYTES)
                            .signalled(SharedLane.id(user, awaited.epoch()));
                    lanes.post(chain, node, lane);
                }
            }
        }
    }

    private void awaitReadBacks() {
        backoff.beginRoundTrip();
        while (!awaited.isOver()) {
            for (int node = 0; node < local.length; node++) {
                for (int lane = 0; lane < lanes.count(node); lane++) {
                    if (unplaced.is(node, lane)) {
                        lanes.get(node, lane).poll();
                    }
                }
            }
            for (int node = 0; node < local.length && !awaited.isOver(); node++) {
                if (unplaced.isAnyTo(node)) {
                    lanes.checkAlive(node);
                }
            }
            if (!awaited.isOver()) {
                backoff.pause();
            }
        }
    }

    @Override
    public int unplacedLanes() {
        return unplaced.count();
    }

    /** Posts the chain with its last request signalled, and waits for it. */
    private void execute(Chain requests, long pointer) {
        int node = lanes.node(pointer);
        int lane = lanes.pick();
        awaited.begin(1);
        requests.signalled(SharedLane.id(user, awaited.epoch()));
        lanes.post(requests, node, lane);
        await(node, lane);
        if (async != null) {
            async.executed(node, lane);
        }
        throwIfBroken(placed(node, lane));
    }

    /**
     * Waits for the chain of a sequence. A READ or atomic behind its WRITEs places them. If there is none, a READ is
     * added.
     *
     * @param pointer the target of the last request
     */
    @Override
    public void execute(Chain requests, long pointer, boolean endsWithWrite) {
        renewScratch();
        if (endsWithWrite) {
            requests.read(lanes.segment(pointer), SegmentHeader.MAGIC, scratch, READ_BACK, Long.BYTES);
        }
        execute(requests, pointer);
    }

    /**
     * Called when a READ or atomic of this thread has completed on a lane, which places its WRITEs there. Returns the
     * lane if it broke and was repaired meanwhile, perhaps by another thread, so that the WRITEs may have been lost;
     * otherwise null.
     */
    private @Nullable SharedLane placed(int node, int lane) {
        SharedLane broken = unplaced.remove(node, lane);
        if (!unplaced.isAny()) {
            posted = 0;
        }
        return broken;
    }

    private static void throwIfBroken(@Nullable SharedLane lane) {
        if (lane != null) {
            throw new FabricException(
                    lane + " broke after this thread had posted WRITEs there: their outcome is unknown");
        }
    }

    @Override
    public RemoteSequence newSequence() {
        return new LaneSequence(lanes, this);
    }

    /** After an abandoned wait, outstanding requests may still use the old memory, so the thread gets new memory. */
    private void renewScratch() {
        if (!awaited.isOver()) {
            scratch = newScratch.get();
            awaited.giveUp();
        }
    }

    private void await(int node, int lane) {
        SharedLane shared = lanes.get(node, lane);
        backoff.beginRoundTrip();
        while (!awaited.isOver()) {
            shared.poll();
            if (!awaited.isOver()) {
                lanes.checkAlive(node);
                backoff.pause();
            }
        }
        throwFailure();
    }

    /** Throws if a request of the last wait has failed. */
    private void throwFailure() {
        CompletionStatus failure = awaited.failure();
        if (failure != CompletionStatus.SUCCESS) {
            SharedLane lane = awaited.failedLane();
            throw lanes.failure(lane, failure, "an operation on " + lane);
        }
    }
}
