// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.lockfree;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.config.Suggestion;
import dev.remus.fabric.CostModel;
import dev.remus.fabric.LocalCost;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSpec;
import dev.remus.tools.harness.Hardware;
import dev.remus.tools.plot.NoFontsException;
import dev.remus.tools.plot.RunTable;
import dev.remus.tools.queue.QueueKind;
import dev.remus.tools.reproduce.experiment.ExperimentOptions;
import dev.remus.tools.reproduce.experiment.ExperimentOptions.Where;
import dev.remus.tools.reproduce.experiment.ExperimentRun;
import dev.remus.tools.reproduce.experiment.PaperExperiment;
import dev.remus.tools.reproduce.experiment.PointProgress;
import dev.remus.tools.reproduce.experiment.RunExtent;
import dev.remus.tools.reproduce.testbed.RunFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Figures 4 and 5 of the lock-free queue's paper: throughput, and the time of the parts of an operation. */
public final class LockFreeQueuePaper implements PaperExperiment {
    private static final List<QueueKind> QUEUES =
            List.of(QueueKind.ND_PUBLISHED, QueueKind.BD, QueueKind.BC, QueueKind.ND);

    /** The paper's n, of every process. */
    static final long PUBLISHED_OPERATIONS = 10_000;

    /** Few enough for all points within ten minutes on two cores. */
    private static final long MODELLED_OPERATIONS = 200;

    private static final long QUICK_OPERATIONS = 20;

    /** Nodes are filled one by one, so beyond one node these are multiples of 12. */
    private static final List<Integer> MODELLED_PROCESSES = List.of(2, 4, 6, 8, 10, 12, 24, 36, 48, 60, 72);

    private static final int MAX_PROCESSES = 1_000;

    /** For error bars, where times are measured. */
    private static final long MEASURED_RUNS = 3;

    private static final String POINTS = "points.csv";

    private static final OptionSpec<List<String>> SELECTED =
            OptionSpec.list("--queues", "queue", "The queues to run; by default nd-published,bd,bc,nd");

    private static final OptionSpec<List<String>> PROCESSES = OptionSpec.list(
            "--processes",
            "n",
            "The numbers of processes; on sim, by default 2 to 72, at most 12 or a multiple of 12; else 2 and 4");

    private static final OptionSpec<Long> OPERATIONS = OptionSpec.integer(
            "--num-ops",
            1,
            1_000_000,
            "The operations of each process; with --full " + PUBLISHED_OPERATIONS + ", on sim by default "
                    + MODELLED_OPERATIONS + ", over RDMA by default those of " + PointRun.LIMIT_SECONDS + " s at most");

    private static final OptionSpec<Long> RUNS = OptionSpec.integer(
            "--runs",
            1,
            100,
            "The runs of each point, with seeds from --seed on; by default 1 on sim, and else " + MEASURED_RUNS);

    private static final OptionSpec<Long> LOCAL_LATENCY = OptionSpec.integer(
            "--local-latency",
            LocalCost.MIN_NANOS,
            LocalCost.MAX_NANOS,
            "On sim: the time in ns of an access within a node, instead of that of mpi-on-infiniband");

    private static final OptionSpec<Path> PAPER = OptionSpec.path(
            "--paper", "Numbers read off the paper's figure 4: a CSV file with queue, processes, throughput");

    @Override
    public String name() {
        return "lock-free-queue";
    }

    @Override
    public String summary() {
        return "The lock-free queue against queues with locks: figures 4 and 5";
    }

    @Override
    public List<OptionSpec<?>> options() {
        return List.of(ExperimentOptions.FABRIC, SELECTED, PROCESSES, OPERATIONS, RUNS, LOCAL_LATENCY, PAPER);
    }

    @Override
    public int run(ExperimentRun run) throws IOException, InterruptedException {
        Arguments arguments = run.arguments();
        Where where = arguments.get(ExperimentOptions.FABRIC);
        if (where != Where.SIM && arguments.isGiven(LOCAL_LATENCY)) {
            throw arguments.usageError(LOCAL_LATENCY, "--fabric sim");
        }
        List<QueueKind> queues = queues(arguments);
        List<Integer> processes = processes(run, where);
        long operations = arguments.find(OPERATIONS).orElseGet(() -> operations(run.extent(), where));
        long runs = arguments.find(RUNS).orElseGet(() -> runs(run.extent(), where));
        Optional<Path> given = arguments.find(PAPER);
        PaperFigures paper = given.isPresent() ? PaperFigures.read(given.get()) : PaperFigures.ofText();
        PointPrinter printer = new PointPrinter(paper);
        boolean isLimited = where == Where.VERBS && run.extent() == RunExtent.DEFAULT && !arguments.isGiven(OPERATIONS);
        PointRun point = new PointRun(where, operations, isLimited, model(arguments), run);
        run.out().printf("n = %s; the paper has %,d%n", length(operations, isLimited), PUBLISHED_OPERATIONS);
        run.out().println(point.times());
        if (runs > 1) {
            run.out().println("each line is a mean of " + runs + " runs");
        }
        run.out().println("times of parts are means per operation in µs; bcast_all is a mean over both kinds");
        run.out().println(printer.header());
        QueuePoints points = new QueuePoints();
        try (PointProgress progress = run.progress(runs * work(queues, processes, operations));
                PointRuns all = new PointRuns(point, progress)) {
            for (QueueKind queue : queues) {
                for (int count : processes) {
                    for (int i = 0; i < runs; i++) {
                        String folder = queue + "-" + count + (runs == 1 ? "" : "/run-" + (i + 1));
                        all.add(queue, count, run.seed() + i, run.folder().resolve(folder));
                    }
                }
            }
            for (QueueKind queue : queues) {
                for (int count : processes) {
                    for (int i = 0; i < runs; i++) {
                        points.add(all.take());
                        points.table(paper).write(run.folder().resolve(POINTS)); // an interrupted run keeps it
                    }
                    run.out().println(printer.line(points.find(queue, count).orElseThrow()));
                    run.out().flush();
                }
            }
        } catch (RunFailedException e) {
            run.err().println("remus reproduce: " + e.getMessage());
            return ExitStatus.FAILED;
        }
        write(points, queues, paper, length(operations, isLimited) + ", " + point.caption() + ".", run);
        return ExitStatus.OK;
    }

