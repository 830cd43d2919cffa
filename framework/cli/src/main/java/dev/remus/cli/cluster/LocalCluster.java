package dev.remus.cli.cluster;

import dev.remus.cli.progress.ClusterProgress;
import dev.remus.cli.progress.ProgressLog;
import dev.remus.cli.progress.ProgressViews;
import dev.remus.config.ClusterConfig;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * All nodes of a cluster on this machine, each in a process of its own. When one fails, the others get some time to end by
 * themselves, which they need to say what they have noticed, and are then ended.
 */
final class LocalCluster {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Longer than the nodes take to notice a loss, tell each other and clean up. */
    private static final long TO_END_BY_THEMSELVES_MILLIS = 8_000;

    /** Who could not start cannot be missed by the others, who would wait for it in vain. */
    private static final long WITHOUT_ONE_AT_START_MILLIS = 1_500;

    private static final long TO_STOP_MILLIS = 3_000;
    private static final long TO_DIE_MILLIS = 1_000;

    private final ClusterConfig cluster;
    private final List<String> flags;
    private final String mainClass;
    private final List<String> arguments;
    private final PrintStream out;
    private final PrintStream err;
    private final ClusterProgress progress;
    private final ProgressLog log;
    private final List<NodeProcess> nodes = new ArrayList<>();
    private volatile boolean stopping;

    /**
     * @param flags the options of the Java VMs
     * @param arguments the same for all nodes; {@code --node-id} is added
     * @param log gets what they report
     */
    LocalCluster(
            ClusterConfig cluster,
            List<String> flags,
            String mainClass,
            List<String> arguments,
            PrintStream out,
            PrintStream err,
            ProgressLog log) {
        this.log = log;
        this.cluster = cluster;
        this.flags = flags;
        this.mainClass = mainClass;
        this.arguments = arguments;
        this.out = out;
        this.err = err;
        this.progress = new ClusterProgress(ProgressViews.forUser(err));
    }

    /**
     * Runs the cluster until all its processes have ended.
     *
     * @return an {@link ExitStatus}
     */
    int run(EndOfProcess end) {
        try {
            for (int id = cluster.lowestNode(); id <= cluster.highestNode() && !stopping; id++) {
                nodes.add(start(id));
            }
            awaitAll();
        } finally {
            stopAll();
            progress.close();
        }
        return end.hasBegun() ? ExitStatus.FAILED : report();
    }

    /** Makes {@link #run} end soon. May be called by any thread. */
    void stop() {
        stopping = true;
    }

    private NodeProcess start(int id) {
        List<String> words = new ArrayList<>(arguments);
        words.add(1, "--node-id=" + id); // after the name of the program, ahead of what the user wrote
        return new NodeProcess(id, flags, mainClass, words, this::showOutput, this::showError);
    }

    private void showOutput(int node, String line) {
        MachineLine.readProgress(line)
                .ifPresentOrElse(
                        report -> showProgress(node, report),
                        () -> MachineLine.readConclusion(line)
                                .ifPresentOrElse(
                                        this::conclude,
                                        () -> progress.print(() -> out.println("node " + node + " | " + line))));
    }

    private void showProgress(int node, MachineLine.Progress report) {
        log.note(node, report.phase(), report.done());
        report.millis()
                .ifPresentOrElse(
                        millis -> progress.reportTime(node, report.phase(), report.done(), millis, report.total()),
                        () -> progress.report(node, report.phase(), report.done(), report.total()));
    }

    private void conclude(String line) {
        progress.close();
        out.println(line);
    }

    private void showError(int node, String line) {
        progress.print(() -> err.println("node " + node + " | " + line));
    }

    private void awaitAll() {
        long failedAt = 0;
        while (!stopping && nodes.stream().anyMatch(NodeProcess::isAlive)) {
            if (failedAt == 0 && nodes.stream().anyMatch(NodeProcess::hasFailed)) {
                failedAt = System.nanoTime();
            }
            if (failedAt != 0 && System.nanoTime() - failedAt > TimeUnit.MILLISECONDS.toNanos(patience())) {
                return;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private long patience() {
        boolean atStart = nodes.stream().anyMatch(node -> node.hasFailed() && node.status() == ExitStatus.NOT_STARTED);
        return atStart ? WITHOUT_ONE_AT_START_MILLIS : TO_END_BY_THEMSELVES_MILLIS;
    }

    /** Ends what still runs, and waits until it has ended and all its lines are shown. */
    private void stopAll() {
        nodes.forEach(NodeProcess::stop);
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TO_STOP_MILLIS);
        nodes.forEach(node -> node.await(Math.max(0, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()))));
        nodes.stream().filter(NodeProcess::isAlive).forEach(node -> {
            node.kill();
            node.await(TO_DIE_MILLIS);
        });
    }

    /** Says who failed, the first one first. */
    private int report() {
        List<NodeProcess> failed = nodes.stream()
                .filter(NodeProcess::hasFailed)
                .sorted(Comparator.comparing(NodeProcess::wasStopped).thenComparing(NodeProcess::endedNanos))
                .toList();
        failed.forEach(node -> err.println("remus: " + node.howItEnded()));
        err.flush();
        if (failed.isEmpty()) {
            return ExitStatus.OK;
        }
        boolean notStarted = failed.stream().anyMatch(node -> node.status() == ExitStatus.NOT_STARTED);
        return notStarted ? ExitStatus.NOT_STARTED : ExitStatus.FAILED;
    }
}
