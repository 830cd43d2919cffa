// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.config.Reclamation;
import dev.remus.fabric.Fabric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * All nodes of a cluster in one JVM, for tests.
 *
 * <pre>{@code
 * ClusterConfig config = TestCluster.config(2, 2, 4).checkMemory(true).build();
 * TestCluster.of(config).run(ct -> { ... });
 * }</pre>
 *
 * <p>{@link #run} starts all nodes, runs the body in every Compute Thread, waits until the Memory Nodes have noticed
 * that all have finished, and closes everything. It may be called again. {@link #start}, {@link #runThreads} and {@link
 * #close} are its single steps. No wait is longer than {@link #within}.
 */
public final class TestCluster implements AutoCloseable {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration PATIENCE_AT_END = Duration.ofSeconds(60);

    private final ClusterConfig config;
    private final Fabric fabric;
    private final Map<Integer, MemoryNode> memoryNodes = new ConcurrentSkipListMap<>();
    private final Map<Integer, ComputeNode> computeNodes = new ConcurrentSkipListMap<>();
    private Duration patience = PATIENCE;

    private TestCluster(ClusterConfig config, Fabric fabric) {
        this.config = config;
        this.fabric = fabric;
    }

    /** A name that no other cluster has. */
    public static String uniqueName() {
        return "nodes-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
    }

    /**
     * A cluster with a name of its own: Memory Nodes from id 0, followed by the Compute Nodes. With {@code --reclaim
     * barrier}, so that a thread takes no block, and makes no operation, that its test does not ask for.
     */
    public static ClusterConfig.Builder config(int memoryNodes, int computeNodes, int threadsPerNode) {
        return config(threadsPerNode)
                .memoryNodes(0, memoryNodes - 1)
                .computeNodes(memoryNodes, memoryNodes + computeNodes - 1);
    }

    /** The same, but every node, from id 0, is a Memory Node and a Compute Node. */
    public static ClusterConfig.Builder configOfBoth(int nodes, int threadsPerNode) {
        return config(threadsPerNode).memoryNodes(0, nodes - 1).computeNodes(0, nodes - 1);
    }

    private static ClusterConfig.Builder config(int threadsPerNode) {
        return ClusterConfig.builder()
                .cluster(uniqueName())
                .threadsPerNode(threadsPerNode)
                .lanes(2)
                .lanePolicy(LanePolicy.RAND) // the least order
                .reclaim(Reclamation.BARRIER)
                .connectTimeout(Duration.ofSeconds(60));
    }

    /** The nodes of a configuration, over the fabric that it names. No node is started yet. */
    public static TestCluster of(ClusterConfig config) {
        return of(config, Fabric.of(config));
    }

    /** The nodes of a configuration, over a given fabric. */
    public static TestCluster of(ClusterConfig config, Fabric fabric) {
        return new TestCluster(config, fabric);
    }

    /** Sets the time limit of the bodies, which is a minute by default. */
    public TestCluster within(Duration atMost) {
        patience = atMost;
        return this;
    }

    /** The configuration of all nodes. */
    public ClusterConfig config() {
        return config;
    }

    /**
     * Starts all nodes, runs the body in all Compute Threads, waits for the end of the run, closes everything.
     *
     * @throws Exception the first exception, with those of other nodes as suppressed ones
     */
    public void run(ComputeNode.Body body) throws Exception {
        Failures failures = new Failures();
        try {
            start();
            runThreads(body);
            inParallel(computeNodes.values(), "leaving", ComputeNode::close, PATIENCE_AT_END);
            inParallel(memoryNodes.values(), "awaiting the end", MemoryNode::awaitFinished, patience);
        } catch (Exception | Error e) {
            failures.add(e);
        }
        try {
            close();
        } catch (RuntimeException | Error e) {
            failures.add(e);
        }
        failures.throwFirst();
    }

    /** Starts all nodes. If one does not start, all are closed again. */
    public TestCluster start() throws Exception {
        try {
            for (int id = config.firstMemoryNode(); id <= config.lastMemoryNode(); id++) {
                startMemoryNode(id);
            }
            List<Integer> ids = new ArrayList<>();
            for (int id = config.firstComputeNode(); id <= config.lastComputeNode(); id++) {
                ids.add(id);
            }
            inParallel(ids, "connecting", this::connect, config.connectTimeout().plus(PATIENCE_AT_END));
        } catch (Exception | Error e) {
            close();
            throw e;
        }
        return this;
    }

    /** Starts one Memory Node, for tests that start nodes one by one. */
    public MemoryNode startMemoryNode(int id) {
        MemoryNode node = MemoryNode.start(config, id, fabric);
        memoryNodes.put(id, node);
        return node;
    }

    /** Connects one Compute Node, for tests that start nodes one by one. */
    public ComputeNode connect(int id) {
        ComputeNode node = ComputeNode.connect(config, id, fabric);
        computeNodes.put(id, node);
        return node;
    }

    /** A Memory Node that has been started. */
    public MemoryNode memoryNode(int id) {
        return memoryNodes.get(id);
    }

    /** A Compute Node that has been connected. */
    public ComputeNode computeNode(int id) {
        return computeNodes.get(id);
    }

    /**
     * Runs the body in all Compute Threads of the connected nodes, and waits until it has ended.
     *
     * @throws Exception the first exception, with those of other nodes as suppressed ones
     */
    public void runThreads(ComputeNode.Body body) throws Exception {
        AtomicReference<Throwable> first = new AtomicReference<>();
        ComputeNode.Body noting = ct -> {
            try {
                body.run(ct);
            } catch (Throwable e) {
                first.compareAndSet(null, e);
                throw e;
            }
        };
        Failures failures = new Failures();
        try {
            inParallel(computeNodes.values(), "running", node -> node.runThreads(noting), patience);
        } catch (Exception | Error e) {
            failures.add(e instanceof TooLong ? e : first.get());
            failures.add(e);
        }
        failures.throwFirst();
    }

    /** Closes all nodes, Compute Nodes first. May be called again. */
    @Override
    public void close() {
        Failures failures = new Failures();
        try {
            inParallel(computeNodes.values(), "closing", ComputeNode::close, PATIENCE_AT_END);
        } catch (Exception | Error e) {
            failures.add(e);
        }
        try {
            inParallel(memoryNodes.values(), "closing", MemoryNode::close, PATIENCE_AT_END);
        } catch (Exception | Error e) {
            failures.add(e);
        }
        computeNodes.clear();
        memoryNodes.clear();
        failures.throwFirstUnchecked();
    }

    private interface Action<T> {
        void run(T node) throws Exception;
    }

    /** Runs an action on every node at the same time, and waits for all of them. */
    private <T> void inParallel(Iterable<T> nodes, String what, Action<T> action, Duration atMost) throws Exception {
        Failures failures = new Failures();
        List<Thread> threads = new ArrayList<>();
        for (T node : nodes) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            action.run(node);
                        } catch (Throwable e) {
                            failures.add(e);
                        }
                    },
                    "test-cluster " + what + " " + node);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
        if (!joined(threads, System.nanoTime() + atMost.toNanos())) {
            failures.add(tooLong(what, atMost));
            computeNodes.values().forEach(node -> node.abort("the test has taken too long"));
            threads.forEach(Thread::interrupt);
            joined(threads, System.nanoTime() + PATIENCE_AT_END.toNanos());
        }
        failures.throwFirst();
    }

    private static boolean joined(List<Thread> threads, long deadline) throws InterruptedException {
        boolean all = true;
        for (Thread thread : threads) {
            thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
            all &= !thread.isAlive();
        }
        return all;
    }

    /** Describes the stack of every thread, for a test that hangs. */
    private TooLong tooLong(String what, Duration atMost) {
        StringBuilder text = new StringBuilder(
                "cluster " + config.cluster() + " has not finished " + what + " within " + atMost.toMillis() + " ms");
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            if (thread.getName().startsWith("remus-") || thread.getName().startsWith("test-cluster")) {
                text.append("\n  ").append(thread.getName());
                for (StackTraceElement at : stack) {
                    text.append("\n    at ").append(at);
                }
            }
        });
        return new TooLong(text.toString());
    }

    private static final class TooLong extends AssertionError {
        private static final long serialVersionUID = 1L;

        TooLong(String message) {
            super(message);
        }
    }

    /** Failures: the first in full, the others as suppressed ones. */
    private static final class Failures {
        private Throwable first;

        synchronized void add(Throwable e) {
            if (first == null) {
                first = e;
            } else if (e != null && e != first) {
                first.addSuppressed(e);
            }
        }

        synchronized void throwFirst() throws Exception {
            if (first instanceof Error e) {
                throw e;
            }
            if (first instanceof Exception e) {
                throw e;
            }
        }

        void throwFirstUnchecked() {
            try {
                throwFirst();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new AssertionError("a node cannot be closed", e);
            }
        }
    }
}
