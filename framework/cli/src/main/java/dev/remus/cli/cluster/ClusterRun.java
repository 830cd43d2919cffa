// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.cluster;

import dev.remus.cli.progress.ClusterProgress;
import dev.remus.cli.progress.ProgressLog;
import dev.remus.cli.progress.ProgressView;
import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.process.NodeGroup;
import dev.remus.process.NodeProcess;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A cluster on this machine, with each node in its own process. When a node fails, the others get some time to report
 * the loss and end by themselves; then they are stopped. Under {@code --on-node-loss continue}, the run goes on when a
 * Compute Node is killed, and succeeds if the others do.
 */
final class ClusterRun {
    /** The time to end by themselves: longer than nodes take to notice a loss, notify each other and clean up. */
    private static final long TO_END_BY_THEMSELVES_MILLIS = 8_000;

    /** The same after a failed start: the others cannot notice its loss, and would wait in vain. */
    private static final long WITHOUT_ONE_AT_START_MILLIS = 1_500;

    /** The end of the report of a loss that the others have tolerated. */
    static final String TOLERATED = "; the others finished (--on-node-loss continue)";

    private final ClusterConfig cluster;
    private final List<String> flags;
    private final String mainClass;
    private final List<String> arguments;
    private final PrintStream out;
    private final PrintStream err;
    private final ClusterProgress progress;
    private final ProgressLog log;
    private final NodeGroup nodes = new NodeGroup();
    private volatile boolean stopping;

    /**
     * @param flags the JVM options of the nodes
     * @param arguments the arguments of all nodes, to which {@code --node-id} is added
     * @param view shows the sum of their progress
     * @param log gets their progress
     */
    ClusterRun(
            ClusterConfig cluster,
            List<String> flags,
            String mainClass,
            List<String> arguments,
            PrintStream out,
            PrintStream err,
            ProgressView view,
            ProgressLog log) {
        this.log = log;
        this.cluster = cluster;
        this.flags = flags;
        this.mainClass = mainClass;
        this.arguments = arguments;
        this.out = out;
        this.err = err;
        this.progress = new ClusterProgress(view);
    }

    /**
     * Runs the cluster until all its processes have ended.
     *
     * @return an {@link ExitStatus}
     */
    int run(GracefulShutdown end) {
        try {
            for (int id = cluster.lowestNode(); id <= cluster.highestNode() && !stopping; id++) {
                nodes.add(start(id));
            }
            nodes.await(() -> stopping, this::endsTheOthers, this::timeToEndMillis);
        } finally {
            nodes.stopAll();
            progress.close();
        }
        return end.hasBegun() ? ExitStatus.FAILED : report();
    }

    /** Makes {@link #run} end soon. Any thread may call it. */
    void stop() {
        stopping = true;
    }

    private NodeProcess start(int id) {
        List<String> words = new ArrayList<>(arguments);
        words.add(1, "--node-id=" + id); // after the name of the program, before the user's options
        try {
            return new NodeProcess(id, flags, mainClass, words, this::showOutput, this::showError);
        } catch (UncheckedIOException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        }
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

    private long timeToEndMillis() {
        boolean atStart =
                nodes.nodes().stream().anyMatch(node -> node.hasFailed() && node.status() == ExitStatus.NOT_STARTED);
        return atStart ? WITHOUT_ONE_AT_START_MILLIS : TO_END_BY_THEMSELVES_MILLIS;
    }

    private boolean endsTheOthers(NodeProcess node) {
        return node.hasFailed() && !isTolerated(node);
    }

    /** Whether a node was killed, and the others go on without it. If none of them finishes, a Memory Node fails. */
    private boolean isTolerated(NodeProcess node) {
        return cluster.onNodeLoss() == OnNodeLoss.CONTINUE && !cluster.isMemoryNode(node.id()) && node.wasKilled();
    }

    /** Reports the failed nodes, in the order of their failures. */
    private int report() {
        List<NodeProcess> failed = nodes.failed();
        boolean haveOthersFinished = failed.stream().noneMatch(this::endsTheOthers);
        String end = haveOthersFinished ? TOLERATED : "";
        failed.forEach(node -> err.println("remus: " + node.howItEnded() + end));
        err.flush();
        if (haveOthersFinished) {
            return ExitStatus.OK;
        }
        boolean notStarted = failed.stream().anyMatch(node -> node.status() == ExitStatus.NOT_STARTED);
        return notStarted ? ExitStatus.NOT_STARTED : ExitStatus.FAILED;
    }
}
