// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.config.OnNodeLoss;
import dev.remus.config.ThreadKind;
import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Environment;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Link;
import dev.remus.fabric.LossWord;
import dev.remus.fabric.NodeLostException;
import dev.remus.logging.Loggers;
import dev.remus.memory.AddressSpace;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import jdk.jfr.FlightRecorder;
import org.slf4j.Logger;

/**
 * A process's part of the cluster that works on remote memory. It is connected to every Memory Node, and hosts this
 * node's {@link ComputeThread Compute Threads}.
 *
 * <pre>{@code
 * try (ComputeNode node = ComputeNode.connect(config, 1)) {
 *     node.runThreads(ct -> { ... });
 * }
 * }</pre>
 *
 * <p>Any thread may call its methods.
 */
public final class ComputeNode implements AutoCloseable {
    private static final Logger LOG = Loggers.of(ComputeNode.class);

    private final ClusterConfig config;
    private final int id;
    private final Environment environment;
    private final ComputeEndpoint endpoint;
    private final List<Link> links = new ArrayList<>();
    private final AddressSpace space;
    private final OperationsFactory operations;
    private final Membership membership;
    private final Participation participation;
    private final NodeEpochs epochs;
    private final BlockingOperations ownMemory;

    /** What the Compute Threads share: {@link NodeObjects}. */
    private final ConcurrentMap<Object, Object> objects = new ConcurrentHashMap<>();

    /** How often this node had come back when it was started. */
    private final int life;

    private final PeerWatch watch;

    /** The thread that opened each Compute Thread first; null for those not opened yet. */
    private final AtomicReferenceArray<Thread> openers;

    /** The Compute Threads; null for those not opened yet. */
    private final AtomicReferenceArray<ComputeThread> threads;

    private volatile boolean closing;
    private boolean closed;

    private ComputeNode(ClusterConfig config, int id, Fabric fabric) {
        if (!config.isComputeNode(id)) {
            throw new IllegalArgumentException("node " + id + " is not a Compute Node: those are "
                    + config.firstComputeNode() + " to " + config.lastComputeNode());
        }
        this.config = config;
        this.id = id;
        this.space = new AddressSpace(config);
        this.openers = new AtomicReferenceArray<>(config.threadsPerNode());
        this.threads = new AtomicReferenceArray<>(config.threadsPerNode());
        this.epochs = new NodeEpochs(config, this::retired);
        this.environment = fabric.environment();
        this.endpoint = fabric.openCompute(config, id);
        try {
            for (int m = config.firstMemoryNode(); m <= config.lastMemoryNode(); m++) {
                links.add(endpoint.connect(m, config.lanes(), config.connectTimeout()));
            }
            this.operations = new OperationsFactory(config, environment, endpoint, links);
            this.ownMemory = operations.newMemory(config.threadsPerNode(), null);
            OfferCheck offers = new OfferCheck(config, ownMemory);
            links.forEach(offers::checkLayout);
            this.membership = new Membership(config, id, links, ownMemory, space);
            this.participation = new Participation(links, membership, space);
            checkAgreement(offers);
            this.life = awaitJoined();
        } catch (NodeLostException e) {
            reportMissing(e);
            endpoint.close();
            throw e;
        } catch (RuntimeException | Error e) {
            endpoint.abandon(); // the others must not wait for this node
            throw e;
        }
        LOG.debug("{} has joined cluster '{}' over {}", this, config.cluster(), config.fabric());
        this.watch = new PeerWatch(
                config,
                id,
                environment,
                operations,
                ownMemory,
                membership,
                participation,
                fabric.exchangesHeartbeats(),
                this::putUpNotice);
    }

