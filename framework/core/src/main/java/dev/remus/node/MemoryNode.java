// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.Environment;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.LossWord;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.PeerState;
import dev.remus.logging.Loggers;
import dev.remus.memory.ClusterWord;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A process's part of the cluster that offers memory. It is passive: it reserves its segments, keeps a membership word
 * for each Compute Node, cuts off those that are lost, and waits until all have finished.
 *
 * <pre>{@code
 * try (MemoryNode node = MemoryNode.start(config, 0)) {
 *     node.awaitFinished();
 * }
 * }</pre>
 *
 * <p>Any thread may call its methods.
 */
public final class MemoryNode implements AutoCloseable {
    private static final Logger LOG = Loggers.of(MemoryNode.class);

    private static final long WATCH_WHILE_JOINING_NANOS = 10_000_000;
    private static final long WATCH_NANOS = 100_000_000;
    private static final long HEARTBEAT_NANOS = 1_000_000_000;
    private static final long NOTICE_NANOS = 1_000_000_000;

    /** The time for the survivors of a loss to read which node was lost, before the memory goes. */
    private static final long FAREWELL_NANOS = 3_000_000_000L;

    private final ClusterConfig config;
    private final int id;
    private final MemoryEndpoint endpoint;
    private final SegmentLayout layout;
    private final PeerState[] peers;

    /** How each Compute Node was lost, if it was. Used by the watch alone. */
    private final LossKind[] kinds;

    private final Fence fence;
    private final Environment environment;
    private final long start;
    private final Environment.Task watch;

    /** Whether nodes exchange heartbeats. */
    private final boolean exchangesHeartbeats;

    /** By the number of the Compute Node. Used by the watch alone, as is {@link #ownHeartbeat}. */
    private final Heartbeats heartbeats;

    private long ownHeartbeat;

    /** All losses, each node once. */
    private final List<NodeLostException> losses = new CopyOnWriteArrayList<>();

    /** The Compute Nodes that have come back: the word about the first loss may be about an earlier life. */
    private final Set<Integer> cameBack = ConcurrentHashMap.newKeySet();

    /** The first loss. */
    private volatile @Nullable NodeLostException loss;

    private volatile boolean closing;

    private MemoryNode(ClusterConfig config, int id, Fabric fabric) {
        if (!config.isMemoryNode(id)) {
            throw new IllegalArgumentException("node " + id + " is not a Memory Node: those are "
                    + config.firstMemoryNode() + " to " + config.lastMemoryNode());
        }
        this.config = config;
        this.id = id;
        this.layout = new SegmentLayout(config);
        this.peers = new PeerState[config.computeNodes()];
        Arrays.fill(peers, PeerState.ABSENT);
        this.kinds = new LossKind[peers.length];
        Arrays.fill(kinds, LossKind.ENDED);
        this.environment = fabric.environment();
        this.exchangesHeartbeats = fabric.exchangesHeartbeats();
        this.heartbeats = new Heartbeats(IntStream.rangeClosed(config.firstComputeNode(), config.lastComputeNode())
                .mapToObj(node -> LossExceptions.name(node, config))
                .toArray(String[]::new));
        this.start = environment.nanoTime();
        this.endpoint = fabric.openMemory(config, id);
        this.fence = new Fence(config, endpoint);
        try {
            for (int s = 0; s < config.segmentsPerNode(); s++) {
                endpoint.set(s, SegmentHeader.MAGIC, SegmentHeader.MAGIC_AND_VERSION);
                endpoint.set(s, SegmentHeader.SIZE, config.segmentBytes());
                endpoint.set(s, SegmentHeader.END, layout.end(s));
                endpoint.set(s, SegmentHeader.ALLOCATED, SegmentHeader.BYTES);
            }
            endpoint.set(0, RdmaPtr.offset(layout.cluster(id)), ClusterWord.of(config));
            endpoint.set(0, RdmaPtr.offset(layout.returns(id)), config.returns());
            endpoint.set(0, RdmaPtr.offset(layout.heartbeat(id)), ++ownHeartbeat);
            endpoint.publish();
            LOG.debug(
                    "{} of cluster '{}' offers {} segments of {} bytes",
                    this,
                    config.cluster(),
                    config.segmentsPerNode(),
                    config.segmentBytes());
        } catch (RuntimeException | Error e) {
            endpoint.close();
            throw e;
        }
        this.watch = environment.start("remus-memory-" + id, true, this::watch);
    }

