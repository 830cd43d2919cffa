package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Environment;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalMemory;
import dev.remus.fabric.LocalSegments;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.RemoteMemory;
import dev.remus.fabric.RemoteSegment;
import dev.remus.fabric.RemoteSequence;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The blocking operations, built once for all fabrics from chains posted to lanes. For one thread.
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
 * <p>A WRITE that is waited for goes out together with an 8-byte READ of the same segment on the same lane: one chain,
 * one completion, one round trip. When the READ has completed, the WRITE and all earlier ones of that lane are placed,
 * since requests of a lane execute in order and a READ is answered from memory (fabric contract, "placed").
 */
final class LaneMemory extends RemoteMemory {
    private static final int RESULT = 0;
    private static final int VALUE = 8;
    private static final int READ_BACK = 16;
    private static final int IGNORED = 24;
    private static final int POSTED = 32;
    private static final int MOST_POSTED = 64;

    /** Bytes of scratch memory that a thread needs. */
    static final int SCRATCH = POSTED + MOST_POSTED * Long.BYTES;

    private final List<Link> links;
    private final SharedLane[][] lanes;

    /** By Memory Node; null for those of other processes. */
    private final LocalSegments[] local;

    private long localReads;
    private final LanePicker picker;
    private final @Nullable Membership membership;
    private final Supplier<LocalMemory> newScratch;
    private final Runnable whileFull = this::pauseWhileFull;
    private final Chain chain = new Chain(2);
    private final Backoff backoff;
    private final int user;
    private final int firstNode;

    private LocalMemory scratch;

    private final AwaitedCompletions awaited = new AwaitedCompletions();
    private final UnplacedLanes unplaced;

    /** Told what has been executed, if this thread has asynchronous operations; else null. */
    private @Nullable LaneOperations operations;

    private int posted;
    private int destination;

    /**
     * Makes one. That this is not done with the constructor keeps this class from being loaded where a fabric has
     * operations of its own: calls of them then have one target only, which the compiler can rely on.
     */
    static RemoteMemory create(
            List<Link> links,
            SharedLane[][] lanes,
            SharedLane.Users users,
            LanePicker picker,
            @Nullable Membership membership,
            Environment environment,
            Supplier<LocalMemory> newScratch) {
        return new LaneMemory(links, lanes, users, picker, membership, environment, newScratch);
    }

    /**
     * @param links one for each Memory Node, by id
     * @param lanes by link and number
     * @param membership who is alive; null while that is not known yet
     * @param newScratch allocates {@link #SCRATCH} bytes
     */
    private LaneMemory(
            List<Link> links,
            SharedLane[][] lanes,
            SharedLane.Users users,
            LanePicker picker,
            @Nullable Membership membership,
            Environment environment,
            Supplier<LocalMemory> newScratch) {
        this.links = links;
        this.lanes = lanes;
        this.local = links.stream().map(Link::localSegments).toArray(LocalSegments[]::new);
        this.picker = picker;
        this.membership = membership;
        this.backoff = new Backoff(environment);
        this.newScratch = newScratch;
        this.scratch = newScratch.get();
        this.firstNode = links.get(0).memoryNode();
        this.unplaced = new UnplacedLanes(lanes);
        this.user = users.add(awaited);
    }

    @Override
    public long read(long pointer) {
        int node = RdmaPtr.node(pointer) - firstNode;
        LocalSegments here = local[node];
        if (here != null && here.isOpen() && !hasOwnOnTheWay(node)) {
            localReads++;
            return here.read(RdmaPtr.segment(pointer), RdmaPtr.offset(pointer));
        }
        renewScratch();
        chain.clear().read(segment(pointer), RdmaPtr.offset(pointer), scratch, RESULT, Long.BYTES);
        execute(chain, pointer);
        return scratch.getLong(RESULT);
    }