    /**
     * Connects to all Memory Nodes of a cluster, after waiting for them if necessary.
     *
     * @param id this node's id, one of the configuration's Compute Nodes
     * @throws IllegalArgumentException if the id is none of them
     * @throws NodeLostException if a Memory Node did not listen within {@code --connect-timeout}
     * @throws FabricException if this node is already running, or a Memory Node was started with other options
     */
    public static ComputeNode connect(ClusterConfig config, int id) {
        return connect(config, id, Fabric.of(config));
    }

    /** Connects over a given fabric, which is not looked up by name. */
    public static ComputeNode connect(ClusterConfig config, int id, Fabric fabric) {
        return new ComputeNode(config, id, fabric);
    }

    /** Informs the reachable Memory Nodes which node this one has missed, so that they know why it leaves. */
    private void reportMissing(NodeLostException missed) {
        try {
            for (int m = config.firstMemoryNode() + links.size() + 1; m <= config.lastMemoryNode(); m++) {
                connectIfThere(m, missed); // links are made in the order of the nodes: these follow the missed one
            }
            if (links.isEmpty()) {
                return; // no Memory Node is reachable
            }
            BlockingOperations memory = new OperationsFactory(config, environment, endpoint, links).newMemory(0, null);
            for (Link link : links) {
                int m = link.memoryNode();
                long magic = SegmentLayout.header(m, 0, SegmentHeader.MAGIC);
                if (m != missed.node() && memory.read(magic) == SegmentHeader.MAGIC_AND_VERSION) {
                    long word = SegmentLayout.header(m, 0, SegmentHeader.LOSS);
                    memory.compareAndSwap(word, 0, LossWord.of(missed.node(), missed.kind()));
                }
            }
        } catch (FabricException e) {
            missed.addSuppressed(e); // the first missing node is the one to report
        }
    }

    private void connectIfThere(int memoryNode, NodeLostException missed) {
        try {
            links.add(endpoint.connect(memoryNode, config.lanes(), Duration.ZERO));
        } catch (NodeLostException e) {
            missed.addSuppressed(e); // more than one is missing
        }
    }

    /**
     * A node whose settings differ fails alone. The others learn the reason, since the layout, and so its place, is the
     * same.
     */
    private void checkAgreement(OfferCheck offers) {
        try {
            offers.checkCompared();
            AgreedOptions.check(config, ownMemory);
        } catch (FabricException e) {
            for (Link link : links) { // a node that cannot join again must not end the others
                membership.checkExpected(link.memoryNode());
            }
            membership.fail(String.valueOf(e.getMessage()));
            try {
                membership.refresh(environment::nanoTime);
            } catch (FabricException notTold) {
                e.addSuppressed(notTold);
            }
            throw e;
        }
    }

    /** Returns the number of this node's life. */
    private int awaitJoined() {
        long deadline = environment.nanoTime() + config.connectTimeout().toNanos();
        Admission admission =
                new Admission(config, id, endpoint.incarnation(), links, operations, ownMemory, membership);
        int number = admission.await(environment, deadline);
        membership.begin(number);
        return number;
    }

    private void putUpNotice() {
        endpoint.noticeBoard().ifPresent(this::putUpNotice);
    }

    private void putUpNotice(Consumer<String> board) {
        try {
            long now = environment.nanoTime();
            board.accept(NodeNotice.text(now, config, id, life, threads, epochs, objects, participation.failure()));
        } catch (RuntimeException e) {
            // nothing depends on it, and the next attempt may succeed
        }
    }

    private int retired() {
        int retired = 0;
        for (int i = 0; i < threads.length(); i++) {
            retired += metrics(i).map(ThreadMetrics::retired).orElse(0);
        }
        return retired;
    }

    /** This node's id. */
    public int id() {
        return id;
    }

    /** The configuration of the cluster. */
    public ClusterConfig config() {
        return config;
    }

    /**
     * The counts of a Compute Thread, given its number on this node; empty if it has not been opened yet. May be called
     * by any thread, which gets slightly old figures, and after the Compute Thread has ended. They go on when it is
     * opened again.
     */
    public Optional<ThreadMetrics> metrics(int index) {
        return Optional.ofNullable(threads.get(index)).map(ComputeThread::metrics);
    }

