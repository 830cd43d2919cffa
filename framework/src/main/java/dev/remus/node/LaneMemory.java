package dev.remus.node;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalMemory;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.RemoteMemory;
import dev.remus.fabric.RemoteSegment;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The blocking operations, built once for all fabrics from chains posted to lanes. For one thread.
 *
 * <pre>
 *  scratch memory, 8-byte words
 *   0           1              2             3 ... 66
 *  +-----------+--------------+-------------+------------------------------+
 *  | result    | value to     | read back   | values of posted WRITEs      |
 *  |           | write        |             | until the next place()       |
 *  +-----------+--------------+-------------+------------------------------+
 * </pre>
 *
 * <p>A WRITE that is waited for goes out together with an 8-byte READ of the same segment on the same lane: one chain,
 * one completion, one round trip. When the READ has completed, the WRITE and all earlier ones of that lane are placed,
 * since requests of a lane execute in order and a READ is answered from memory (fabric contract, "placed").
 */
final class LaneMemory extends RemoteMemory implements SharedLane.User {
    private static final int RESULT = 0;
    private static final int VALUE = 8;
    private static final int READ_BACK = 16;
    private static final int POSTED = 24;
    private static final int MOST_POSTED = 64;

    /** Bytes of scratch memory that a thread needs. */
    static final int SCRATCH = POSTED + MOST_POSTED * Long.BYTES;

    private final List<Link> links;
    private final SharedLane[][] lanes;
    private final LanePicker picker;
    private final Membership membership;
    private final LocalMemory scratch;
    private final Chain chain = new Chain(2);
    private final Backoff backoff = new Backoff();
    private final int user;
    private final int firstNode;

    /** Epoch in the upper half, completions still missing in the lower. */
    private final AtomicLong missing = new AtomicLong();

    private volatile CompletionStatus failure = CompletionStatus.SUCCESS;

    private final boolean[][] unplaced;

    /** By lane: how often it had broken when the first of the WRITEs that are not placed yet was posted. */
    private final int[][] breaksBefore;

    private int unplacedLanes;
    private int posted;

    /**
     * @param links one for each Memory Node, by id
     * @param lanes by link and number
     * @param membership who is alive; null while that is not known yet
     */
    LaneMemory(
            List<Link> links,
            SharedLane[][] lanes,
            SharedLane.Users users,
            LanePicker picker,
            Membership membership,
            LocalMemory scratch) {
        this.links = links;
        this.lanes = lanes;
        this.picker = picker;
        this.membership = membership;
        this.scratch = scratch;
        this.firstNode = links.get(0).memoryNode();
        this.unplaced = new boolean[lanes.length][lanes[0].length];
        this.breaksBefore = new int[lanes.length][lanes[0].length];
        this.user = users.add(this);
    }

    @Override
    public long read(long pointer) {
        chain.clear().read(segment(pointer), RdmaPtr.offset(pointer), scratch, RESULT, Long.BYTES);
        execute(pointer);
        return scratch.getLong(RESULT);
    }

    @Override
    public void write(long pointer, long value) {
        scratch.putLong(VALUE, value);
        write(pointer, scratch, VALUE, Long.BYTES);
    }

    @Override
    public long compareAndSwap(long pointer, long expected, long desired) {
        chain.clear().compareAndSwap(segment(pointer), RdmaPtr.offset(pointer), expected, desired, scratch, RESULT);
        execute(pointer);
        return scratch.getLong(RESULT);
    }

    @Override
    public long fetchAndAdd(long pointer, long delta) {
        chain.clear().fetchAndAdd(segment(pointer), RdmaPtr.offset(pointer), delta, scratch, RESULT);
        execute(pointer);
        return scratch.getLong(RESULT);
    }

    @Override
    public void read(long pointer, LocalMemory to, long toOffset, int length) {
        chain.clear().read(segment(pointer), RdmaPtr.offset(pointer), to, toOffset, length);
        execute(pointer);
    }

    @Override
    public void write(long pointer, LocalMemory from, long fromOffset, int length) {
        RemoteSegment segment = segment(pointer);
        chain.clear()
                .write(segment, RdmaPtr.offset(pointer), from, fromOffset, length)
                .read(segment, SegmentHeader.MAGIC, scratch, READ_BACK, Long.BYTES);
        execute(pointer);
    }

    @Override
    public void post(long pointer, long value) {
        if (posted == MOST_POSTED) {
            place();
        }
        int at = POSTED + posted * Long.BYTES;
        scratch.putLong(at, value);
        chain.clear().write(segment(pointer), RdmaPtr.offset(pointer), scratch, at, Long.BYTES);
        int node = RdmaPtr.node(pointer) - firstNode;
        int lane = picker.pick();
        if (!unplaced[node][lane]) {
            unplaced[node][lane] = true;
            breaksBefore[node][lane] = lanes[node][lane].breaks();
            unplacedLanes++;
        }
        lanes[node][lane].postUnsignalled(chain, this::pauseWhileFull);
        posted++;
    }