    /** Whether this thread has posted something there that is not placed, which a load would not wait for. */
    private boolean hasOwnOnTheWay(int node) {
        return unplaced.isAny() && unplaced.isAnyTo(node) || operations != null && operations.isAnythingOnTheWay(node);
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
        renewScratch();
        chain.clear().compareAndSwap(segment(pointer), RdmaPtr.offset(pointer), expected, desired, scratch, RESULT);
        execute(chain, pointer);
        return scratch.getLong(RESULT);
    }

    @Override
    public long fetchAndAdd(long pointer, long delta) {
        renewScratch();
        chain.clear().fetchAndAdd(segment(pointer), RdmaPtr.offset(pointer), delta, scratch, RESULT);
        execute(chain, pointer);
        return scratch.getLong(RESULT);
    }

    @Override
    public void read(long pointer, LocalMemory to, long toOffset, int length) {
        renewScratch();
        chain.clear().read(segment(pointer), RdmaPtr.offset(pointer), to, toOffset, length);
        execute(chain, pointer);
    }

    @Override
    public void write(long pointer, LocalMemory from, long fromOffset, int length) {
        renewScratch();
        RemoteSegment segment = segment(pointer);
        chain.clear()
                .write(segment, RdmaPtr.offset(pointer), from, fromOffset, length)
                .read(segment, SegmentHeader.MAGIC, scratch, READ_BACK, Long.BYTES);
        execute(chain, pointer);
    }

    @Override
    public void post(long pointer, long value) {
        if (posted == MOST_POSTED) {
            place();
        }
        renewScratch();
        int at = POSTED + posted * Long.BYTES;
        scratch.putLong(at, value);
        chain.clear().write(segment(pointer), RdmaPtr.offset(pointer), scratch, at, Long.BYTES);
        postUnsignalled(chain, pointer);
        posted++;
    }

    @Override
    public void postFetchAndAdd(long pointer, long delta) {
        renewScratch();
        chain.clear().fetchAndAdd(segment(pointer), RdmaPtr.offset(pointer), delta, scratch, IGNORED);
        postUnsignalled(chain, pointer);
    }

    void postUnsignalled(Chain requests, long pointer) {
        int node = RdmaPtr.node(pointer) - firstNode;
        int lane = picker.pick();
        unplaced.add(node, lane);
        destination = node;
        backoff.reset();
        lanes[node][lane].postUnsignalled(requests, whileFull);
    }