    private static String length(long operations, boolean isLimited) {
        String most = String.format(Locale.ROOT, "%,d operations of each process", operations);
        return isLimited ? most + ", or as many as it does in " + PointRun.LIMIT_SECONDS + " s" : most;
    }

    private static List<QueueKind> queues(Arguments arguments) {
        List<String> names = QUEUES.stream().map(QueueKind::toString).toList();
        List<String> selected = arguments.get(SELECTED);
        for (String word : selected) {
            if (!names.contains(word)) {
                throw arguments.usageError(
                        SELECTED, "a list of " + String.join(", ", names) + Suggestion.didYouMean(word, names));
            }
        }
        return QUEUES.stream()
                .filter(queue -> selected.isEmpty() || selected.contains(queue.toString()))
                .toList();
    }

    private static List<Integer> processes(ExperimentRun run, Where where) {
        Arguments arguments = run.arguments();
        List<Integer> processes = new ArrayList<>();
        for (String word : arguments.get(PROCESSES)) {
            int count = word.matches("[0-9]{1,4}") ? Integer.parseInt(word) : 0;
            boolean fits = where != Where.SIM
                    || count <= PaperClaims.PROCESSES_OF_A_NODE
                    || count % PaperClaims.PROCESSES_OF_A_NODE == 0;
            if (count < 2 || count > MAX_PROCESSES || !fits) {
                throw arguments.usageError(
                        PROCESSES, "numbers from 2 to " + MAX_PROCESSES + "; on sim, at most 12 or multiples of 12");
            }
            processes.add(count);
        }
        if (!processes.isEmpty()) {
            return processes.stream().sorted().distinct().toList();
        }
        if (run.extent() == RunExtent.QUICK) {
            return List.of(2, 4);
        }
        return where == Where.SIM ? MODELLED_PROCESSES : List.of(2, 4);
    }

    private static long operations(RunExtent extent, Where where) {
        return switch (extent) {
            case QUICK -> QUICK_OPERATIONS;
            case DEFAULT -> where == Where.SIM ? MODELLED_OPERATIONS : PUBLISHED_OPERATIONS;
            case FULL -> PUBLISHED_OPERATIONS;
        };
    }

    private static long runs(RunExtent extent, Where where) {
        return where == Where.SIM || extent == RunExtent.QUICK ? 1 : MEASURED_RUNS;
    }

    private static CostModel model(Arguments arguments) throws IOException {
        CostModel model = CostModel.read(Hardware.MPI_ON_INFINIBAND);
        return arguments
                .find(LOCAL_LATENCY)
                .map(nanos -> model.withLocal(new LocalCost(
                        nanos, nanos, nanos, model.local().orElseThrow().addressGap())))
                .orElse(model);
    }

    private static long work(List<QueueKind> queues, List<Integer> processes, long operations) {
        long work = 0;
        for (QueueKind queue : queues) {
            for (int count : processes) {
                work += QueueWork.of(queue, count, operations);
            }
        }
        return work;
    }

    private static void write(
            QueuePoints points, List<QueueKind> queues, PaperFigures paper, String caption, ExperimentRun run)
            throws IOException {
        PaperAndOurs comparison = new PaperAndOurs(
                RunTable.read(run.folder().resolve(POINTS)),
                run.arguments().get(ExperimentOptions.FABRIC) == Where.SIM);
        Files.writeString(run.folder().resolve("claims.txt"), comparison.text());
        Files.writeString(run.folder().resolve("paper-and-ours.md"), comparison.toMarkdown());
        run.out().print(comparison.text());
        run.out().println("paper's values: " + PaperFigures.AVAILABILITY);
        try {
            new QueueFigures(points, queues, caption).write(paper, run.folder());
        } catch (NoFontsException e) {
            run.err().println("remus reproduce: there are no figures: " + e.getMessage());
        }
    }
}