    /**
     * Opens a Compute Thread for the calling thread. After it was {@linkplain ComputeThread#close closed} it can be
     * opened again by any thread, such as the next one of a pool. It is the same Compute Thread then, with the same
     * {@link ComputeThread#id}, counts, and handles of structures, and it takes part in the barriers that begin later.
     *
     * <p>Under {@code --on-node-loss continue}, barriers do without a closed thread, and the first {@link
     * ComputeThread#barrier()} of one that is opened again only waits for the one under way. Under {@code abort}, a
     * barrier of all threads fails if one is closed while others wait at it.
     *
     * @param index its number on this node, 0 to {@code --cn-threads} - 1
     * @throws IllegalArgumentException if there is no such number
     * @throws IllegalStateException if that one is open, or its last owner's {@code close} has failed, or this node is
     *     closed
     * @throws NodeLostException if a loss has ended this node's part in the cluster
     */
    public ComputeThread openThread(int index) {
        if (index < 0 || index >= config.threadsPerNode()) {
            throw new IllegalArgumentException("Compute Thread " + index + ": this cluster has "
                    + ClusterSettings.THREADS_PER_NODE.names() + " "
                    + config.threadsPerNode() + ", so 0 to " + (config.threadsPerNode() - 1));
        }
        if (closing) {
            throw new IllegalStateException("Compute Node " + id + " is closed");
        }
        ComputeThread former = threads.get(index);
        if (former != null && former.tryReopen()) {
            return former;
        }
        if (!openers.compareAndSet(index, null, Thread.currentThread())) {
            participation.check(); // a loss that has ended this node's part says more
            throw new IllegalStateException("Compute Thread " + index + " of Compute Node " + id + " is open already"
                    + ", or was closed after a failure");
        }
        ComputeThread opened = new ComputeThread(new ThreadParts(
                config,
                id,
                life,
                index,
                recorded(operations.newMemory(index, membership)),
                operations,
                membership,
                participation,
                epochs,
                objects,
                space,
                environment));
        threads.set(index, opened);
        return opened;
    }

    /**
     * Adds events for the Java Flight Recorder, if a recording has enabled them. Initializing an event class starts the
     * recorder, which takes longer than the rest of a node's start, so it is done only where a recorder exists.
     */
    private static BlockingOperations recorded(BlockingOperations memory) {
        boolean isWanted = ModuleLayer.boot().findModule("jdk.jfr").isPresent()
                && FlightRecorder.isInitialized()
                && SlowOperationEvent.isWanted();
        return isWanted ? RecordedOperations.around(memory) : memory;
    }

    /** The work of a Compute Thread. */
    @FunctionalInterface
    public interface Body {
        /**
         * Runs in the Compute Thread's own thread.
         *
         * @throws Exception ends the thread; {@link #runThreads} throws it on
         */
        void run(ComputeThread ct) throws Exception;
    }

    /**
     * Starts all Compute Threads of this node, each in a thread of its own of the kind {@link
     * ClusterConfig#threadKind}, and waits until they have ended. If one of them throws, the node {@link #abort
     * aborts}, so that no node waits for it. A node that has aborted is closed once all have ended.
     *
     * @throws Exception the first exception that a body threw
     */
    public void runThreads(Body body) throws Exception {
        AtomicReference<Throwable> first = new AtomicReference<>();
        List<Environment.Task> threads = new ArrayList<>();
        for (int i = 0; i < config.threadsPerNode(); i++) {
            int index = i;
            threads.add(start("remus-" + id + "-" + i, () -> {
                try (ComputeThread ct = openThread(index)) {
                    runOrAbort(body, ct, first);
                } catch (RuntimeException | Error e) {
                    first.compareAndSet(null, e);
                    abort(describe(index, e));
                }
            }));
        }
        for (Environment.Task thread : threads) {
            join(thread, threads);
        }
        if (participation.hasGivenUp()) {
            close(); // it has no thread left, so the others can take over what these held
        }
        Throwable thrown = first.get();
        if (thrown instanceof Exception e) {
            throw e;
        } else if (thrown instanceof Error e) {
            throw e;
        }
    }

