package dev.remus.tools.torture;

import dev.remus.cli.cluster.JvmFlags;
import dev.remus.cli.cluster.NodeProcess;
import dev.remus.cli.cluster.Parent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The processes of one cluster that runs {@code intset}, and all that they print. */
final class VictimCluster implements AutoCloseable {
    private static final long TO_DIE_MILLIS = 5_000;

    private final Map<Integer, NodeProcess> nodes = new TreeMap<>();
    private final Map<Integer, List<String>> lines = new TreeMap<>();
    private Moment moment = Moment.START;

    /**
     * Starts all nodes.
     *
     * @param mainClass takes the name of a program and its command line
     */
    VictimCluster(TorturePlan plan, String cluster, Class<?> mainClass, ShmFolder shm, Path results) {
        List<String> flags = new ArrayList<>(JvmFlags.forChild());
        flags.add("-XX:TieredStopAtLevel=1"); // starts sooner, and nobody measures
        flags.add(shm.flag());
        flags.addAll(Parent.flags(Optional.of(results)));
        for (int id : plan.topology().nodes()) {
            List<String> words = new ArrayList<>(List.of("intset", "--node-id=" + id, "--cluster=" + cluster));
            words.addAll(plan.options());
            lines.put(id, new ArrayList<>());
            nodes.put(id, new NodeProcess(id, flags, mainClass.getName(), words, this::note, this::note));
        }
    }

    private synchronized void note(int node, String line) {
        Moment begun = Moment.begunBy(line).orElse(Moment.START);
        if (begun.compareTo(moment) > 0) {
            moment = begun;
            notifyAll();
        }
        if (begun == Moment.START) { // neither progress nor one of our own
            lines(node).add(line);
        }
    }

    private List<String> lines(int node) {
        return Objects.requireNonNull(lines.get(node), "a node of this cluster");
    }

    /** How far the cluster is, as far as is known. */
    synchronized Moment moment() {
        return moment;
    }

    /** Waits for a moment, until one later at most. */
    synchronized boolean await(Moment wanted, long millis) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (moment.compareTo(wanted) < 0 && isAnyAlive()) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                return false;
            }
            wait(Math.min(left, 50));
        }
        return moment.compareTo(wanted) >= 0;
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

    /** Waits until all have ended and their lines are read; says whether they have. */
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

    /** Whether a node has left the cluster in good order, by its files. Those of a stopped process do not change. */
    boolean hasLeft(int id, String cluster, ShmFolder shm) throws IOException {
        return hasComputed(id, cluster, shm) && !shm.has(cluster, "memory-" + id);
    }

    /** The same, but for a Memory Node's part. */
    boolean hasComputed(int id, String cluster, ShmFolder shm) throws IOException {
        return !shm.has(cluster, "compute-" + id);
    }

    /** What a node has printed, but for its progress. */
    synchronized List<String> output(int id) {
        return List.copyOf(lines(id));
    }

    /** Ends what still runs. */
    @Override
    public void close() {
        nodes.values().forEach(NodeProcess::kill);
        nodes.values().forEach(node -> node.await(TO_DIE_MILLIS));
    }
}
