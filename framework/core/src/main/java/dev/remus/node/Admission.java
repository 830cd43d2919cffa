// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.Environment;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Link;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.PeerState;
import dev.remus.memory.SegmentLayout;
import java.util.List;

/**
 * How a Compute Node that has connected is let in by all Memory Nodes.
 *
 * <pre>
 *  Compute Node                              first Memory Node         each other Memory Node
 *    READs its membership ------------------&gt; lost, or has left: an earlier life
 *    WRITEs a FenceRequest for that life ---&gt; cuts it off ...         cuts it off
 *    READs that all have done so
 *    claims the next life ------------------&gt; JOINED
 *    READs that
 *    claims the same life --------------------------------------------&gt; JOINED
 *    READs that
 * </pre>
 *
 * <p>The first Memory Node gives a life its number: it lets in one incarnation for each. The others let in what claims
 * that number there. So a life that only some of them have let in has the same number on all, and the next one is cut
 * off from it: {@code design/Returning.md}. A node that has not been there before claims nothing on the first Memory
 * Node, and nothing at all without {@code --returns}.
 */
final class Admission {
    private final ClusterConfig config;
    private final int self;
    private final long incarnation;
    private final List<Link> links;
    private final BlockingOperations memory;
    private final Membership membership;
    private final SegmentLayout layout;
    private final Backoff backoff;

    /** @param incarnation that of this node */
    Admission(
            ClusterConfig config,
            int self,
            long incarnation,
            List<Link> links,
            OperationsFactory operations,
            BlockingOperations memory,
            Membership membership) {
        this.config = config;
        this.self = self;
        this.incarnation = incarnation;
        this.links = links;
        this.memory = memory;
        this.membership = membership;
        this.layout = new SegmentLayout(config);
        this.backoff = new Backoff(operations.environment());
    }

    /**
     * Waits until all Memory Nodes have let in this node: only then can its loss be detected.
     *
     * @param deadline on this node's clock
     * @return the number of its life
     * @throws NodeLostException if a Memory Node is lost, or does not let it in in time
     * @throws FabricException if this node may not come back, or not once more
     */
    int await(Environment environment, long deadline) {
        if (config.returns() == 0) {
            links.forEach(link -> awaitJoined(link, environment, deadline));
            return 0;
        }
        Link first = links.get(0);
        Life own = life(first);
        while (own.incarnation() != incarnation) {
            if (isEarlier(own, first)) {
                comeBack(own);
            }
            pause(first, environment, deadline);
            own = life(first);
        }
        for (Link link : links) {
            while (life(link).incarnation() != incarnation) {
                claim(link, own.number());
                pause(link, environment, deadline);
            }
        }
        return own.number();
    }

    /** Without {@code --returns} there is only one life, so the state of this node is enough. */
    private void awaitJoined(Link link, Environment environment, long deadline) {
        while (MembershipWord.state(membership(link)) != PeerState.JOINED) {
            membership.checkExpected(link.memoryNode());
            pause(link, environment, deadline);
        }
    }

    private Life life(Link link) {
        return Life.of(memory.read(layout.incarnation(link.memoryNode(), self)));
    }

    private long membership(Link link) {
        return memory.read(layout.membership(link.memoryNode(), self));
    }

    private boolean isEarlier(Life seen, Link first) {
        return seen.isKnown() || MembershipWord.state(membership(first)) == PeerState.LOST; // it had never joined
    }

    /** Has the earlier life cut off everywhere, and then claims the next one. */
    private void comeBack(Life earlier) {
        Link first = links.get(0);
        if (earlier.number() == config.returns()) {
            throw new FabricException("Compute Node " + self + " has come back to cluster '" + config.cluster() + "' "
                    + config.returns() + " times and cannot do so again: " + ClusterSettings.RETURNS.names());
        } else if (isCutOffByAll(earlier)) {
            clearReasons();
            claim(first, earlier.number() + 1);
        } else { // again each time: a late request of another node, for an earlier life, may have replaced it
            LossKind kind = earlier.isKnown() ? LossKind.ENDED : LossKind.NEVER_JOINED;
            long request = new FenceRequest(earlier, kind).word();
            links.forEach(link -> memory.write(layout.fence(link.memoryNode(), self), request));
        }
    }

    private boolean isCutOffByAll(Life earlier) {
        return links.stream().allMatch(link -> MembershipWord.isCutOff(membership(link), earlier.number()));
    }

    /** The reason of the failure of an earlier life must not be that of this one. */
    private void clearReasons() {
        links.forEach(link -> memory.write(layout.reason(link.memoryNode(), self, 0), 0));
    }

    /** Repeated until it is noticed, since a WRITE of an earlier incarnation may have arrived after it. */
    private void claim(Link link, int number) {
        memory.write(layout.claim(link.memoryNode(), self), new Life(incarnation, number).word());
    }

    private void pause(Link link, Environment environment, long deadline) {
        boolean isLost = link.isLost();
        if (isLost || environment.nanoTime() - deadline > 0) {
            throw new NodeLostException(
                    link.memoryNode(),
                    isLost ? link.lossKind() : LossKind.UNREACHABLE,
                    "Memory Node " + link.memoryNode() + " did not answer when Compute Node " + self + " joined");
        }
        backoff.pause();
    }
}
