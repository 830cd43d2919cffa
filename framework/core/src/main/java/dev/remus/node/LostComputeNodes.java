package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.Link;
import dev.remus.fabric.NodeLostException;
import dev.remus.logging.Loggers;
import dev.remus.memory.SegmentLayout;
import java.util.List;
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

    /** A lost Compute Node. Its fields, except the first, belong to the thread that changes the state. */
    private static final class Lost {
        final NodeLostException reason;
        final boolean[] isAsked;
        final boolean[] hasCutOff;
        long since = NEVER;
        volatile Progress progress = Progress.DECLARED;

        Lost(NodeLostException reason, int links) {
            this.reason = reason;
            this.isAsked = new boolean[links];
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
        this.lost = new AtomicReferenceArray<>(config.computeNodes());
    }

    private @Nullable Lost find(int computeNode) {
        return lost.get(computeNode - config.firstComputeNode());
    }

    /** The reason of its loss; null if it is not known to be lost. */
    @Nullable
    NodeLostException reason(int computeNode) {
        Lost found = find(computeNode);
        return found == null ? null : found.reason;
    }

    /** Whether it is lost and cut off, so that what it held may be taken over. */
    boolean isCutOff(int computeNode) {
        Lost found = find(computeNode);
        return found != null && found.progress == Progress.CUT_OFF;
    }

    /** Whether it is lost, and some Memory Node has not cut it off within the loss time-out. */
    boolean isOverdue(int computeNode) {
        Lost found = find(computeNode);
        return found != null && found.progress == Progress.OVERDUE;
    }

    /** Declares a node lost, once. */
    void declare(int computeNode, NodeLostException reason) {
        lost.compareAndSet(computeNode - config.firstComputeNode(), null, new Lost(reason, links.size()));
    }

    /** Whether a node is lost and not cut off. */
    boolean isAnyToBeCutOff() {
        for (int i = 0; i < lost.length(); i++) {
            Lost found = lost.get(i);
            if (found != null && found.progress != Progress.CUT_OFF) {
                return true;
            }
        }
        return false;
    }

    /** A Memory Node has acknowledged that a node is cut off. */
    void seeCutOff(int computeNode, int link) {
        Lost found = find(computeNode);
        if (found != null) {
            found.hasCutOff[link] = true;
        }
    }

    /** Has the nodes cut off that are lost: asks the Memory Nodes that have not done it by themselves. */
    void advance(LongSupplier clock) {
        if (!isAnyToBeCutOff()) {
            return;
        }
        long now = clock.getAsLong();
        for (int node = config.firstComputeNode(); node <= config.lastComputeNode(); node++) {
            Lost found = find(node);
            if (found != null && found.progress != Progress.CUT_OFF) {
                advance(node, found, now);
            }
        }
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
        long incarnation = 0;
        boolean areAllRead = true;
        for (int i = 0; i < links.size() && incarnation == 0; i++) {
            boolean answersNow = answers.test(links.get(i));
            areAllRead &= answersNow || hasEnded.test(links.get(i).memoryNode());
            incarnation =
                    answersNow ? memory.read(layout.incarnation(links.get(i).memoryNode(), node)) : 0;
        }
        long request = new FenceRequest(incarnation, found.reason.kind()).word();
        for (int i = 0; i < links.size() && incarnation != 0; i++) {
            if (!found.isAsked[i] && !found.hasCutOff[i] && answers.test(links.get(i))) {
                memory.write(layout.fence(links.get(i).memoryNode(), node), request);
                found.isAsked[i] = true;
            }
        }
        return incarnation != 0 || !areAllRead;
    }
}
