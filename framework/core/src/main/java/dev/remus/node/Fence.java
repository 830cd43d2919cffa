// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.PeerState;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentLayout;
import java.util.Arrays;
import java.util.Optional;

/**
 * A Memory Node's part in cutting off Compute Nodes that are lost, before the other Compute Nodes take over what these
 * held, and in letting them in again. Used by the Memory Node's watch alone.
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
 * <p>A Memory Node that itself detects a loss needs no request. A node that comes back has its earlier life cut off
 * everywhere, and then WRITEs a claim ({@link Admission}).
 */
final class Fence {
    private final ClusterConfig config;
    private final MemoryEndpoint endpoint;
    private final SegmentLayout layout;

    /** The latest known life of each Compute Node. */
    private final Life[] lives;

    /** Whether that life is cut off. */
    private final boolean[] isUp;

    Fence(ClusterConfig config, MemoryEndpoint endpoint) {
        this.config = config;
        this.endpoint = endpoint;
        this.layout = new SegmentLayout(config);
        this.lives = new Life[config.computeNodes()];
        Arrays.fill(lives, Life.UNKNOWN);
        this.isUp = new boolean[lives.length];
    }

    private int index(int computeNode) {
        return computeNode - config.firstComputeNode();
    }

    private Life life(int computeNode) {
        return lives[index(computeNode)];
    }

    /** The number of the latest known life of a Compute Node. */
    int number(int computeNode) {
        return life(computeNode).number();
    }

    private void setLife(int computeNode, Life life) {
        lives[index(computeNode)] = life;
        isUp[index(computeNode)] = false;
        endpoint.set(0, RdmaPtr.offset(layout.incarnation(endpoint.node(), computeNode)), life.word());
    }

    /**
     * Shows the incarnation of a Compute Node that has connected. If nodes may come back, the first Memory Node alone
     * finds it out, and the others learn it from the node's claim: so all give a life the same number.
     *
     * @return whether it is known
     */
    boolean announce(int computeNode) {
        if (!life(computeNode).isKnown()) {
            if (config.returns() > 0 && endpoint.node() != config.firstMemoryNode()) {
                admit(computeNode);
            } else if (endpoint.incarnation(computeNode) != 0) {
                setLife(computeNode, new Life(endpoint.incarnation(computeNode), number(computeNode)));
            }
        }
        return life(computeNode).isKnown();
    }

    /** Whether a later incarnation has taken the place of a Compute Node, which must have ended then, well or not. */
    boolean isReplaced(int computeNode) {
        long present = endpoint.incarnation(computeNode);
        return life(computeNode).isKnown()
                && present != 0
                && present != life(computeNode).incarnation();
    }

    /** Lets the present incarnation of a Compute Node take the place of the one before, as if it were the same. */
    void adopt(int computeNode) {
        setLife(computeNode, new Life(endpoint.incarnation(computeNode), number(computeNode)));
    }

    /** Lets in a Compute Node that has connected and has claimed a life, if it has. Returns whether it is let in. */
    boolean admit(int computeNode) {
        Life claim = Life.of(endpoint.get(0, RdmaPtr.offset(layout.claim(endpoint.node(), computeNode))));
        Life known = life(computeNode);
        boolean isNew = known.isKnown() || isUp(computeNode)
                ? claim.number() > known.number()
                : claim.number() >= known.number();
        if (!claim.isKnown()
                || !isNew
                || claim.number() > config.returns()
                || endpoint.peer(computeNode) != PeerState.JOINED
                || endpoint.incarnation(computeNode) != claim.incarnation()) {
            return false;
        }
        setLife(computeNode, claim);
        return true;
    }

    /** How another node found a Compute Node lost, if one asks that it is cut off. */
    Optional<LossKind> requested(int computeNode) {
        return request(computeNode).map(FenceRequest::kind);
    }

    /** Requests for an earlier life do not count. */
    private Optional<FenceRequest> request(int computeNode) {
        return FenceRequest.of(endpoint.get(0, RdmaPtr.offset(layout.fence(endpoint.node(), computeNode))))
                .filter(request -> isLatest(request.life(), life(computeNode)));
    }

    private static boolean isLatest(Life life, Life known) {
        return life.number() > known.number()
                || life.number() == known.number() && (!known.isKnown() || life.equals(known));
    }

    /** Whether a Compute Node is cut off. */
    boolean isUp(int computeNode) {
        return isUp[index(computeNode)];
    }

    /** Whether a Compute Node that is lost is still to be cut off. */
    boolean isToBeRaised(int computeNode) {
        return !isUp(computeNode) || isLaterRequested(computeNode);
    }

    /** Whether others ask to cut off a life that has never claimed to be let in here. */
    private boolean isLaterRequested(int computeNode) {
        Optional<FenceRequest> request = request(computeNode);
        return request.isPresent() && request.get().life().number() > number(computeNode);
    }

    /** Cuts off a Compute Node that is lost. Returns whether it is cut off now; otherwise to be called again. */
    boolean raise(int computeNode) {
        Optional<Life> requested = request(computeNode).map(FenceRequest::life);
        if (requested.isPresent() && !requested.get().equals(life(computeNode))) {
            setLife(computeNode, requested.get());
        }
        long incarnation = life(computeNode).incarnation();
        boolean isDone = incarnation == 0 || endpoint.fence(computeNode, incarnation); // or it never was here
        isUp[index(computeNode)] = isDone;
        return isDone;
    }
}
