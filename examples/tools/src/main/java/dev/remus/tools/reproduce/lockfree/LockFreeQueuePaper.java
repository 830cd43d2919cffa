package dev.remus.tools.reproduce.lockfree;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.progress.Progress;
import dev.remus.fabric.sim.CostModel;
import dev.remus.fabric.sim.LocalCost;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSpec;
import dev.remus.tools.harness.Hardware;
import dev.remus.tools.plot.NoFontsException;
import dev.remus.tools.plot.RunTable;
import dev.remus.tools.queue.QueueCommand;
import dev.remus.tools.queue.QueueKind;
import dev.remus.tools.queue.SimulatedQueueRun;
import dev.remus.tools.reproduce.experiment.ExperimentOptions;
import dev.remus.tools.reproduce.experiment.ExperimentOptions.Where;
import dev.remus.tools.reproduce.experiment.ExperimentRun;
import dev.remus.tools.reproduce.experiment.PaperExperiment;
import dev.remus.tools.reproduce.experiment.PointProgress;
import dev.remus.tools.reproduce.experiment.RunExtent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Figures 4 and 5 of the lock-free queue's paper: throughput, and the time of the parts of an operation. */
public final class LockFreeQueuePaper implements PaperExperiment {
    private static final List<QueueKind> QUEUES =
            List.of(QueueKind.ND_PUBLISHED, QueueKind.BD, QueueKind.BC, QueueKind.ND);

    /** The paper's n, of every process. */
    private static final long PUBLISHED_OPERATIONS = 10_000;

    /** Few enough for all points within ten minutes on two cores. */
    private static final long MODELLED_OPERATIONS = 200;

    private static final long QUICK_OPERATIONS = 20;

    /** Nodes are filled one by one, so beyond one node these are multiples of 12. */
    private static final List<Integer> MODELLED_PROCESSES = List.of(2, 4, 6, 8, 10, 12, 24, 36, 48, 60, 72);

    private static final int MAX_PROCESSES = 1_000;

    private static final int MAX_COLUMNS = 110;

    private static final OptionSpec<List<String>> PROCESSES = OptionSpec.list(
            "--processes",
            "n",
            "The numbers of processes; on sim, by default 2 to 72, at most 12 or a multiple of 12; else 2 and 4");

