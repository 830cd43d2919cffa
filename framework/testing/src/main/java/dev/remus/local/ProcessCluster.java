// SPDX-License-Identifier: Apache-2.0
package dev.remus.local;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Fabric;
import dev.remus.node.ComputeNode;
import dev.remus.process.JvmFlags;
import dev.remus.process.NodeGroup;
import dev.remus.process.NodeProcess;
import dev.remus.process.Parent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A cluster with each node in a JVM of its own, which has this one's class path, module path and options. The nodes
 * share nothing but remote memory, as on several machines. Their bodies are objects of a class, since a lambda cannot
 * cross to another process:
 *
 * <pre>{@code
 * final class Work implements ComputeNode.Body {
 *     @Override
 *     public void run(ComputeThread ct) { ... } // in every Compute Thread of every process
 * }
 *
 * new ProcessCluster(LocalConfig.of(1, 2, 2).build()).run(Work.class);
 * }</pre>
 *
 * <p>What the nodes print appears in the output of the test that runs the cluster.
 */
public final class ProcessCluster {
    /** The time for the others to report the loss of a node. */
    private static final long AFTER_FAILURE_MILLIS = 2_000;

    /** The time for a JVM that hangs to print the stacks of its threads. */
    private static final Duration TO_PRINT_STACKS = Duration.ofSeconds(5);

    /** The last line but few of a JVM's answer to SIGQUIT. */
    private static final String END_OF_STACKS = "JNI global refs";

    private final ClusterConfig config;
    private Duration limit = ThreadCluster.TIME_LIMIT;

    /** Makes a cluster, which {@link #run} starts. */
    public ProcessCluster(ClusterConfig config) {
        this.config = LocalConfig.withHosts(config);
    }

    /** Sets the time after which {@link #run} ends the processes and fails. */
    public ProcessCluster within(Duration time) {
        limit = TimeLimit.checked(time);
        return this;
    }

    /** The configuration of the cluster. */
    public ClusterConfig config() {
        return config;
    }

    /**
     * Starts the processes, runs a body in every Compute Thread, and waits until all have ended. May be called again:
     * each run is a new cluster.
     *
     * @param body the class of the bodies, of which each process makes one object. It has a constructor with one
     *     parameter {@code String...} for the arguments, or one without parameters
     * @param arguments the arguments of the constructor
     * @throws AssertionError if a node fails or the time limit is over. The cause is the exception of the node, and the
     *     message has the last lines of all nodes; at the time limit these contain the stacks of their threads
     * @throws InterruptedException if this thread is interrupted; the processes have ended then
     * @throws IOException if a process or its files cannot be made
     * @throws IllegalStateException if this program runs from jars that are nested in another
     */
    public void run(Class<? extends ComputeNode.Body> body, String... arguments)
            throws IOException, InterruptedException {
        run(ThreadCluster.after(limit), body, arguments);
    }

    /** The same with any other reason to end the cluster as one that hangs. */
    void run(BooleanSupplier late, Class<? extends ComputeNode.Body> body, String... arguments)
            throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("remus-nodes-");
        NodeOutput output = new NodeOutput();
        NodeGroup nodes = new NodeGroup();
        try {
            start(nodes, folder, output, body, arguments);
            boolean hangs = !await(nodes, output, late);
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while a cluster of processes runs");
            }
            if (hangs) {
                printStacks(nodes, output);
            }
            nodes.stopAll();
            output.print();
            report(nodes, folder, output, hangs);
        } finally {
            nodes.stopAll();
            output.print();
            Fabric.of(config).removeRemains(config); // first: the folder cannot be deleted if a node still writes to it
            delete(folder);
        }
    }

    private void start(
            NodeGroup nodes,
            Path folder,
            NodeOutput output,
            Class<? extends ComputeNode.Body> body,
            String... arguments) {
        List<String> flags = new ArrayList<>(JvmFlags.forChild(config));
        flags.addAll(Parent.flags(Optional.empty()));
        for (int id = config.lowestNode(); id <= config.highestNode(); id++) {
            List<String> words = NodeMain.arguments(config, id, failure(folder, id), body, arguments);
            nodes.add(new NodeProcess(id, flags, NodeMain.class.getName(), words, output::add, output::add));
        }
    }

    private static Path failure(Path folder, int node) {
        return folder.resolve("failure-" + node);
    }

    /** Whether the cluster has ended in time, by itself or by a failure. */
    private static boolean await(NodeGroup nodes, NodeOutput output, BooleanSupplier late) {
        nodes.await(
                () -> {
                    output.print();
                    return Thread.currentThread().isInterrupted() || late.getAsBoolean();
                },
                () -> AFTER_FAILURE_MILLIS);
        return !late.getAsBoolean() || nodes.nodes().stream().noneMatch(NodeProcess::isAlive);
    }

    /** Lets the nodes that still run print the stacks of their threads. */
    private static void printStacks(NodeGroup nodes, NodeOutput output) throws IOException, InterruptedException {
        for (NodeProcess node : nodes.nodes()) {
            if (node.isAlive()) {
                node.signal("QUIT");
            }
        }
        BooleanSupplier late = ThreadCluster.after(TO_PRINT_STACKS);
        nodes.await(
                () -> {
                    output.print();
                    return late.getAsBoolean()
                            || nodes.nodes().stream()
                                    .filter(NodeProcess::isAlive)
                                    .allMatch(node -> output.contains(node.id(), END_OF_STACKS));
                },
                TO_PRINT_STACKS::toMillis);
    }

    /** Throws the failure of the node that has failed first, not the reports of others that it is lost. */
    private void report(NodeGroup nodes, Path folder, NodeOutput output, boolean hangs) {
        List<NodeProcess> failed = nodes.failed().stream()
                // at the time limit, a JVM that is just starting dies of SIGQUIT instead of printing its stacks
                .filter(node ->
                        !hangs || NodeFailure.read(failure(folder, node.id())).isPresent())
                .toList();
        if (failed.isEmpty() && !hangs) {
            return;
        }
        Optional<NodeProcess> culprit = failed.stream()
                .filter(node -> !node.wasStopped())
                .filter(node -> NodeFailure.read(failure(folder, node.id()))
                        .filter(NodeFailure::isReport)
                        .isEmpty())
                .findFirst()
                .or(() -> failed.stream().filter(node -> !node.wasStopped()).findFirst());
        Optional<Throwable> cause = culprit.flatMap(node -> NodeFailure.read(failure(folder, node.id())));
        String what = culprit.map(node ->
                        cause.map(e -> "node " + node.id() + " failed: " + e).orElse(node.howItEnded()))
                .orElse(TimeLimit.exceeded(limit));
        throw new AssertionError(what + "\n" + output.lastLines(), cause.orElse(null));
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
