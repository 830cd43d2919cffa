package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.Environment;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.PeerState;
import dev.remus.logging.Loggers;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A process's part of the cluster that offers memory. Passive: it reserves its segments, keeps a membership word for each
 * Compute Node, and waits until all have finished.
 *
 * <pre>{@code
 * try (MemoryNode node = MemoryNode.start(config, 0)) {
 *     node.awaitFinished();
 * }
 * }</pre>
 *
 * <p>Any thread may call it.
 */
public final class MemoryNode implements AutoCloseable {
    private static final Logger LOG = Loggers.of(MemoryNode.class);

    private static final long WATCH_WHILE_JOINING_NANOS = 10_000_000;
    private static final long WATCH_NANOS = 100_000_000;

    /** How long the survivors of a loss have to read who was lost before the memory goes. */
    private static final long FAREWELL_NANOS = 3_000_000_000L;

    private final ClusterConfig config;
    private final int id;
    private final MemoryEndpoint endpoint;
    private final SegmentLayout layout;
    private final PeerState[] peers;
    private final Environment environment;
    private final String meaningOfLoss;
    private final long start;
    private final Environment.Task watch;

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
        this.environment = fabric.environment();
        this.meaningOfLoss = fabric.meaningOfLoss();
        this.start = environment.nanoTime();
        this.endpoint = fabric.openMemory(config, id);
        try {
            for (int s = 0; s < config.segmentsPerNode(); s++) {
                endpoint.set(s, SegmentHeader.MAGIC, SegmentHeader.MAGIC_AND_VERSION);
                endpoint.set(s, SegmentHeader.SIZE, config.segmentBytes());
                endpoint.set(s, SegmentHeader.END, layout.end(s));
                endpoint.set(s, SegmentHeader.ALLOCATED, SegmentHeader.BYTES);
            }
            endpoint.set(0, RdmaPtr.offset(layout.cluster(id)), SegmentLayout.clusterWord(config));
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
     * @throws IllegalArgumentException if it is none of them
     * @throws FabricException if there is not enough memory, or this node is already running
     */
    public static MemoryNode start(ClusterConfig config, int id) {
        return start(config, id, Fabric.of(config));
    }

    /** The same over a fabric that is not looked up by name. */
    public static MemoryNode start(ClusterConfig config, int id, Fabric fabric) {
        return new MemoryNode(config, id, fabric);
    }

    /** This node's id. */
    public int id() {
        return id;
    }

    /**
     * How many bytes of a segment have been allocated, its header included. Until {@link #close}.
     *
     * @param segment from 0
     */
    public long allocated(int segment) {
        return Math.min(layout.end(segment), endpoint.get(segment, SegmentHeader.ALLOCATED));
    }

    private void watch() {
        while (!closing) {
            try {
                look();
            } catch (RuntimeException e) {
                if (!closing) {
                    lose(new NodeLostException(id, "Memory Node " + id + " can no longer watch the others: " + e));
                }
                return;
            }
            boolean joining = Arrays.asList(peers).contains(PeerState.ABSENT);
            environment.sleep(joining ? WATCH_WHILE_JOINING_NANOS : WATCH_NANOS);
        }
    }

    /** Looks at every Compute Node and notes in its membership word what has changed. */
    private void look() {
        for (int i = 0; i < peers.length; i++) {
            PeerState before = peers[i];
            if (before == PeerState.ABSENT || before == PeerState.JOINED) {
                int node = config.firstComputeNode() + i;
                PeerState now = endpoint.peer(node);
                String how = meaningOfLoss;
                if (now == PeerState.ABSENT
                        && environment.nanoTime() - start
                                > config.connectTimeout().toNanos()) {
                    now = PeerState.LOST;
                    how = "it has not joined within " + config.connectTimeout().toSeconds() + " s (--connect-timeout)";
                }
                if (now == PeerState.LOST && loss == null) { // before it counts as lost
                    lose(new NodeLostException(node, "Compute Node " + node + " is lost: " + how));
                }
                if (now != before) {
                    note(i, now);
                }
            }
        }
        lookAtLossWord();
    }

    private void lose(NodeLostException e) {
        LOG.info("{}: {}", this, e.getMessage());
        loss = e;
    }

    private void lookAtLossWord() {
        long word = endpoint.get(0, SegmentHeader.LOSS);
        if (word != 0 && loss == null && !SegmentLayout.isLossWord(word, config)) {
            lose(new NodeLostException(id, SegmentLayout.describeDamagedLoss(id, word)));
        } else if (word != 0 && loss == null) {
            int node = (int) word - 1;
            String name = (config.isComputeNode(node) ? "Compute Node " : "Memory Node ") + node;
            lose(new NodeLostException(node, name + " is lost, as another node has noticed"));
        }
    }

    private void note(int peer, PeerState state) {
        long word = layout.membership(id, config.firstComputeNode() + peer);
        endpoint.set(0, RdmaPtr.offset(word), state.ordinal());
        synchronized (peers) {
            peers[peer] = state;
        }
        LOG.debug("{}: Compute Node {} is {}", this, config.firstComputeNode() + peer, state);
    }

    private int count(PeerState state) {
        synchronized (peers) {
            return (int) Arrays.stream(peers).filter(s -> s == state).count();
        }
    }

    /**
     * Waits until every Compute Thread has finished and every Compute Node has disconnected; under {@code --on-node-loss
     * continue}, until every Compute Node has finished or is lost.
     *
     * @throws NodeLostException under {@code --on-node-loss abort}, if a node is lost; the others have had time to notice
     */
    public void awaitFinished() {
        Backoff backoff = new Backoff(environment);
        while (count(PeerState.FINISHED) + count(PeerState.LOST) < peers.length) {
            NodeLostException lost = loss;
            if (lost != null && config.onNodeLoss() == OnNodeLoss.ABORT) {
                awaitFarewell();
                throw new NodeLostException(lost);
            }
            if (!watch.isAlive()) { // nobody counts any more
                NodeLostException why = loss;
                throw closing || why == null
                        ? new IllegalStateException("Memory Node " + id + " has been closed")
                        : new NodeLostException(why);
            }
            backoff.pause();
        }
        lookAtLossWord(); // a node that gives up writes it before it disconnects
        NodeLostException lost = loss;
        if (lost != null && config.onNodeLoss() == OnNodeLoss.ABORT) {
            throw new NodeLostException(lost);
        }
        long threads = endpoint.get(0, SegmentHeader.CONTROL);
        if (threads < config.totalThreads() && lost == null) {
            throw new FabricException("all Compute Nodes have left Memory Node " + id + ", but only " + threads + " of "
                    + config.totalThreads() + " Compute Threads have finished");
        }
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
        try {
            watch.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        endpoint.close();
    }

    @Override
    public String toString() {
        return "Memory Node " + id;
    }
}
