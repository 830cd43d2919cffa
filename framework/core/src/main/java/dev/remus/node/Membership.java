// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Link;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.LossWord;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.PeerState;
import dev.remus.logging.Loggers;
import dev.remus.memory.AddressSpace;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The state of the other nodes, as one Compute Node has observed it.
 *
 * <p>Each Memory Node watches the Compute Nodes and writes a membership word for each into its own memory. A Compute
 * Node reads these words on the Memory Nodes that are not lost, one after the other. It also checks its links and reads
 * the loss words, by which a node that detects a loss informs all others. It has lost Compute Nodes cut off ({@link
 * LostComputeNodes}). If it finds itself declared lost, it changes nothing more. One thread of the Compute Node does
 * this several times a second. Every wait checks the result and, under {@code --on-node-loss abort}, so does every
 * access to remote memory ({@link AddressSpace#abort}).
 */
final class Membership {
    private static final Logger LOG = Loggers.of(Membership.class);

    private final ClusterConfig config;
    private final int self;
    private final List<Link> links;
    private final BlockingOperations memory;
    private final AddressSpace space;
    private final SegmentLayout layout;
    private final AtomicReferenceArray<NodeLostException> lostMemoryNodes;
    private final LostComputeNodes lostComputeNodes;

    /** By node id. */
    private final Heartbeats heartbeats;

    private long ownHeartbeat;

    /** The number of the link whose Memory Node's words are read next. */
    private int toAsk;

    /** Whether this is the first {@link #refresh}. */
    private boolean isFirst = true;

    private volatile @Nullable NodeLostException loss;
    private boolean published;

    /** The number of this node's life. */
    private volatile int ownLife;

    /** The reason of this node's failure; null while it has not failed. */
    private volatile @Nullable String reason;

    /** Whether the reason has been stored on a Memory Node, by the number of its link. */
    private final boolean[] reasonStored;

    /** @param memory for the thread that calls {@link #refresh} */
    Membership(ClusterConfig config, int self, List<Link> links, BlockingOperations memory, AddressSpace space) {
        this.config = config;
        this.self = self;
        this.links = links;
        this.memory = memory;
        this.space = space;
        this.layout = new SegmentLayout(config);
        this.reasonStored = new boolean[links.size()];
        this.lostMemoryNodes = new AtomicReferenceArray<>(config.lastMemoryNode() + 1);
        this.lostComputeNodes = new LostComputeNodes(config, self, links, memory, this::hasEnded, this::answers);
        this.heartbeats = new Heartbeats(IntStream.rangeClosed(0, config.highestNode())
                .mapToObj(node -> LossExceptions.name(node, config))
                .toArray(String[]::new));
    }

    /**
     * Reads the state of the other nodes, and publishes a loss that this node has detected. Called by one thread at a
     * time.
     *
     * @param clock the time on this node, in nanoseconds
     */
    void refresh(LongSupplier clock) {
        for (Link link : links) {
            int node = link.memoryNode();
            if (link.isCutOff()) {
                report(cutOffBy(node));
            } else if (!isLost(node) && link.isLost()) {
                NodeLostException e = LossExceptions.ofMemoryNode(node, link.lossKind(), config.lossTimeout());
                lostMemoryNodes.set(node, e);
                space.lose(node, e);
                notice(e);
            }
        }
        NodeLostException first = loss; // before the reason is stored: a failure sets its reason first
        storeReason();
        FabricException failed = publishLoss(first);
        int next = nextToAsk();
        for (int i = 0; i < links.size(); i++) {
            if (answers(links.get(i))) {
                try {
                    if (i == next || lostComputeNodes.isAnyToBeCutOff()) {
                        readMembership(i);
                    }
                    readLossWord(links.get(i).memoryNode());
                } catch (FabricException e) {
                    failed = failed == null ? e : failed; // a broken lane to one must not hold up the others
                }
            }
        }
        isFirst = false;
        FabricException notAsked = lostComputeNodes.advance(clock);
        failed = failed == null ? notAsked : failed;
        if (failed != null) {
            throw failed;
        }
    }

    /** The number of the link to the Memory Node whose words are to be read now; that of no link if none answers. */
    private int nextToAsk() {
        for (int i = 0; i < links.size(); i++) {
            int link = (toAsk + i) % links.size();
            if (answers(links.get(link))) {
                toAsk = link + 1;
                return link;
            }
        }
        return links.size();
    }

    /** Whether a Memory Node can be asked: one that is unreachable must not hold up the others. */
    private boolean answers(Link link) {
        return !isLost(link.memoryNode()) && link.isReachable();
    }

    /**
     * Writes this node's heartbeat and reads those of the others. To be called about once a second, like {@link
     * #refresh}.
     */
    void exchangeHeartbeats(long now) {
        long own = ++ownHeartbeat;
        heartbeats.begin(now);
        boolean first = true;
        FabricException failed = null;
        for (Link link : links) {
            if (answers(link)) {
                try {
                    exchangeHeartbeats(link.memoryNode(), own, first, now);
                    first = false;
                } catch (FabricException e) {
                    failed = failed == null ? e : failed; // the other Memory Nodes get theirs all the same
                }
            }
        }
        if (failed != null) {
            throw failed;
        }
    }

    private void exchangeHeartbeats(int memoryNode, long own, boolean ofComputeNodesToo, long now) {
        memory.write(layout.heartbeat(memoryNode, self), own);
        if (!config.isComputeNode(memoryNode)) {
            see(memoryNode, memory.read(layout.heartbeat(memoryNode)), now);
        }
        if (ofComputeNodesToo) {
            readHeartbeatsOfComputeNodes(memoryNode, now);
        }
    }

    private void readHeartbeatsOfComputeNodes(int memoryNode, long now) {
        for (int node = config.firstComputeNode(); node <= config.lastComputeNode(); node++) {
            if (node != self) {
                boolean counts = MembershipWord.state(word(memoryNode, node)) == PeerState.JOINED
                        && lostComputeNodes.reason(node) == null;
                see(node, counts ? memory.read(layout.heartbeat(memoryNode, node)) : 0, now);
            }
        }
    }

    private void see(int node, long heartbeat, long now) {
        heartbeats.see(node, heartbeat, now).ifPresent(report -> LOG.warn("Compute Node {}: {}", self, report));
    }

    private void readLossWord(int memoryNode) {
        long word = memory.read(SegmentLayout.header(memoryNode, 0, SegmentHeader.LOSS));
        if (word == 0) {
            return;
        }
        if (!LossWord.isValid(word, config)) {
            notice(new NodeLostException(memoryNode, LossWord.describeDamaged(memoryNode, word)));
            return;
        }
        int node = LossWord.node(word);
        boolean hasComeBack = config.isComputeNode(node) && lostComputeNodes.life(node) > 0;
        if (node == self || hasComeBack || loss != null && !isNewlyLost(node)) {
            return;
        }
        NodeLostException e = lost(node, LossWord.kind(word), reason(memoryNode, node));
        if (config.isComputeNode(node)) { // if it failed by itself, its process goes on
            lostComputeNodes.declare(node, e);
        }
        notice(e);
    }

    private boolean isNewlyLost(int node) {
        return config.isComputeNode(node) && lostComputeNodes.reason(node) == null;
    }

    private void readMembership(int link) {
        int memoryNode = links.get(link).memoryNode();
        for (int node = config.firstComputeNode(); node <= config.lastComputeNode(); node++) {
            boolean hasJustJoined = node == self && isFirst;
            boolean isGoneForGood = config.returns() == 0 && lostComputeNodes.isCutOff(node);
            if (!hasJustJoined && !isGoneForGood) {
                seeMembership(node, word(memoryNode, node), link);
            }
        }
    }

    /** Memory Nodes learn at different times that a node has come back, so a word about an earlier life may be late. */
    private void seeMembership(int node, long word, int link) {
        int life = MembershipWord.life(word);
        if (node != self) {
            lostComputeNodes.seeLife(node, life);
        }
        if (life < (node == self ? ownLife : lostComputeNodes.life(node))) {
            return;
        }
        if (MembershipWord.state(word) == PeerState.LOST) {
            seeLost(node, word, links.get(link).memoryNode());
        }
        if (MembershipWord.isCutOff(word)) {
            lostComputeNodes.seeCutOff(node, link);
        }
    }

    private void seeLost(int node, long word, int memoryNode) {
        if (node == self) {
            report(LossExceptions.ofThisNode(self, MembershipWord.kind(word), memoryNode));
        } else if (lostComputeNodes.reason(node) == null) {
            NodeLostException e = lost(node, MembershipWord.kind(word), reason(memoryNode, node));
            lostComputeNodes.declare(node, e);
            notice(e);
        }
    }

    /** The exception for this node's threads if a Memory Node has cut off this node. */
    private NodeLostException cutOffBy(int memoryNode) {
        return LossExceptions.ofThisNode(self, LossKind.UNREACHABLE, memoryNode);
    }

    /** Throws if a Memory Node has cut off this node, at the other end of a link. */
    void checkNotCutOff(Link link) {
        if (link.isCutOff()) {
            NodeLostException e = cutOffBy(link.memoryNode());
            report(e);
            throw e;
        }
    }

    private NodeLostException lost(int node, LossKind kind, String why) {
        return LossExceptions.of(node, kind, why, config);
    }

    private String reason(int memoryNode, int node) {
        return config.isComputeNode(node)
                ? FailureReason.text(word -> memory.read(layout.reason(memoryNode, node, word)))
                : "";
    }

    private long word(int memoryNode, int computeNode) {
        return memory.read(layout.membership(memoryNode, computeNode));
    }

    /** This node has joined all Memory Nodes, with the life of this number. */
    void begin(int life) {
        ownLife = life;
        lostComputeNodes.seeLife(self, life); // its own earlier threads are lost
    }

    /** Throws if, on a Memory Node, this node counts as one that never joined, or as one that has left. */
    void checkExpected(int memoryNode) {
        long word = word(memoryNode, self);
        PeerState state = MembershipWord.state(word);
        if (state == PeerState.LOST && MembershipWord.kind(word) == LossKind.NEVER_JOINED) {
            throw new NodeLostException(
                    self,
                    LossKind.NEVER_JOINED,
                    "Compute Node " + self + " joined too late: the other nodes of cluster '" + config.cluster()
                            + "' had given it up, since it had not joined within its "
                            + ClusterSettings.CONNECT_TIMEOUT.names());
        }
        if (state == PeerState.FINISHED || state == PeerState.LOST) {
            throw new FabricException("Compute Node " + self + " has been part of this run of cluster '"
                    + config.cluster() + "' before and has left it: it cannot join again");
        }
    }

    /** Reports a loss that this node detects, whether it is the first or a later one. */
    private void notice(NodeLostException e) {
        LOG.info("Compute Node {}: {}", self, e.getMessage());
        report(e);
    }

    /**
     * Reports a loss to this node's threads. The next {@link #refresh} publishes it to all nodes. All nodes report the
     * first loss, except that a node which others declared lost reports that. May be called by any thread.
     */
    synchronized void report(NodeLostException e) {
        NodeLostException before = loss;
        if (before != null && (!isDeclaredLost(e) || isDeclaredLost(before))) {
            return;
        }
        loss = e;
        if (endsThisNode(e)) {
            space.abort(e);
        }
    }

    private boolean endsThisNode(@Nullable NodeLostException e) {
        return e != null && (config.onNodeLoss() == OnNodeLoss.ABORT || isDeclaredLost(e));
    }

    /** Whether others have declared this node lost, and it has not failed by itself. */
    private boolean isDeclaredLost(NodeLostException e) {
        return e.node() == self && e.kind() != LossKind.FAILED;
    }

    /**
     * Declares that this node has failed. The next {@link #refresh} stores the reason where the other nodes can read
     * it. May be called by any thread.
     *
     * @return the exception for its own threads
     */
    NodeLostException fail(String why) {
        NodeLostException e = lost(self, LossKind.FAILED, why);
        reason = why;
        report(e);
        return e;
    }

    /** If a Memory Node cannot be written, the next {@link #refresh} tries again. */
    private void storeReason() {
        String why = reason;
        if (why == null) {
            return;
        }
        long[] words = FailureReason.words(why);
        for (int i = 0; i < reasonStored.length; i++) {
            int memoryNode = links.get(i).memoryNode();
            if (!reasonStored[i] && answers(links.get(i))) {
                reasonStored[i] = storeReason(memoryNode, words);
            }
        }
    }

    /**
     * Writes the last word first, since a reader regards the text as complete once it finds the first word. Returns
     * whether all words are stored.
     */
    private boolean storeReason(int memoryNode, long[] words) {
        try {
            for (int i = words.length - 1; i >= 0; i--) {
                memory.write(layout.reason(memoryNode, self, i), words[i]);
            }
            return true;
        } catch (FabricException e) {
            LOG.debug("Compute Node {} cannot store the reason of its failure on Memory Node {}", self, memoryNode, e);
            return false;
        }
    }

    /** Returns the failure if a Memory Node could not be informed: the next {@link #refresh} tries again. */
    private @Nullable FabricException publishLoss(@Nullable NodeLostException first) {
        if (first == null || published) {
            return null;
        }
        FabricException failed = null;
        boolean toAll = true;
        for (Link link : links) {
            toAll &= answers(link) || isLost(link.memoryNode());
            if (answers(link)) {
                try {
                    long word = SegmentLayout.header(link.memoryNode(), 0, SegmentHeader.LOSS);
                    memory.compareAndSwap(word, 0, LossWord.of(first.node(), first.kind()));
                } catch (FabricException e) {
                    failed = e; // the other Memory Nodes must be informed all the same
                }
            }
        }
        published = toAll && failed == null;
        return failed;
    }

    /** For any wait: throws if a loss has ended the run. */
    void check() {
        NodeLostException first = loss;
        if (first != null && endsThisNode(first)) {
            throw new NodeLostException(first);
        }
    }

    /** For a wait for all threads: throws if any node is lost. */
    void checkAll() {
        if (loss != null) {
            throw new NodeLostException(loss);
        }
    }

    /** For a wait for one thread: throws if its node is lost. */
    void check(int thread) {
        check();
        NodeLostException lost =
                lostComputeNodes.reason(ThreadIds.node(config, thread), ThreadIds.life(config, thread));
        if (lost != null) {
            throw new NodeLostException(lost);
        }
    }

    /** Whether a loss has ended the run, or this node's part in it. */
    boolean isAborted() {
        return endsThisNode(loss);
    }

    /** The loss of this node itself, if others have declared it lost; else null. */
    @Nullable
    NodeLostException ownLoss() {
        NodeLostException first = loss;
        return first != null && isDeclaredLost(first) ? first : null;
    }

    /** Whether any node is known to be lost, or to have been. */
    boolean isAnyLost() {
        return loss != null || lostComputeNodes.hasAnyComeBack();
    }

    /** Whether the node of a thread is known to be lost, and is cut off. */
    boolean isCutOff(int thread) {
        return lostComputeNodes.isCutOff(ThreadIds.node(config, thread), ThreadIds.life(config, thread));
    }

    /** Whether the node of a thread is known to be lost, and was not cut off in time. */
    boolean isCutOffOverdue(int thread) {
        return lostComputeNodes.isOverdue(ThreadIds.node(config, thread), ThreadIds.life(config, thread));
    }

    private boolean hasEnded(int memoryNode) {
        NodeLostException reason = lostMemoryNodes.get(memoryNode);
        return reason != null && reason.kind() == LossKind.ENDED;
    }

    /** Whether a Memory Node is known to be lost. */
    boolean isLost(int memoryNode) {
        return lostMemoryNodes.get(memoryNode) != null;
    }
}