    /**
     * Reserves this node's segments and lets Compute Nodes connect.
     *
     * @param id this node's id, one of the configuration's Memory Nodes
     * @throws IllegalArgumentException if the id is none of them
     * @throws FabricException if there is not enough memory, or this node is already running
     */
    public static MemoryNode start(ClusterConfig config, int id) {
        return start(config, id, Fabric.of(config));
    }

    /** Starts the node on a given fabric, which is not looked up by name. */
    public static MemoryNode start(ClusterConfig config, int id, Fabric fabric) {
        return new MemoryNode(config, id, fabric);
    }

    /** This node's id. */
    public int id() {
        return id;
    }

    /**
     * The number of bytes of a segment that threads have taken to allocate blocks, including its header. Not after
     * {@link #close}.
     *
     * @param segment the segment's number, from 0
     */
    public long allocated(int segment) {
        return Math.min(layout.end(segment), endpoint.get(segment, SegmentHeader.ALLOCATED));
    }

    private void watch() {
        long beatAt = environment.nanoTime();
        long noticeAt = beatAt - NOTICE_NANOS;
        Optional<Consumer<String>> board = endpoint.noticeBoard();
        while (!closing) {
            try {
                look();
                long now = environment.nanoTime();
                if (exchangesHeartbeats && now - beatAt >= HEARTBEAT_NANOS) {
                    beatAt = now;
                    exchangeHeartbeats(now);
                }
                if (board.isPresent() && now - noticeAt >= NOTICE_NANOS) {
                    noticeAt = now;
                    putUpNotice(board.get(), now);
                }
            } catch (RuntimeException e) {
                if (!closing) {
                    lose(new NodeLostException(
                            id,
                            LossKind.FAILED,
                            "Memory Node " + id + " failed: it can no longer watch the others: " + e));
                }
                return;
            }
            boolean joining = Arrays.asList(peers).contains(PeerState.ABSENT);
            environment.sleep(joining ? WATCH_WHILE_JOINING_NANOS : WATCH_NANOS);
        }
    }

    private void putUpNotice(Consumer<String> board, long now) {
        try {
            board.accept(MemoryNotice.text(now, config, endpoint, layout, peers, losses));
        } catch (RuntimeException e) {
            // nothing depends on it, and the next attempt may succeed
        }
    }

    /** Checks every Compute Node, writes changes to its membership word, and cuts it off once it is lost. */
    private void look() {
        boolean isTooLate =
                environment.nanoTime() - start > config.connectTimeout().toNanos();
        List<Integer> absent = new ArrayList<>();
        for (int i = 0; i < peers.length; i++) {
            int node = config.firstComputeNode() + i;
            PeerState before = peers[i];
            boolean isGone = before == PeerState.LOST || before == PeerState.FINISHED;
            if (isGone && config.returns() > 0 && fence.isUp(node) && fence.admit(node)) {
                welcomeBack(i);
            }
            if (before == PeerState.ABSENT || before == PeerState.JOINED) {
                PeerState now = stateOf(i);
                if (now == PeerState.ABSENT && isTooLate) {
                    absent.add(node);
                } else if (now == PeerState.LOST) { // published before it counts as lost
                    lose(LossExceptions.of(node, kinds[i], reason(node), config));
                }
                if (now != before) {
                    note(i, now);
                }
            }
        }
        if (!absent.isEmpty()) {
            lose(LossExceptions.neverJoined(absent, config));
            absent.forEach(node -> add(LossExceptions.neverJoined(List.of(node), config)));
            for (int node : absent) {
                kinds[node - config.firstComputeNode()] = LossKind.NEVER_JOINED;
                note(node - config.firstComputeNode(), PeerState.LOST);
            }
        }
        lookAtLossWord();
        cutOffLost();
    }

