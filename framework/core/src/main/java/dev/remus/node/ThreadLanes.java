package dev.remus.node;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Environment;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Link;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.RemoteSegment;
import dev.remus.memory.RdmaPtr;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thread's use of the lanes that it shares: picks a lane, posts once there is room, and notices when the Memory
 * Node at the other end is lost. Its blocking and its asynchronous operations are both built on this. Nodes are numbers
 * here, from 0.
 */
final class ThreadLanes {
    private final List<Link> links;
    private final SharedLane[][] lanes;
    private final LanePicker picker;
    private final @Nullable Membership membership;
    private final Backoff backoff;
    private final Runnable whileFull = this::pauseWhileFull;
    private final int firstNode;

    /** Where the chain goes that waits for room. */
    private int waitsFor;

    /**
     * Makes one.
     *
     * @param links one for each Memory Node, by id
     * @param lanes by link and number
     * @param membership which nodes are alive; null while that is not known yet
     */
    ThreadLanes(
            List<Link> links,
            SharedLane[][] lanes,
            LanePicker picker,
            @Nullable Membership membership,
            Environment environment) {
        this.links = links;
        this.lanes = lanes;
        this.picker = picker;
        this.membership = membership;
        this.backoff = new Backoff(environment);
        this.firstNode = links.get(0).memoryNode();
    }

    List<Link> links() {
        return links;
    }

    /** By node and number. */
    SharedLane[][] all() {
        return lanes;
    }

    /** How many lanes lead to a node. */
    int count(int node) {
        return lanes[node].length;
    }

    SharedLane get(int node, int lane) {
        return lanes[node][lane];
    }

    /** The lane to use next. */
    int pick() {
        return picker.pick();
    }

    /** The node that a pointer points to. */
    int node(long pointer) {
        return RdmaPtr.node(pointer) - firstNode;
    }

    RemoteSegment segment(long pointer) {
        return links.get(node(pointer)).segment(RdmaPtr.segment(pointer));
    }

    RemoteSegment firstSegment(int node) {
        return links.get(node).segment(0);
    }

    /** Posts, once there is room. */
    void post(Chain requests, int node, int lane) {
        waitsFor = node;
        backoff.reset();
        lanes[node][lane].post(requests, whileFull);
    }

    /** The same for requests that report nothing. */
    void postUnsignalled(Chain requests, int node, int lane) {
        waitsFor = node;
        backoff.reset();
        lanes[node][lane].postUnsignalled(requests, whileFull);
    }

    private void pauseWhileFull() {
        checkAlive(waitsFor);
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
            throw LossExceptions.ofMemoryNode(firstNode + node, links.get(node).lossKind());
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