    private Environment.Task start(String name, Runnable body) {
        return config.threadKind() == ThreadKind.VIRTUAL
                ? environment.startVirtual(name, config.cores(), body)
                : environment.start(name, false, body);
    }

    private void runOrAbort(Body body, ComputeThread ct, AtomicReference<Throwable> first) {
        try {
            body.run(ct);
        } catch (Throwable e) { // of any kind: the others must not wait for this thread
            first.compareAndSet(null, e);
            boolean isOver = config.onNodeLoss() == OnNodeLoss.ABORT;
            if (e instanceof NodeLostException lost && (isOver || lost.node() == id)) {
                membership.report(lost); // this thread may be the first to notice
            }
            abort(describe(ct.index(), e));
        }
    }

    /** The message of an exception of this project, which is written for users. For other exceptions, the class too. */
    private static String describe(int thread, Throwable e) {
        String message = e.getMessage();
        boolean own = e.getClass().getName().startsWith("dev.remus.");
        return "Compute Thread " + thread + ": " + (own && message != null ? message : e.toString());
    }

    private static void join(Environment.Task thread, List<Environment.Task> all) {
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                all.forEach(Environment.Task::interrupt); // they end, which ends this wait
            }
        }
    }

    /**
     * Gives up: all nodes regard this node as lost from now on. Its own threads get a {@link NodeLostException} from
     * their next call.
     *
     * @param reason the reason, which the exceptions on all nodes contain
     */
    public void abort(String reason) {
        participation.abort(reason);
    }

    /**
     * Leaves the cluster. Compute Threads that were never opened count as finished. If one is still open, or the node
     * has aborted, the others regard this node as lost. May be called again.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            closing = true;
        }
        watch.stop();
        operations.close();
        boolean interrupted = watch.join(); // it uses the same memory as the farewell
        LOG.debug("{} leaves", this);
        try {
            sayFarewell();
        } finally {
            try {
                closeEndpoint();
            } finally {
                if (interrupted) { // not before: files and waits fail in an interrupted thread
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    private void closeEndpoint() {
        if (participation.hasGivenUp()) {
            putUpNotice(); // the notice stays, with the reason
            endpoint.abandon();
        } else {
            endpoint.close();
        }
    }

    private void sayFarewell() {
        int opened = 0;
        for (int i = 0; i < openers.length(); i++) {
            opened += openers.get(i) != null ? 1 : 0;
        }
        if (!participation.isOver() && participation.finished() < opened) {
            abort("it was closed while " + (opened - participation.finished()) + " of its Compute Threads were open");
        }
        if (!participation.isOver() && opened < config.threadsPerNode()) {
            closeUnopened();
            participation.finish(config.threadsPerNode() - opened, ownMemory::fetchAndAdd);
        }
        space.close();
        try {
            membership.refresh(environment::nanoTime);
        } catch (FabricException | IllegalStateException e) {
            // A Memory Node that is gone needs no farewell.
        }
    }

    /** Declares that the threads which were never opened arrive at no barrier. */
    private void closeUnopened() {
        for (int i = 0; i < openers.length() && config.onNodeLoss() == OnNodeLoss.CONTINUE; i++) {
            if (openers.get(i) == null && !membership.isLost(config.firstMemoryNode())) {
                int thread = ThreadIds.id(config, id, life, i);
                long word = BarrierTable.ofThread(new SegmentLayout(config).barrier(), thread);
                ownMemory.write(word, BarrierTable.CLOSED);
            }
        }
    }

    @Override
    public String toString() {
        return "Compute Node " + id;
    }
}