    /** One READ on each lane written since, all at once. */
    @Override
    public void place() {
        if (unplacedLanes == 0) {
            return;
        }
        begin(unplacedLanes);
        for (int node = 0; node < lanes.length; node++) {
            for (int lane = 0; lane < lanes[node].length; lane++) {
                if (unplaced[node][lane]) {
                    chain.clear()
                            .read(links.get(node).segment(0), SegmentHeader.MAGIC, scratch, READ_BACK, Long.BYTES)
                            .signalled(SharedLane.id(user, epoch()));
                    lanes[node][lane].post(chain, this::pauseWhileFull);
                }
            }
        }
        backoff.reset();
        while (isWaiting()) {
            for (int node = 0; node < lanes.length; node++) {
                for (int lane = 0; lane < lanes[node].length; lane++) {
                    if (unplaced[node][lane]) {
                        lanes[node][lane].poll();
                        checkAlive(node);
                    }
                }
            }
            if (isWaiting()) {
                backoff.pause();
            }
        }
        for (int node = 0; node < lanes.length; node++) {
            for (int lane = 0; lane < lanes[node].length; lane++) {
                if (unplaced[node][lane]) {
                    isPlaced(node, lane);
                    if (failure != CompletionStatus.SUCCESS) {
                        fail(node, lane);
                    }
                }
            }
        }
    }

    @Override
    public int unplacedLanes() {
        return unplacedLanes;
    }

    /** Posts the chain with its last request signalled, and waits for it. */
    private void execute(long pointer) {
        int node = RdmaPtr.node(pointer) - firstNode;
        int lane = picker.pick();
        begin(1);
        chain.signalled(SharedLane.id(user, epoch()));
        lanes[node][lane].post(chain, this::pauseWhileFull);
        await(node, lane);
        isPlaced(node, lane);
    }

    /** A READ or atomic of this thread has completed on a lane: its WRITEs there are placed. */
    private void isPlaced(int node, int lane) {
        if (!unplaced[node][lane]) {
            return;
        }
        unplaced[node][lane] = false;
        unplacedLanes--;
        if (unplacedLanes == 0) {
            posted = 0;
        }
        if (lanes[node][lane].breaks() != breaksBefore[node][lane]) {
            throw new FabricException(lanes[node][lane]
                    + " broke after this thread had posted WRITEs there: whether they were executed is unknown");
        }
    }

    private RemoteSegment segment(long pointer) {
        return links.get(RdmaPtr.node(pointer) - firstNode).segment(RdmaPtr.segment(pointer));
    }

    private void begin(int completions) {
        failure = CompletionStatus.SUCCESS;
        missing.set((missing.get() >>> 32) + 1 << 32 | completions);
    }

    private int epoch() {
        return (int) (missing.get() >>> 32);
    }

    @Override
    public void completed(int epoch, CompletionStatus status) {
        long now = missing.get();
        while ((int) (now >>> 32) == epoch && (now & 0xFFFF_FFFFL) != 0) {
            if (status != CompletionStatus.SUCCESS) {
                failure = status;
            }
            if (missing.compareAndSet(now, now - 1)) {
                return;
            }
            now = missing.get();
        }
    }

    private boolean isWaiting() {
        return (missing.get() & 0xFFFF_FFFFL) != 0;
    }

    private void await(int node, int lane) {
        SharedLane shared = lanes[node][lane];
        backoff.reset();
        while (isWaiting()) {
            shared.poll();
            if (isWaiting()) {
                checkAlive(node);
                backoff.pause();
            }
        }
        if (failure != CompletionStatus.SUCCESS) {
            fail(node, lane);
        }
    }

    private void pauseWhileFull() {
        if (membership != null) {
            membership.check();
        }
        backoff.pause();
    }

    private void checkAlive(int node) {
        if (membership != null) {
            membership.check();
            if (membership.isLost(firstNode + node)) {
                throw new NodeLostException(firstNode + node, "Memory Node " + (firstNode + node) + " is lost");
            }
        }
    }

    private void fail(int node, int lane) {
        lanes[node][lane].recover();
        int memoryNode = firstNode + node;
        if (failure == CompletionStatus.PEER_LOST || links.get(node).isLost()) {
            throw new NodeLostException(
                    memoryNode,
                    "Memory Node " + memoryNode + " is lost: an operation on " + lanes[node][lane]
                            + " failed, its outcome is unknown");
        }
        throw new FabricException("an operation on " + lanes[node][lane] + " failed: " + failure
                + ". Its outcome, and that of WRITEs posted there before, is unknown");
    }
}