    /** A Compute Node has come back after it was lost or had left, and was cut off, or has come late. */
    private void welcomeBack(int peer) {
        int node = config.firstComputeNode() + peer;
        kinds[peer] = LossKind.ENDED;
        synchronized (this) {
            losses.removeIf(e -> e.node() == node && e.kind() == LossKind.NEVER_JOINED);
        }
        cameBack.add(node);
        note(peer, PeerState.JOINED);
        LOG.info("{}: Compute Node {} has come back", this, node);
    }

    /** The state of a Compute Node. One that another node declares lost is lost, even if it seems to be well here. */
    private PeerState stateOf(int i) {
        int node = config.firstComputeNode() + i;
        PeerState seen = endpoint.peer(node);
        Optional<LossKind> declared = fence.requested(node);
        boolean isDeclared = declared.isPresent() && seen != PeerState.FINISHED;
        if (isDeclared) {
            return lost(i, seen == PeerState.LOST ? endpoint.lossOf(node) : declared.orElseThrow());
        } else if (peers[i] == PeerState.JOINED && fence.isReplaced(node)) {
            if (config.returns() > 0) {
                return lost(i, LossKind.ENDED);
            }
            fence.adopt(node);
        }
        boolean isNew = peers[i] == PeerState.ABSENT && seen != PeerState.FINISHED && seen != PeerState.ABSENT;
        if (isNew && !fence.announce(node) && (seen == PeerState.JOINED || config.returns() > 0)) {
            return PeerState.ABSENT;
        }
        return seen == PeerState.LOST ? lost(i, endpoint.lossOf(node)) : seen;
    }

    private PeerState lost(int i, LossKind kind) {
        kinds[i] = reason(config.firstComputeNode() + i).isEmpty() ? kind : LossKind.FAILED;
        return PeerState.LOST;
    }

    private void cutOffLost() {
        for (int i = 0; i < peers.length; i++) {
            int node = config.firstComputeNode() + i;
            boolean isLost = peers[i] == PeerState.LOST || fence.requested(node).isPresent();
            if (isLost && fence.isToBeRaised(node) && fence.raise(node)) {
                note(i, peers[i]);
                LOG.info("{}: Compute Node {} is cut off: nothing of it arrives here any more", this, node);
            }
        }
    }

    /** The reason of a Compute Node's failure; empty if it has stored none. */
    private String reason(int node) {
        return FailureReason.text(word -> endpoint.get(0, RdmaPtr.offset(layout.reason(id, node, word))));
    }

    private synchronized void lose(NodeLostException e) {
        LOG.info("{}: {}", this, e.getMessage());
        add(e);
        if (loss == null) {
            loss = e;
        }
    }

    /** Adds a loss, unless the node is known to be lost. */
    private synchronized void add(NodeLostException e) {
        if (losses.stream().noneMatch(other -> other.node() == e.node())) {
            losses.add(e);
        }
    }

    private void exchangeHeartbeats(long now) {
        endpoint.set(0, RdmaPtr.offset(layout.heartbeat(id)), ++ownHeartbeat);
        heartbeats.begin(now);
        for (int i = 0; i < peers.length; i++) {
            int node = config.firstComputeNode() + i;
            boolean counts = peers[i] == PeerState.JOINED && node != id;
            long heartbeat = counts ? endpoint.get(0, RdmaPtr.offset(layout.heartbeat(id, node))) : 0;
            heartbeats.see(i, heartbeat, now).ifPresent(report -> LOG.warn("{}: {}", this, report));
            long silent = heartbeats.silentNanos(i, now);
            if (counts && isToBeKilled(silent) && endpoint.kill(node)) {
                LOG.warn(
                        "{}: Compute Node {} has been silent for {} s, and its process is killed: {}",
                        this,
                        node,
                        silent / 1_000_000_000,
                        ClusterSettings.KILL_SILENT.names());
            }
        }
    }

    private boolean isToBeKilled(long silentNanos) {
        return !config.killSilent().isZero()
                && silentNanos >= config.killSilent().toNanos();
    }

