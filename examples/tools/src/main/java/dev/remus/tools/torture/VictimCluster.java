// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.torture;

import dev.remus.process.JvmFlags;
import dev.remus.process.NodeProcess;
import dev.remus.process.Parent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The processes of a cluster that runs an experiment, and their output. */
final class VictimCluster implements AutoCloseable {
    private static final long TO_DIE_MILLIS = 5_000;

    private final Map<Integer, NodeProcess> nodes = new TreeMap<>();
    private final Map<Integer, List<String>> lines = new TreeMap<>();
    private final Set<Integer> operating = new HashSet<>();
    private final List<String> flags = new ArrayList<>(JvmFlags.forChild());
    private final String mainClass;
    private final List<String> words;
    private final Path results;
    private InjectionPoint point = InjectionPoint.START;

    /**
     * Starts all nodes.
     *
     * @param words the name of a program and its command line, without that of the node and the cluster
     * @param mainClass the main class of each node, whose arguments are such words
     */
    VictimCluster(
            Topology topology, List<String> words, String cluster, Class<?> mainClass, ShmFolder shm, Path results) {
        this.mainClass = mainClass.getName();
        this.results = results;
        this.words = new ArrayList<>(words);
        this.words.add("--cluster=" + cluster);
        flags.add("-XX:TieredStopAtLevel=1"); // a faster start; the speed does not matter
        flags.add(shm.flag());
        topology.nodes().forEach(id -> lines.put(id, new ArrayList<>()));
        topology.nodes().forEach(id -> start(id, results));
    }

    private void start(int id, Path ownResults) {
        List<String> own = new ArrayList<>(flags);
        own.addAll(Parent.flags(Optional.of(ownResults)));
        List<String> all = new ArrayList<>(words);
        all.add("--node-id=" + id);
        nodes.put(id, new NodeProcess(id, own, mainClass, all, this::note, this::note));
    }

    /**
     * Starts a node again whose process has ended. Its results have a folder of their own: a node that ends early
     * removes an empty one, into which the others may still write.
     */
    void restart(int id) throws IOException {
        synchronized (this) {
            operating.remove(id);
        }
        start(id, Files.createTempDirectory(results, "node-" + id + "-"));
    }

    /** Whether the threads of a node operate on the structure, or have done so. */
    synchronized boolean hasOperated(int id) {
        return operating.contains(id);
    }

    private synchronized void note(int node, String line) {
        InjectionPoint begun = InjectionPoint.startedBy(line).orElse(InjectionPoint.START);
        if (begun == InjectionPoint.RUN) {
            operating.add(node);
        }
        if (begun.compareTo(point) > 0) {
            point = begun;
            notifyAll();
        }
        if (begun == InjectionPoint.START) { // neither progress nor an announcement
            lines(node).add(line);
        }
    }

    private List<String> lines(int node) {
        return Objects.requireNonNull(lines.get(node), "a node of this cluster");
    }

    /** The last point that the cluster is known to have reached. */
    synchronized InjectionPoint point() {
        return point;
    }

    /** Waits until the cluster has reached a point; returns whether it has. */
    synchronized boolean await(InjectionPoint wanted, long millis) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (point.compareTo(wanted) < 0 && isAnyAlive()) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                return false;
            }
            wait(Math.min(left, 50));
        }
        return point.compareTo(wanted) >= 0;
    }

    List<Integer> ids() {
        return List.copyOf(nodes.keySet());
    }

    NodeProcess node(int id) {
        return Objects.requireNonNull(nodes.get(id), "a node of this cluster");
    }

    boolean isAnyAlive() {
        return nodes.values().stream().anyMatch(NodeProcess::isAlive);
    }

    /** Waits until all nodes have ended and their output is read; returns whether they have ended. */
    boolean awaitEnd(long millis) throws InterruptedException {
        boolean ended = await(() -> !isAnyAlive(), millis);
        nodes.values().forEach(node -> node.await(0));
        return ended;
    }

    private static boolean await(BooleanSupplier condition, long millis) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            Thread.sleep(2);
        }
        return true;
    }

    /**
     * Whether a node has left the cluster normally, according to its files. Those of a stopped process do not change.
     */
    boolean hasLeft(int id, String cluster, ShmFolder shm) throws IOException {
        return hasComputed(id, cluster, shm) && !shm.has(cluster, "memory-" + id);
    }

    /** Whether a node has left the cluster as a Compute Node, whatever its part as a Memory Node. */
    boolean hasComputed(int id, String cluster, ShmFolder shm) throws IOException {
        return !shm.has(cluster, "compute-" + id);
    }

    /** The output of a node, without its progress. */
    synchronized List<String> output(int id) {
        return List.copyOf(lines(id));
    }

    /** How the nodes have ended, and their output. */
    List<String> output() {
        List<String> all = new ArrayList<>();
        nodes.forEach((id, node) -> {
            all.add("node " + id + " ended with status " + (node.isAlive() ? "?" : Integer.toString(node.status())));
            output(id).forEach(line -> all.add("node " + id + " | " + line));
        });
        return all;
    }

    /** Kills the nodes that still run. */
    @Override
    public void close() {
        nodes.values().forEach(NodeProcess::kill);
        nodes.values().forEach(node -> node.await(TO_DIE_MILLIS));
    }
}