    /** One READ on each lane written since, all at once. */
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
            broken = unplaced.removeAll(); // or else reported: what is lost now must not fail every later call too
            posted = 0;
        }
        throwFailure();
        throwIfBroken(broken);
    }

    private void postReadBacks() {
        for (int node = 0; node < lanes.length; node++) {
            for (int lane = 0; lane < lanes[node].length; lane++) {
                if (unplaced.is(node, lane)) {
                    chain.clear()
                            .read(links.get(node).segment(0), SegmentHeader.MAGIC, scratch, READ_BACK, Long.BYTES)
                            .signalled(SharedLane.id(user, awaited.epoch()));
                    post(chain, node, lane);
                }
            }
        }
    }

    private void awaitReadBacks() {
        backoff.reset();
        while (!awaited.isOver()) {
            for (int node = 0; node < lanes.length; node++) {
                for (int lane = 0; lane < lanes[node].length; lane++) {
                    if (unplaced.is(node, lane)) {
                        lanes[node][lane].poll();
                    }
                }
            }
            for (int node = 0; node < lanes.length && !awaited.isOver(); node++) {
                if (unplaced.isAnyTo(node)) {
                    checkAlive(node);
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
        int node = RdmaPtr.node(pointer) - firstNode;
        int lane = picker.pick();
        awaited.begin(1);
        requests.signalled(SharedLane.id(user, awaited.epoch()));
        post(requests, node, lane);
        await(node, lane);
        if (operations != null) {
            operations.executed(node, lane);
        }
        throwIfBroken(placed(node, lane));
    }

    /**
     * Waits for the chain of a sequence. A READ or atomic behind its WRITEs places them; without one, a READ is added.
     *
     * @param pointer where its last request goes
     */
    void execute(Chain requests, long pointer, boolean endsWithWrite) {
        renewScratch();
        if (endsWithWrite) {
            requests.read(segment(pointer), SegmentHeader.MAGIC, scratch, READ_BACK, Long.BYTES);
        }
        execute(requests, pointer);
    }

    void post(Chain requests, int node, int lane) {
        destination = node;
        backoff.reset();
        lanes[node][lane].post(requests, whileFull);
    }

    /**
     * A READ or atomic of this thread has completed on a lane: its WRITEs there are placed. The answer is the lane if it
     * broke and was repaired meanwhile, by another thread maybe, so that they may have been lost; otherwise null.
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
                    lane + " broke after this thread had posted WRITEs there: whether they were executed is unknown");
        }
    }

    @Override
    public RemoteSequence newSequence() {
        return new LaneSequence(this);
    }

    // ------------------------------------------------------------------------------------------------ asynchronous

    /** The asynchronous operations of the same thread. */
    static AsyncOperations newOperations(
            ComputeThread ct,
            ClusterConfig config,
            ThreadMetrics metrics,
            RemoteMemory memory,
            SharedLane.Users users,
            Environment environment,
            CompletionWatch watch,
            LongFunction<LocalMemory> newLocal) {
        LaneMemory itself = (LaneMemory) RecordedMemory.inside(memory);
        itself.operations =
                new LaneOperations(ct, config, metrics, itself, itself.lanes, users, environment, watch, newLocal);
        return itself.operations;
    }

    /** The requests that were added to a sequence of {@link #newSequence}. */
    static Chain requests(RemoteSequence sequence) {
        return ((LaneSequence) RecordedMemory.inside(sequence)).requests();
    }

    int pickLane() {
        return picker.pick();
    }

    RemoteSegment firstSegment(int node) {
        return links.get(node).segment(0);
    }

    // ------------------------------------------------------------------------------------------------ inside

    RemoteSegment segment(long pointer) {
        return links.get(RdmaPtr.node(pointer) - firstNode).segment(RdmaPtr.segment(pointer));
    }

    /** After a wait was given up, what it waited for may still use the old memory: leaves that to it. */
    private void renewScratch() {
        if (!awaited.isOver()) {
            scratch = newScratch.get();
            awaited.giveUp();
        }
    }

    private void await(int node, int lane) {
        SharedLane shared = lanes[node][lane];
        backoff.reset();
        while (!awaited.isOver()) {
            shared.poll();
            if (!awaited.isOver()) {
                checkAlive(node);
                backoff.pause();
            }
        }
        throwFailure();
    }

    private void pauseWhileFull() {
        checkAlive(destination);
        backoff.pause();
    }

    boolean isLost(int node) {
        return membership != null && membership.isLost(firstNode + node);
    }

    /** Without a membership view, check the link: this node learns of losses by it. */
    void checkAlive(int node) {
        if (membership != null) {
            membership.check();
        }
        if (membership == null ? links.get(node).isLost() : isLost(node)) {
            throw Losses.ofMemoryNode(firstNode + node, links.get(node).lossKind());
        }
    }

    /** If a request of the wait that has just ended has failed. */
    private void throwFailure() {
        CompletionStatus failure = awaited.failure();
        if (failure != CompletionStatus.SUCCESS) {
            SharedLane lane = awaited.failedLane();
            throw failure(lane, failure, "an operation on " + lane);
        }
    }

    /** What to throw when a request has failed; repairs the lane. */
    FabricException failure(SharedLane lane, CompletionStatus failure, String what) {
        lane.recover();
        int memoryNode = lane.memoryNode();
        Link link = links.get(memoryNode - firstNode);
        if (failure == CompletionStatus.PEER_LOST || link.isLost()) {
            LossKind kind = link.lossKind();
            return new NodeLostException(
                    memoryNode,
                    kind,
                    kind.describe("Memory Node " + memoryNode) + " (" + what + " failed, its outcome is unknown)");
        }
        return new FabricException(
                what + " failed: " + failure + ". Its outcome, and that of WRITEs posted there before, is unknown");
    }
}