    private static final OptionSpec<Long> OPERATIONS = OptionSpec.integer(
            "--num-ops",
            1,
            1_000_000,
            "The operations of each process; with --full " + PUBLISHED_OPERATIONS + ", on sim by default "
                    + MODELLED_OPERATIONS);

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
        return List.of(ExperimentOptions.FABRIC, PROCESSES, OPERATIONS, LOCAL_LATENCY, PAPER);
    }

    /**
     * The paper's statements beside the result of a run, two or three sentences for each.
     *
     * @param points the {@code points.csv} of the run
     * @param isModelled whether its times are those of the simulator
     */
    public static String claims(RunTable points, boolean isModelled) {
        StringBuilder text = new StringBuilder();
        for (PaperClaims.Claim claim : new PaperClaims(QueuePoints.of(points), isModelled).all()) {
            claim.toString().lines().forEach(line -> text.append(wrapped(line)));
        }
        return text.toString();
    }

    /** A line as lines of a readable width, of which all but the first are indented. */
    private static String wrapped(String line) {
        StringBuilder text = new StringBuilder();
        int column = 0;
        for (String word : line.split(" ")) {
            if (column + 1 + word.length() > MAX_COLUMNS) {
                text.append("\n    ").append(word);
                column = 4 + word.length();
            } else {
                text.append(column == 0 ? "" : " ").append(word);
                column += word.length() + (column == 0 ? 0 : 1);
            }
        }
        return text.append('\n').toString();
    }

    @Override
    public int run(ExperimentRun run) throws IOException, InterruptedException {
        Arguments arguments = run.arguments();
        Where where = arguments.get(ExperimentOptions.FABRIC);
        if (where != Where.SIM && arguments.isGiven(LOCAL_LATENCY)) {
            throw arguments.usageError(LOCAL_LATENCY, "--fabric sim");
        }
        List<Integer> processes = processes(run, where);
        long operations = arguments.find(OPERATIONS).orElseGet(() -> operations(run.extent(), where));
        Optional<Path> given = arguments.find(PAPER);
        PaperFigures paper = given.isPresent() ? PaperFigures.read(given.get()) : PaperFigures.ofText();
        PointPrinter printer = new PointPrinter(paper);
        CostModel model = model(arguments);
        run.out().printf("n = %,d operations of each process; the paper has %,d%n", operations, PUBLISHED_OPERATIONS);
        run.out()
                .println(
                        where == Where.SIM
                                ? "times are modelled: " + model.name() + ", local accesses "
                                        + model.local().orElseThrow()
                                : "times are measured on " + where);
        run.out().println("times of parts are means per operation in µs; bcast_all is a mean over both kinds");
        run.out().println(printer.header());
        List<QueuePoint> points = new ArrayList<>();
        try (PointProgress progress = run.progress(work(processes, operations))) {
            for (QueueKind queue : QUEUES) {
                for (int count : processes) {
                    Path folder = run.folder().resolve(queue + "-" + count);
                    long work = QueueWork.of(queue, count, operations);
                    Optional<String> failure = where == Where.SIM
                            ? simulate(queue, count, operations, run.seed(), model, folder, progress, work)
                            : measure(queue, count, operations, where, run, folder);
                    if (failure.isPresent()) {
                        run.err().println("remus reproduce: " + queue + ", " + count + " processes: " + failure.get());
                        return ExitStatus.FAILED;
                    }
                    progress.complete(work);
                    QueuePoint point = QueuePoints.read(RunTable.gather(folder), queue, operations);
                    run.out().println(printer.line(point));
                    run.out().flush();
                    points.add(point);
                }
            }
        }
        String caption = String.format(
                Locale.ROOT, "n = %,d; %s", operations, where == Where.SIM ? "modelled times" : "measured on " + where);
        write(new QueuePoints(points), paper, caption, run);
        return ExitStatus.OK;
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

    private static CostModel model(Arguments arguments) throws IOException {
        CostModel model = CostModel.read(Hardware.MPI_ON_INFINIBAND);
        return arguments
                .find(LOCAL_LATENCY)
                .map(nanos -> model.withLocal(new LocalCost(
                        nanos, nanos, nanos, model.local().orElseThrow().addressGap())))
                .orElse(model);
    }

    private static long work(List<Integer> processes, long operations) {
        long work = 0;
        for (QueueKind queue : QUEUES) {
            for (int count : processes) {
                work += QueueWork.of(queue, count, operations);
            }
        }
        return work;
    }

    private static Optional<String> simulate(
            QueueKind queue,
            int processes,
            long operations,
            long seed,
            CostModel model,
            Path folder,
            PointProgress progress,
            long work)
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
    private static Optional<String> measure(
            QueueKind queue, int processes, long operations, Where where, ExperimentRun run, Path folder)
            throws IOException {
        Files.createDirectories(folder);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        PrintStream quiet = new PrintStream(text, true, StandardCharsets.UTF_8);
        int status = QueueCommand.run(
                run.mainClass(),
                quiet,
                quiet,
                "--fabric=" + where,
                "--queue=" + queue,
                "--first-mn-id=0",
                "--last-mn-id=" + (processes - 1),
                "--first-cn-id=0",
                "--last-cn-id=" + (processes - 1),
                "--cn-threads=1",
                "--num-ops=" + operations,
                "--capacity=" + (operations + 1),
                "--seg-size=" + SimulatedQueueRun.segmentSizeLog2(queue, processes, operations + 1),
                "--seed=" + run.seed(),
                "--report=none",
                "--out=" + folder);
        return status == ExitStatus.OK ? Optional.empty() : Optional.of(text.toString(StandardCharsets.UTF_8));
    }

    private static void write(QueuePoints points, PaperFigures paper, String caption, ExperimentRun run)
            throws IOException {
        RunTable table = points.table(paper);
        table.write(run.folder().resolve("points.csv"));
        String text = claims(table, run.arguments().get(ExperimentOptions.FABRIC) == Where.SIM);
        Files.writeString(run.folder().resolve("claims.txt"), text);
        run.out().print(text);
        run.out().println("paper's values: " + PaperFigures.AVAILABILITY);
        try {
            new QueueFigures(points, QUEUES, caption).write(paper, run.folder());
        } catch (NoFontsException e) {
            run.err().println("remus reproduce: there are no figures: " + e.getMessage());
        }
    }
}
