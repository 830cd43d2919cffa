// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Link;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.NodeLostException;
import dev.remus.logging.Loggers;
import dev.remus.memory.SegmentLayout;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The other Compute Nodes that are lost, as one Compute Node has observed it, and how far they are cut off ({@link
 * Fence}).
 *
 * <pre>
 *                                                     loss time-out is over
 *  JOINED --- declared lost ---&gt; DECLARED, still to be cut off -------------&gt; OVERDUE
 *                                     |                                        |
 *                                     +-----&gt; CUT_OFF by every Memory Node &lt;---+
 * </pre>
 *
 * <p>Only what a node that is CUT_OFF held may be taken over: until then its last requests may arrive. A Memory Node
 * whose process has ended does not count. One that has only become unreachable from here counts, since other nodes may
 * use what this one takes over and passes on.
 *
 * <p>A node that comes back has a later {@link Life}. Once a Memory Node shows that, every earlier one is CUT_OFF by
 * all: the node has seen to that before it claimed the later one. So it does not matter whether this node has ever
 * noticed that the earlier one was lost.
 *
 * <p>One thread changes the state, and any thread may read it.
 */
final class LostComputeNodes {
    private static final Logger LOG = Loggers.of(LostComputeNodes.class);

    private static final long NEVER = Long.MIN_VALUE;

    /** How far a lost Compute Node is cut off. */
    private enum Progress {
        DECLARED,
        OVERDUE,
        CUT_OFF
    }

    /** A lost Compute Node. Its fields, except the final ones, belong to the thread that changes the state. */
    private static final class Lost {
        final int life;
        final NodeLostException reason;
        final boolean[] hasCutOff;
        long since = NEVER;
        volatile Progress progress = Progress.DECLARED;

        Lost(int life, NodeLostException reason, int links) {
            this.life = life;
            this.reason = reason;
            this.hasCutOff = new boolean[links];
        }
    }

    private final ClusterConfig config;
    private final int self;
    private final List<Link> links;
    private final BlockingOperations memory;
    private final SegmentLayout layout;
    private final IntPredicate hasEnded;
    private final Predicate<Link> answers;

    /** The number of the latest known life of each node. */
    private final AtomicIntegerArray lives;

    private volatile boolean hasAnyComeBack;

    /** Of the last {@link #advance}; null if every Memory Node could be asked. */
    private @Nullable FabricException failure;

    /** How the latest known life of a node, or an earlier one, was lost. */
    private final AtomicReferenceArray<Lost> lost;

    /**
     * None is lost yet.
     *
     * @param self this node
     * @param memory for the thread that changes the state
     * @param hasEnded whether the process of a Memory Node is known to have ended
     * @param answers whether a Memory Node can be asked now
     */
    LostComputeNodes(
            ClusterConfig config,
            int self,
            List<Link> links,
            BlockingOperations memory,
            IntPredicate hasEnded,
            Predicate<Link> answers) {
        this.config = config;
        this.self = self;
        this.links = links;
        this.memory = memory;
        this.layout = new SegmentLayout(config);
        this.hasEnded = hasEnded;
        this.answers = answers;
        this.lives = new AtomicIntegerArray(config.computeNodes());
        this.lost = new AtomicReferenceArray<>(config.computeNodes());
    }

    /** The number of the latest known life of a node. */
    int life(int computeNode) {
        return lives.get(computeNode - config.firstComputeNode());
    }

    /** Whether any node has come back. */
    boolean hasAnyComeBack() {
        return hasAnyComeBack;
    }

    /** A Memory Node has let in a life of a node, or has cut it off. */
    void seeLife(int computeNode, int life) {
        if (life > life(computeNode)) {
            lives.set(computeNode - config.firstComputeNode(), life);
            hasAnyComeBack = true;
            LOG.info("Compute Node {}: Compute Node {} has come back", self, computeNode);
        }
    }

    /** How a life of a node was lost; null if it is not known to be lost. */
    private @Nullable Lost find(int computeNode, int life) {
        Lost found = lost.get(computeNode - config.firstComputeNode());
        return found != null && found.life == life ? found : null;
    }

    private @Nullable Lost find(int computeNode) {
        return find(computeNode, life(computeNode));
    }

    /** The reason of the loss of its latest known life; null if that is not known to be lost. */
    @Nullable
    NodeLostException reason(int computeNode) {
        Lost found = find(computeNode);
        return found == null ? null : found.reason;
    }

    /** The reason of the loss of a life; null if it is not known to be lost. */
    @Nullable
    NodeLostException reason(int computeNode, int life) {
        Lost found = find(computeNode, life);
        if (found != null) {
            return found.reason;
        }
        return life < life(computeNode) ? LossExceptions.of(computeNode, LossKind.ENDED, "", config) : null;
    }

