package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentLayout;
import java.util.Optional;

/**
 * A Memory Node's part in cutting off Compute Nodes that are lost, before the other Compute Nodes take over what these
 * held. Used by the Memory Node's watch alone.
 *
 * <pre>
 *  Compute Node                      Memory Node
 *    finds another one lost
 *    WRITEs a FenceRequest --------&gt; declares it lost too
 *                                    MemoryEndpoint.fence: ends its connections, refuses new ones
 *    READs the acknowledgement &lt;---- MembershipWord: cut off
 *    takes over
 * </pre>
 *
 * <p>A Memory Node that itself detects a loss needs no request.
 */
final class Fence {
    private final MemoryEndpoint endpoint;
    private final SegmentLayout layout;
    private final int firstComputeNode;
    private final boolean[] isUp;

    Fence(ClusterConfig config, MemoryEndpoint endpoint) {
        this.endpoint = endpoint;
        this.layout = new SegmentLayout(config);
        this.firstComputeNode = config.firstComputeNode();
        this.isUp = new boolean[config.computeNodes()];
    }

    /** Shows the incarnation of a Compute Node that has connected. Returns whether it is known already. */
    boolean announce(int computeNode) {
        long incarnation = endpoint.incarnation(computeNode);
        endpoint.set(0, RdmaPtr.offset(layout.incarnation(endpoint.node(), computeNode)), incarnation);
        return incarnation != 0;
    }

    /** How another node found a Compute Node lost, if one asks that it is cut off. */
    Optional<LossKind> requested(int computeNode) {
        return request(computeNode).map(FenceRequest::kind);
    }

    /** Requests for an earlier incarnation do not count. */
    private Optional<FenceRequest> request(int computeNode) {
        return FenceRequest.of(endpoint.get(0, RdmaPtr.offset(layout.fence(endpoint.node(), computeNode))))
                .filter(request -> isPresent(request.incarnation(), computeNode));
    }

    private boolean isPresent(long incarnation, int computeNode) {
        long known = endpoint.incarnation(computeNode);
        return known == 0 || known == incarnation;
    }

    /** Whether a Compute Node is cut off. */
    boolean isUp(int computeNode) {
        return isUp[computeNode - firstComputeNode];
    }

    /** Cuts off a Compute Node that is lost. Returns whether it is cut off now; otherwise to be called again. */
    boolean raise(int computeNode) {
        long incarnation =
                request(computeNode).map(FenceRequest::incarnation).orElseGet(() -> endpoint.incarnation(computeNode));
        boolean isDone = incarnation == 0 || endpoint.fence(computeNode, incarnation); // or it never was here
        isUp[computeNode - firstComputeNode] = isDone;
        return isDone;
    }
}