    private void lookAtLossWord() {
        long word = endpoint.get(0, SegmentHeader.LOSS);
        if (word == 0) {
            return;
        }
        if (!LossWord.isValid(word, config)) {
            if (loss == null) {
                lose(new NodeLostException(id, LossWord.describeDamaged(id, word)));
            }
            return;
        }
        int node = LossWord.node(word);
        if (losses.stream().noneMatch(known -> known.node() == node) && !cameBack.contains(node)) {
            String reason = config.isComputeNode(node) ? reason(node) : "";
            lose(LossExceptions.of(node, LossWord.kind(word), reason, config));
        }
    }

    private void note(int peer, PeerState state) {
        int node = config.firstComputeNode() + peer;
        long word = MembershipWord.of(state, kinds[peer], fence.isUp(node), fence.number(node));
        endpoint.set(0, RdmaPtr.offset(layout.membership(id, node)), word);
        synchronized (peers) {
            peers[peer] = state;
        }
        LOG.debug("{}: Compute Node {} is {}", this, config.firstComputeNode() + peer, state);
    }

    /** The number of Compute Nodes in a state. */
    int count(PeerState state) {
        synchronized (peers) {
            return (int) Arrays.stream(peers).filter(s -> s == state).count();
        }
    }

    /**
     * Waits until every Compute Thread has finished and every Compute Node has disconnected. Under {@code
     * --on-node-loss continue}, waits until every Compute Node has finished or is lost; {@link OnNodeLoss} specifies
     * which losses are tolerated there, and {@link #losses} lists them.
     *
     * @throws NodeLostException under {@code --on-node-loss abort}, if a node is lost, after the others had time to
     *     notice. Under {@code continue}, if a Compute Node never joined or failed by itself, or if none has finished
     */
    public void awaitFinished() {
        Backoff backoff = new Backoff(environment);
        while (count(PeerState.FINISHED) + count(PeerState.LOST) < peers.length) {
            NodeLostException lost = loss;
            if (lost != null && config.onNodeLoss() == OnNodeLoss.ABORT) {
                awaitFarewell();
                throw new NodeLostException(lost);
            }
            if (!watch.isAlive()) { // no thread counts any more
                throw closing || losses.isEmpty()
                        ? new IllegalStateException("Memory Node " + id + " has been closed")
                        : new NodeLostException(losses.get(losses.size() - 1)); // earlier ones may have been tolerated
            }
            backoff.pause();
        }
        lookAtLossWord(); // a node that gives up writes the loss word before it disconnects
        NodeLostException lost = config.onNodeLoss() == OnNodeLoss.ABORT ? loss : firstNotTolerated();
        if (lost != null) {
            throw new NodeLostException(lost);
        }
        long threads = endpoint.get(0, SegmentHeader.CONTROL);
        if (threads < config.totalThreads() && losses.isEmpty()) {
            throw new FabricException("all Compute Nodes have left Memory Node " + id + ", but only " + threads + " of "
                    + config.totalThreads() + " Compute Threads have finished");
        }
    }

    /** Under {@code continue}: the loss that makes the run fail; null if there is none. */
    private @Nullable NodeLostException firstNotTolerated() {
        boolean anyFinished = count(PeerState.FINISHED) > 0;
        return losses.stream()
                .filter(e -> !anyFinished
                        || e.node() == id
                        || e.kind() == LossKind.NEVER_JOINED
                        || e.kind() == LossKind.FAILED)
                .findFirst()
                .orElse(null);
    }

    /**
     * The nodes that this one has found lost, in the order of detection. Of several that never joined, the first
     * exception names all.
     */
    public List<NodeLostException> losses() {
        return List.copyOf(losses);
    }

    private void awaitFarewell() {
        long deadline = environment.nanoTime() + FAREWELL_NANOS;
        Backoff backoff = new Backoff(environment);
        while (count(PeerState.JOINED) > 0 && environment.nanoTime() - deadline < 0) {
            backoff.pause();
        }
    }

    /** Withdraws the memory. Compute Nodes that are still connected lose it. May be called again. */
    @Override
    public void close() {
        closing = true;
        watch.wake();
        boolean interrupted = Tasks.join(watch); // it uses the endpoint
        try {
            endpoint.close();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public String toString() {
        return "Memory Node " + id;
    }
}
