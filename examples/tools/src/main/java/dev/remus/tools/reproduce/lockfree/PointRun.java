// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.lockfree;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.progress.Progress;
import dev.remus.cli.progress.ProgressView;
import dev.remus.fabric.CostModel;
import dev.remus.fabric.LocalCost;
import dev.remus.tools.queue.QueueCommand;
import dev.remus.tools.queue.QueueKind;
import dev.remus.tools.queue.SimulatedQueueRun;
import dev.remus.tools.reproduce.experiment.ExperimentOptions.Where;
import dev.remus.tools.reproduce.experiment.ExperimentRun;
import dev.remus.tools.reproduce.experiment.PointProgress;
import dev.remus.tools.reproduce.experiment.RunExtent;
import dev.remus.tools.reproduce.testbed.RunFailedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes the runs of points: in the simulator, or with a process for each process of the paper.
 *
 * @param where the fabric
 * @param operations the operations of each process, at most
 * @param isLimited whether a measured run also ends after {@link #LIMIT_SECONDS}
 * @param model the cost of operations on sim
 * @param run the experiment
 */
record PointRun(Where where, long operations, boolean isLimited, CostModel model, ExperimentRun run) {
    /** Enough for the paper's n on an RDMA card; with RDMA in software, for a part of it. */
    static final int LIMIT_SECONDS = 30;

    /** With an emulated processor, a Java process takes half a minute and more to start. */
    private static final int CONNECT_SECONDS = 300;

    /** Long enough for the compiler of a new Java process. */
    private static final String WARM_UP_SECONDS = "1";

    private static final String QUICK_WARM_UP_SECONDS = "0.05";

    private String warmUp() {
        return run.extent() == RunExtent.QUICK ? QUICK_WARM_UP_SECONDS : WARM_UP_SECONDS;
    }

    /** Whether times are those of the simulator. */
    boolean isModelled() {
        return where == Where.SIM;
    }

    /** A sentence about the times, for the output. */
    String times() {
        if (!isModelled()) {
            return "times are measured on " + where + ", after " + warmUp() + " s of operations that are not";
        }
        LocalCost local = model.local().orElseThrow();
        return "times are modelled: " + model.name() + "; within a node READ " + local.read() + " ns, WRITE "
                + local.write() + " ns, atomic " + local.atomic() + " ns";
    }

    /** The same in a few words, for figures. */
    String caption() {
        return isModelled() ? "modelled times" : "measured on " + where + " after " + warmUp() + " s of warm-up";
    }

    /**
     * Makes one run.
     *
     * @param folder for its files
     * @throws RunFailedException if it has failed
     */
    void run(QueueKind queue, int processes, long seed, Path folder, PointProgress progress)
            throws IOException, InterruptedException {
        long work = QueueWork.of(queue, processes, operations);
        Optional<String> failure = isModelled()
                ? simulate(queue, processes, seed, folder, progress, work)
                : measure(queue, processes, seed, folder, progress.beginElsewhere(work));
        progress.complete(work);
        if (failure.isPresent()) {
            throw new RunFailedException(queue + ", " + processes + " processes: " + failure.get(), null);
        }
    }

    private Optional<String> simulate(
            QueueKind queue, int processes, long seed, Path folder, PointProgress progress, long work)
            throws IOException, InterruptedException {
        Progress point = new Progress();
        long total = operations * processes;
        progress.begin(() -> point.current()
                .map(phase -> (long) ((double) phase.done() / total * work))
                .orElse(0L));
        int nodes = (processes + PaperClaims.PROCESSES_OF_A_NODE - 1) / PaperClaims.PROCESSES_OF_A_NODE;
        return new SimulatedQueueRun(queue, nodes, processes, operations, seed, model).run(point, Map.of(), folder);
    }

    /** Runs each process as a node of its own, with its memory. */
    private Optional<String> measure(QueueKind queue, int processes, long seed, Path folder, ProgressView view)
            throws IOException {
        Files.createDirectories(folder);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        PrintStream quiet = new PrintStream(text, true, StandardCharsets.UTF_8);
        int forTwoQueues = 1 + SimulatedQueueRun.segmentSizeLog2(queue, processes, operations + 1);
        List<String> words = new ArrayList<>(List.of(
                "--fabric=" + where,
                "--queue=" + queue,
                "--first-mn-id=0",
                "--last-mn-id=" + (processes - 1),
                "--first-cn-id=0",
                "--last-cn-id=" + (processes - 1),
                "--cn-threads=1",
                "--num-ops=" + operations,
                "--warm-up=" + warmUp(),
                "--capacity=" + (operations + 1),
                "--seg-size=" + forTwoQueues,
                "--seed=" + seed,
                "--report=none",
                "--connect-timeout=" + CONNECT_SECONDS,
                "--out=" + folder));
        if (isLimited) {
            words.add("--run-time=" + LIMIT_SECONDS);
        }
        int status = QueueCommand.runOnce(run.mainClass(), quiet, quiet, view, words.toArray(String[]::new));
        return status == ExitStatus.OK ? Optional.empty() : Optional.of(text.toString(StandardCharsets.UTF_8));
    }
}
