// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Environment;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.Operation;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.fabric.RemoteSegment;
import dev.remus.fabric.UnsettledException;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thread's use of the shared lanes: selects a lane, posts once there is room, and detects that the Memory Node is
 * lost. The thread's blocking and asynchronous operations are both built on this. Here nodes are numbered from 0.
 */
final class ThreadLanes {
    private static final int MOST_PAUSES = 1000;

    private final List<Link> links;
    private final SharedLane[][] lanes;
    private final LanePicker picker;
    private final boolean isOfOneThread;
    private final boolean sharesDoorbells;
    private final @Nullable Membership membership;
    private final long lossNanos;
    private final Environment environment;
    private final Backoff backoff;
    private final Runnable whileFull = this::pauseWhileFull;
    private final int firstNode;

    /** Those on which an operation of this thread has failed that may still take effect. */
    private final Deque<SharedLane> unsettled = new ArrayDeque<>(1);

    /** The node of the chain that waits for room. */
    private int waitsFor;

    /** Connects broken lanes for this thread; null if it does so itself. */
    private @Nullable LaneDialler dialler;

    /**
     * Creates it.
     *
     * @param links one for each Memory Node, by id
     * @param lanes the lanes, by link and number
     * @param membership the state of the other nodes; null for a caller that watches them itself, and therefore does
     *     not wait for a node that is unreachable
     */
    ThreadLanes(
            List<Link> links,
            SharedLane[][] lanes,
            LanePicker picker,
            ClusterConfig config,
            @Nullable Membership membership,
            Environment environment) {
        this.links = links;
        this.lanes = lanes;
        this.picker = picker;
        this.isOfOneThread = picker.isOfOneThread(config.threadsPerNode());
        this.sharesDoorbells = !isOfOneThread && environment.takesTurns(config.threadKind());
        this.membership = membership;
        this.lossNanos = config.lossTimeout().toNanos();
        this.environment = environment;
        this.backoff = new Backoff(environment);
        this.firstNode = links.get(0).memoryNode();
    }

    /**
     * Leaves it to another thread to connect broken lanes, for a thread that must not wait for a Memory Node that does
     * not answer: its operations then fail as soon as the lane is broken, or the Memory Node is unreachable. With null,
     * it does so itself again.
     */
    void leaveDiallingTo(@Nullable LaneDialler other) {
        dialler = other;
    }

    private boolean mustNotWaitFor(int node) {
        return dialler != null && links.get(node).waitsToReconnect();
    }

    /**
     * To be called before a thread begins an operation.
     *
     * @throws FabricException if the lane is broken, and this thread must not wait until it is connected
     */
    void checkUsable(int node, int lane) {
        if (dialler != null && lanes[node][lane].isBroken() && mustNotWaitFor(node)) {
            recover(lanes[node][lane]);
            throw new FabricException(lanes[node][lane] + " is broken, and being connected again");
        }
    }

    List<Link> links() {
        return links;
    }

    /** All lanes, by node and number. */
    SharedLane[][] all() {
        return lanes;
    }

    /** The number of lanes to a node. */
    int count(int node) {
        return lanes[node].length;
    }

    SharedLane get(int node, int lane) {
        return lanes[node][lane];
    }

    /** Selects the lane to use next. */
    int pick() {
        return picker.pick();
    }

    /** The node of a pointer. */
    int node(long pointer) {
        return RdmaPtr.node(pointer) - firstNode;
    }

    RemoteSegment segment(long pointer) {
        return links.get(node(pointer)).segment(RdmaPtr.segment(pointer));
    }

    RemoteSegment firstSegment(int node) {
        return links.get(node).segment(0);
    }

    /** Makes a chain of one READ of a node's first segment, behind which everything is placed. */
    Chain readBack(Chain requests, int node, LocalBuffer to, long toOffset) {
        return requests.clear().read(firstSegment(node), SegmentHeader.MAGIC, to, toOffset, Long.BYTES);
    }

    /**
     * Reconnects a lane that has broken: what is posted now would only fail. While its Memory Node is unreachable,
     * waits until it is reachable again, or lost. To be called before a thread notes how often the lane has broken.
     */
    void repair(int node, int lane) {
        repair(lanes[node][lane]);
    }

    /** The same for a lane that is not to be used now. */
    void repair(SharedLane lane) {
        if (lane.isBroken()) {
            recover(lane);
        }
    }

    /** Posts a chain once there is room. */
    void post(Chain requests, int node, int lane) {
        repair(node, lane);
        waitsFor = node;
        backoff.reset();
        lanes[node][lane].post(requests, whileFull);
    }

    /**
     * The same for a chain for which this thread waits next. If it has the lane for itself, it polls too while it
     * spins. A virtual thread lets others run before it polls, and so lets them post: the first of them that polls
     * starts all that was posted, behind one doorbell.
     */
    void execute(Chain requests, int node, int lane, AwaitedCompletions awaited, Backoff wait) {
        if (sharesDoorbells) {
            postMore(requests, node, lane);
            return;
        }
        if (!isOfOneThread) {
            post(requests, node, lane);
            return;
        }
        repair(node, lane);
        waitsFor = node;
        backoff.reset();
        lanes[node][lane].execute(requests, whileFull, awaited, wait);
    }