    /** Whether its latest known life is lost and cut off. */
    boolean isCutOff(int computeNode) {
        return isCutOff(computeNode, life(computeNode));
    }

    /** Whether a life of it is lost and cut off, so that what it held may be taken over. */
    boolean isCutOff(int computeNode, int life) {
        Lost found = find(computeNode, life);
        return found != null && found.progress == Progress.CUT_OFF || life < life(computeNode);
    }

    /** Whether a life of it is lost, and some Memory Node has not cut it off within the loss time-out. */
    boolean isOverdue(int computeNode, int life) {
        Lost found = find(computeNode, life);
        return found != null && found.progress == Progress.OVERDUE && life >= life(computeNode);
    }

    /** Declares the latest known life of a node lost, once. */
    void declare(int computeNode, NodeLostException reason) {
        if (find(computeNode) == null) {
            lost.set(computeNode - config.firstComputeNode(), new Lost(life(computeNode), reason, links.size()));
        }
    }

    /** Whether a node is lost and not cut off. */
    boolean isAnyToBeCutOff() {
        for (int node = config.firstComputeNode(); node <= config.lastComputeNode(); node++) {
            Lost found = find(node);
            if (found != null && found.progress != Progress.CUT_OFF) {
                return true;
            }
        }
        return false;
    }

    /** A Memory Node has acknowledged that the latest known life of a node is cut off. */
    void seeCutOff(int computeNode, int link) {
        Lost found = find(computeNode);
        if (found != null) {
            found.hasCutOff[link] = true;
        }
    }

    /**
     * Has the nodes cut off that are lost: asks the Memory Nodes that have not done it by themselves. If one cannot
     * be asked now, the others are asked all the same, and the failure is returned.
     */
    @Nullable
    FabricException advance(LongSupplier clock) {
        if (!isAnyToBeCutOff()) {
            return null;
        }
        failure = null;
        long now = clock.getAsLong();
        for (int node = config.firstComputeNode(); node <= config.lastComputeNode(); node++) {
            Lost found = find(node);
            if (found != null && found.progress != Progress.CUT_OFF) {
                advance(node, found, now);
            }
        }
        return failure;
    }

    private void advance(int node, Lost found, long now) {
        found.since = found.since == NEVER ? now : found.since;
        boolean isOff = true;
        for (int i = 0; i < links.size(); i++) {
            isOff &= found.hasCutOff[i] || hasEnded.test(links.get(i).memoryNode());
        }
        if (isOff || !ask(node, found)) {
            found.progress = Progress.CUT_OFF;
            LOG.info("Compute Node {}: Compute Node {} is cut off", self, node);
        } else if (found.progress == Progress.DECLARED
                && now - found.since >= config.lossTimeout().toNanos()) {
            found.progress = Progress.OVERDUE;
            LOG.info(
                    "Compute Node {}: Compute Node {} is lost and not cut off yet, so nothing that it held is taken over",
                    self,
                    node);
        }
    }

    /** Returns false if there is nothing to cut off, because the node has never joined any Memory Node. */
    private boolean ask(int node, Lost found) {
        Life lostLife = Life.UNKNOWN;
        boolean areAllRead = true;
        for (int i = 0; i < links.size() && !lostLife.isKnown(); i++) {
            Life shown = answers.test(links.get(i)) ? readLife(links.get(i).memoryNode(), node) : null;
            areAllRead &= shown != null || hasEnded.test(links.get(i).memoryNode());
            Life read = shown == null ? Life.UNKNOWN : shown;
            lostLife = read.number() == found.life ? read : Life.UNKNOWN;
            areAllRead &= read.number() <= found.life; // or it has come back, as membership shows next
        }
        long request = new FenceRequest(lostLife, found.reason.kind()).word();
        for (int i = 0; i < links.size() && lostLife.isKnown(); i++) {
            if (!found.hasCutOff[i] && answers.test(links.get(i))) {
                askFor(links.get(i).memoryNode(), node, request);
            }
        }
        return lostLife.isKnown() || !areAllRead;
    }

    /** Again each time: a late request of another node, for an earlier life, may have replaced it. */
    private void askFor(int memoryNode, int computeNode, long request) {
        try {
            memory.write(layout.fence(memoryNode, computeNode), request);
        } catch (FabricException e) {
            failure = e;
        }
    }

    /** Null if the Memory Node could not be read. */
    private @Nullable Life readLife(int memoryNode, int computeNode) {
        try {
            return Life.of(memory.read(layout.incarnation(memoryNode, computeNode)));
        } catch (FabricException e) {
            failure = e;
            return null;
        }
    }
}
