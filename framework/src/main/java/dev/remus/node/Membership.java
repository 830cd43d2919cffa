package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Link;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.PeerState;
import dev.remus.fabric.RemoteMemory;
import dev.remus.logging.Loggers;
import dev.remus.memory.AddressSpace;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Who is alive, as one Compute Node sees it.
 *
 * <p>Each Memory Node watches the Compute Nodes and writes a membership word for each into its own memory. A Compute
 * Node looks at the words of the first Memory Node that is left, at its links, and at the loss words by which
 * a node that noticed a loss tells everybody. A thread of the Compute Node does that several times a second; all waiting looks at the result,
 * and under {@code --on-node-loss abort} so does every access to remote memory ({@link AddressSpace#abort}).
 */
final class Membership {
    private static final Logger LOG = Loggers.of(Membership.class);

    private final ClusterConfig config;
    private final int self;
    private final List<Link> links;
    private final RemoteMemory memory;
    private final AddressSpace space;
    private final String meaningOfLoss;
    private final SegmentLayout layout;
    private final AtomicReferenceArray<NodeLostException> lostMemoryNodes;
    private final AtomicReferenceArray<NodeLostException> lostComputeNodes;
    private volatile @Nullable NodeLostException loss;
    private boolean told;

    /**
     * @param memory for the use of whoever calls {@link #refresh}
     * @param meaningOfLoss that of the fabric
     */
    Membership(
            ClusterConfig config,
            int self,
            List<Link> links,
            RemoteMemory memory,
            AddressSpace space,
            String meaningOfLoss) {
        this.config = config;
        this.self = self;
        this.links = links;
        this.memory = memory;
        this.space = space;
        this.meaningOfLoss = meaningOfLoss;
        this.layout = new SegmentLayout(config);
        this.lostMemoryNodes = new AtomicReferenceArray<>(config.lastMemoryNode() + 1);
        this.lostComputeNodes = new AtomicReferenceArray<>(config.computeNodes());
    }

    /** Looks who is alive, and passes on what this node has noticed. Called by one thread at a time. */
    void refresh() {
        for (Link link : links) {
            int node = link.memoryNode();
            if (!isLost(node) && link.isLost()) {
                NodeLostException e = new NodeLostException(node, "Memory Node " + node + " is lost: " + meaningOfLoss);
                lostMemoryNodes.set(node, e);
                space.lose(node, e);
                notice(e);
            }
        }
        if (loss != null) {
            tellEverybody(loss.node());
        }
        boolean first = true;
        for (Link link : links) {
            if (!isLost(link.memoryNode())) {
                if (first) {
                    readMembership(link.memoryNode());
                    first = false;
                }
                readLossWord(link.memoryNode());
            }
        }
    }

    private void readLossWord(int memoryNode) {
        long word = memory.read(SegmentLayout.header(memoryNode, 0, SegmentHeader.LOSS));
        if (word == 0) {
            return;
        }
        if (!SegmentLayout.isLossWord(word, config)) {
            notice(new NodeLostException(memoryNode, SegmentLayout.describeDamagedLoss(memoryNode, word)));
            return;
        }
        int node = (int) word - 1;
        if (node == self || loss != null && !isNewlyLost(node)) {
            return;
        }
        NodeLostException e = new NodeLostException(node, name(node) + " is lost, as another node has noticed");
        if (config.isComputeNode(node)) { // it may have given up, and then its process goes on
            lostComputeNodes.compareAndSet(node - config.firstComputeNode(), null, e);
        }
        notice(e);
    }

    private boolean isNewlyLost(int node) {
        return config.isComputeNode(node) && lostComputeNodes.get(node - config.firstComputeNode()) == null;
    }

    private void readMembership(int memoryNode) {
        for (int node = config.firstComputeNode(); node <= config.lastComputeNode(); node++) {
            int i = node - config.firstComputeNode();
            if (node != self && lostComputeNodes.get(i) == null && state(memoryNode, node) == PeerState.LOST) {
                NodeLostException e =
                        new NodeLostException(node, "Compute Node " + node + " is lost: " + meaningOfLoss);
                lostComputeNodes.set(i, e);
                notice(e);
            }
        }
    }

    /** What a Memory Node thinks of a Compute Node. */
    private PeerState state(int memoryNode, int computeNode) {
        long word = memory.read(layout.membership(memoryNode, computeNode));
        return PeerState.values()[(int) word & 3];
    }

    /** Whether a Memory Node has noticed that this node has joined. */
    boolean joined(int memoryNode) {
        return state(memoryNode, self) == PeerState.JOINED;
    }

    /** Whether a Memory Node thinks that this node has come and gone. */
    boolean hasLeft(int memoryNode) {
        PeerState state = state(memoryNode, self);
        return state == PeerState.FINISHED || state == PeerState.LOST;
    }

    private String name(int node) {
        return config.isComputeNode(node) ? "Compute Node " + node : "Memory Node " + node;
    }

    /** A loss that this node sees for the first time, be it the first one or not. */
    private void notice(NodeLostException e) {
        LOG.info("Compute Node {}: {}", self, e.getMessage());
        report(e);
    }

    /**
     * Makes a loss known to this node's threads; the next {@link #refresh} tells all nodes. The first loss is the one that
     * everybody reports. May be called by any thread.
     */
    synchronized void report(NodeLostException e) {
        if (loss != null) {
            return;
        }
        loss = e;
        if (config.onNodeLoss() == OnNodeLoss.ABORT) {
            space.abort(e);
        }
    }

    private void tellEverybody(int lost) {
        if (told) {
            return;
        }
        FabricException failed = null;
        for (Link link : links) {
            if (!isLost(link.memoryNode())) {
                try {
                    memory.compareAndSwap(SegmentLayout.header(link.memoryNode(), 0, SegmentHeader.LOSS), 0, lost + 1L);
                } catch (FabricException e) {
                    failed = e; // the others are to know all the same
                }
            }
        }
        if (failed != null) {
            throw failed;
        }
        told = true;
    }

    /** For waiting in general: throws if a loss means the end of the run. */
    void check() {
        if (loss != null && config.onNodeLoss() == OnNodeLoss.ABORT) {
            throw new NodeLostException(loss);
        }
    }

    /** For waiting for everybody: throws if anybody is lost. */
    void checkAll() {
        if (loss != null) {
            throw new NodeLostException(loss);
        }
    }

    /** For waiting for one Compute Node: throws if that is lost. */
    void check(int computeNode) {
        check();
        NodeLostException lost = lostComputeNodes.get(computeNode - config.firstComputeNode());
        if (lost != null) {
            throw new NodeLostException(lost);
        }
    }

    /** Whether a loss has ended the run. */
    boolean isAborted() {
        return loss != null && config.onNodeLoss() == OnNodeLoss.ABORT;
    }

    /** Whether any node is known to be lost. */
    boolean isAnyLost() {
        return loss != null;
    }

    /** Whether a Compute Node is known to be lost. */
    boolean isLostComputeNode(int computeNode) {
        return lostComputeNodes.get(computeNode - config.firstComputeNode()) != null;
    }

    /** Whether a Memory Node is known to be lost. */
    boolean isLost(int memoryNode) {
        return lostMemoryNodes.get(memoryNode) != null;
    }
}