    /** Posts a chain once there is room, for a thread that is about to post more on that lane, or to start it. */
    void postMore(Chain requests, int node, int lane) {
        repair(node, lane);
        if (!lanes[node][lane].tryPostMore(requests)) {
            post(requests, node, lane);
        }
    }

    /** Posts requests that report nothing, once there is room. */
    void postUnsignalled(Chain requests, int node, int lane) {
        waitsFor = node;
        backoff.reset();
        lanes[node][lane].postUnsignalled(requests, whileFull);
    }

    private void pauseWhileFull() {
        checkAlive(waitsFor);
        backoff.pause();
    }

    /** Whether a chain may be executed once more although it may have been executed already. */
    static boolean onlyReads(Chain requests) {
        boolean onlyReads = true;
        for (int i = 0; i < requests.size(); i++) {
            onlyReads &= requests.operation(i) == Operation.READ;
        }
        return onlyReads;
    }

    boolean isLost(int node) {
        return membership != null && membership.isLost(firstNode + node);
    }

    /** Without a membership view, checks the link, by which this node then detects losses. */
    void checkAlive(int node) {
        if (membership != null) {
            membership.check();
            membership.checkNotCutOff(links.get(node));
        }
        if (membership == null ? links.get(node).isLost() : isLost(node)) {
            throw LossExceptions.ofMemoryNode(firstNode + node, links.get(node).lossKind(), lossTimeout());
        }
        if (mustNotWaitFor(node) && !links.get(node).isReachable()) {
            throw new FabricException("Memory Node " + (firstNode + node) + " is unreachable now");
        }
    }

    private Duration lossTimeout() {
        return Duration.ofNanos(lossNanos);
    }

    private Link link(SharedLane lane) {
        return links.get(lane.memoryNode() - firstNode);
    }

    private SharedLane.Recovery recover(SharedLane lane) {
        if (dialler != null && link(lane).waitsToReconnect()) {
            dialler.connect(lane, link(lane));
            return SharedLane.Recovery.FAILED;
        }
        SharedLane.Recovery recovery = lane.recover();
        backoff.reset();
        for (int i = 0; i < MOST_PAUSES && recovery == SharedLane.Recovery.BUSY; i++) {
            backoff.pause(); // until what others have posted has failed too
            recovery = lane.recover();
        }
        if (membership == null
                || recovery != SharedLane.Recovery.FAILED
                || link(lane).isLost()) {
            return recovery;
        }
        return awaitConnected(lane, membership);
    }

    /**
     * Waits until a lane is connected. That ends with a failure if the Memory Node is lost, which happens if it stays
     * unreachable, or if it is reachable and the lane cannot be connected for as long.
     */
    private SharedLane.Recovery awaitConnected(SharedLane lane, Membership others) {
        Link link = link(lane);
        SharedLane.Recovery recovery = SharedLane.Recovery.FAILED;
        long begin = environment.nanoTime();
        while (recovery != SharedLane.Recovery.CONNECTED
                && !link.isLost()
                && environment.nanoTime() - begin < lossNanos) {
            others.check();
            backoff.pause();
            if (link.isReachable()) {
                recovery = lane.recover();
            } else {
                begin = environment.nanoTime();
            }
        }
        return recovery;
    }

    /** The exception for a failed request. Repairs the lane. */
    FabricException failure(SharedLane lane, CompletionStatus failure, String what) {
        boolean recovered = recover(lane) == SharedLane.Recovery.CONNECTED;
        int memoryNode = lane.memoryNode();
        Link link = link(lane);
        if (membership != null) {
            membership.checkNotCutOff(link);
        }
        if (failure == CompletionStatus.PEER_LOST || link.isLost()) {
            LossKind kind = link.lossKind();
            return new NodeLostException(
                    memoryNode,
                    kind,
                    kind.describe("Memory Node " + memoryNode, lossTimeout()) + " (" + what
                            + " failed; its outcome is unknown)");
        }
        if (recovered && failure == CompletionStatus.REMOTE_ACCESS_ERROR) {
            // Not an unknown outcome, whose operation may be repeated: it would be refused again.
            return new FabricException(what + " failed: " + failure
                    + ": the Memory Node refused it. The outcome of WRITEs posted there before is unknown");
        }
        String unknown =
                what + " failed: " + failure + ". Its outcome, and that of WRITEs posted there before, is unknown";
        return recovered ? new OutcomeUnknownException(unknown) : unsettled(lane, unknown);
    }

    private UnsettledException unsettled(SharedLane lane, String unknown) {
        if (!unsettled.contains(lane)) {
            unsettled.add(lane);
        }
        return new UnsettledException(unknown + ", and it may still take effect: the lane cannot be reconnected now");
    }

    /**
     * Returns when no operation that has failed with an {@link UnsettledException} can take effect any more: its lane
     * is connected again, perhaps by another thread, or its Memory Node is lost.
     *
     * @throws UnsettledException if a lane cannot be connected now
     */
    void settle() {
        while (!unsettled.isEmpty()) {
            SharedLane lane = unsettled.element();
            if (recover(lane) != SharedLane.Recovery.CONNECTED && !link(lane).isLost()) {
                throw unsettled(lane, "an operation on " + lane + " has failed earlier. Its outcome is unknown");
            }
            unsettled.remove();
        }
    }
}
