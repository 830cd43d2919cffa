package dev.remus.tools.queue;

import dev.remus.cli.cluster.CommandLine;
import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.progress.Progress;
import dev.remus.fabric.CostModel;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.tools.harness.Hardware;
import dev.remus.tools.harness.RunLength;
import dev.remus.tools.harness.RunTime;
import dev.remus.tools.results.Provenance;
import dev.remus.tools.results.ProvenanceFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Runs the experiment with queues on a simulated cluster, where a {@link CostModel} gives the cost of operations. All
 * threads run in this process, one at a time, so only patience limits their number.
 */
final class SimulatedSweep {
    private static final String SIM = "sim";
    private static final int MAX_THREADS = 10_000;
    private static final int MAX_THREADS_PER_NODE = 100;

    /**
     * The fewest round trips of an operation. {@code nd-published} and {@code bd} also announce each operation to all
     * threads.
     */
    private static final int ROUND_TRIPS_OF_AN_OPERATION = 8;

    private static final int ROUND_TRIPS_OF_ANNOUNCING = 5;
    /** Enough for 10,000 operations of 10,000 threads that announce each to all others. */
    private static final long MAX_ROUND_TRIPS = 10_000_000_000_000L;

    private static final long MIN_OPERATIONS = 10;

    /** Each may enqueue an item, and takes memory for it. */
    private static final long MAX_OPERATIONS = 1_000_000;

    private static final int MIN_CAPACITY = 16;
    private static final int MAX_CAPACITY = 4_096;
    private static final int CELLS_IN_ALL = 400_000;

    private static final OptionSpec<List<String>> THREADS = OptionSpec.list(
            QueueOptions.SWEEP.name(),
            "threads",
            "One run for each of these numbers of threads of the whole cluster; 1 to " + MAX_THREADS
                    + ", by default 2");

    private static final OptionSpec<List<String>> QUEUES =
            OptionSpec.list(QueueOptions.QUEUES.name(), "queue", "The queues to compare; by default " + QueueKind.ND);

    private static final OptionSpec<Long> SEED = OptionSpec.integer(
                    QueueOptions.SEED.name(), Long.MIN_VALUE, Long.MAX_VALUE, "The seed of the random choices")
            .withDefault(1L);

    private static final OptionSpec<Long> NODES = OptionSpec.integer(
                    "--nodes", 1, 1_000, "The most nodes, each a Memory Node and a Compute Node")
            .withDefault(6L);

    private static final OptionSpec<Long> ROUND_TRIPS = OptionSpec.integer(
                    "--round-trips",
                    1_000,
                    MAX_ROUND_TRIPS,
                    "The round trips of a run without --run-time, about; they limit the operations per thread")
            .withDefault(1_000_000L);

    private static final OptionSpec<Boolean> WINDOW = OptionSpec.flag(
            "--window",
            "End each run after --round-trips round trips of all threads together, and measure the last three quarters"
                    + " of it; n is then the number of operations that ended in these");

    private static final OptionSpec<String> FABRIC =
            OptionSpec.text(RemusOptions.FABRIC.name(), "name", "sim; any other name starts a real cluster");

    private final PrintStream out;
    private final PrintStream err;

    /** The results as a Markdown table, for documents. */
    private final StringBuilder markdown = new StringBuilder();

    SimulatedSweep(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Whether a command line requests a simulation. */
    static boolean isRequested(String... args) {
        List<String> words = Arrays.asList(args);
        int fabric = words.indexOf(FABRIC.name());
        return words.contains(FABRIC.name() + "=" + SIM)
                || fabric >= 0
                        && fabric + 1 < words.size()
                        && words.get(fabric + 1).equals(SIM);
    }

    private static OptionSet options() {
        return new OptionSet("./remus " + QueueProgram.NAME, "Runs the queues on a simulated cluster.")
                .include(new OptionGroup("Queue", QUEUES, QueueOptions.NUM_OPS, RunTime.OPTION, SEED))
                .include(new OptionGroup(
                        "Cluster", FABRIC, THREADS, NODES, Hardware.OPTION, ROUND_TRIPS, WINDOW, RemusOptions.OUT))
                .example("./remus queue --fabric sim --sweep 2,6,12,24,48,72 --queues nd-published,nd,bd,bc")
                .example("./remus queue --fabric sim --sweep 6,12 --run-time 0.01 # of simulated time")
                .example("./remus queue --fabric sim --sweep 100,1000 --nodes 100 --queues nd,buffered --window");
    }

    /** @return an {@link ExitStatus} */
    int run(String... args) {
        markdown.append("<!-- generated by: ./remus queue ")
                .append(String.join(" ", args))
                .append(
                        " -->\n| queue | threads | n | op/s | µs per op | trips per op | busiest |\n|---|---|---|---|---|---|---|\n");
        return CommandLine.run(QueueProgram.NAME, options(), this::run, out, err, args);
    }

    private int run(Arguments arguments) throws IOException, InterruptedException {
        for (OptionSpec<?> length : List.of(RunTime.OPTION, QueueOptions.NUM_OPS)) {
            if (arguments.get(WINDOW) && arguments.isGiven(length)) {
                throw arguments.usageError(
                        length, "to be left out with --window, which ends a run after --round-trips");
            }
        }
        Provenance provenance = Provenance.begin(arguments, QueueProgram.NAME).withSeed(SEED, arguments.get(SEED));
        CostModel model = Hardware.model(arguments);
        List<QueueKind> named = QueueOptions.queues(QUEUES, arguments);
        List<QueueKind> queues = named.isEmpty() ? List.of(QueueKind.ND) : named;
        List<Integer> threads = threads(arguments);
        for (int count : threads) {
            nodes(count, arguments);
            queues.forEach(queue -> checkRoom(queue, count, arguments));
        }
        Path folder = arguments
                .get(RemusOptions.OUT)
                .resolve("queue-model-" + model.name().replaceAll(".*/", "") + "-" + System.currentTimeMillis());
        out.printf(
                "%-17s %7s %7s %10s %14s %12s   %s%n",
                "queue", "threads", "n", "op/s", "µs per op", "trips per op", "busiest");
        boolean isBalanced = true;
        for (QueueKind queue : queues) {
            for (int count : threads) {
                isBalanced &= runOne(queue, count, model, arguments, folder);
            }
        }
        ProvenanceFile.write(provenance, folder);
        Files.writeString(folder.resolve("sweep.md"), markdown.append("<!-- end -->\n"));
        SweepFiles.write(folder, out, err);
        return isBalanced ? ExitStatus.OK : ExitStatus.FAILED;
    }

    private static List<Integer> threads(Arguments arguments) {
        List<Integer> threads = new ArrayList<>();
        for (String word : arguments.get(THREADS)) {
            if (!word.matches("[0-9]{1,5}") || Integer.parseInt(word) < 1 || Integer.parseInt(word) > MAX_THREADS) {
                throw arguments.usageError(THREADS, "numbers from 1 to " + MAX_THREADS + ", separated by commas");
            }
            threads.add(Integer.parseInt(word));
        }
        return threads.isEmpty() ? List.of(2) : threads;
    }

    /** @return whether the books balance */
    private boolean runOne(QueueKind queue, int threads, CostModel model, Arguments arguments, Path folder)
            throws IOException, InterruptedException {
        int nodes = nodes(threads, arguments);
        boolean inWindow = arguments.get(WINDOW);
        RunLength length = length(queue, threads, arguments);
        long seed = arguments.get(SEED);
        int capacity = inWindow || length.isTimed() ? capacityInWindow(threads) : (int) length.operations() + 1;
        QueueWorkload workload = new QueueWorkload(
                queue, QueueWorkload.Pattern.RANDOM, length, queue.hasOneConsumer() ? 1024 : capacity, seed, false);
        SimulatedQueueRun run =
                new SimulatedQueueRun(workload, SimulatedQueueRun.cluster(queue, nodes, threads, capacity), model);
        QueueRunResult result = inWindow ? run.window(arguments.get(ROUND_TRIPS)) : run.whole(new Progress());
        Object[] point = {
            queue,
            threads,
            inWindow || length.isTimed() ? result.get(QueueMetric.OP_COUNT) : length.operations(),
            result.throughput(),
            result.microsPerOperation(),
            (double) result.get(QueueMetric.ROUND_TRIPS) / Math.max(1, result.get(QueueMetric.OP_COUNT)),
            run.busiest()
        };
        out.printf(Locale.ROOT, "%-17s %7d %7d %10.0f %14.2f %12.1f   %s%n", point);
        out.flush();
        markdown.append(String.format(Locale.ROOT, "| `%s` | %,d | %,d | %,.0f | %,.2f | %,.1f | %s |\n", point));
        if (!result.isBalanced()) {
            err.println("the books do not balance: " + result.books());
        }
        Path files = Files.createDirectories(folder.resolve(queue + "-" + threads));
        Map<String, String> options = new LinkedHashMap<>();
        options.put(Hardware.OPTION.name(), model.name());
        options.put(NODES.name(), Integer.toString(nodes));
        options.put("busiest", run.busiest());
        QueueFiles.write(result, options, files);
        return result.isBalanced();
    }

    /** The most nodes that divide the threads evenly. */
    private static int nodes(int threads, Arguments arguments) {
        int nodes = (int) Math.min(threads, arguments.get(NODES));
        while (threads % nodes != 0) {
            nodes--;
        }
        if (threads / nodes > MAX_THREADS_PER_NODE) {
            throw arguments.usageError(
                    NODES,
                    "a number such that " + threads + " threads are at most " + MAX_THREADS_PER_NODE + " on each node");
        }
        return nodes;
    }

    /**
     * The length of a run. With a given time, which is simulated time, a number of operations is a limit only if it is
     * given.
     */
    private static RunLength length(QueueKind queue, int threads, Arguments arguments) {
        long nanos = RunTime.nanos(arguments);
        long requested = arguments.get(QueueOptions.NUM_OPS);
        if (nanos == 0) {
            return RunLength.ofOperations(Math.min(requested, operations(queue, threads, arguments)));
        }
        return new RunLength(arguments.isGiven(QueueOptions.NUM_OPS) ? requested : RunLength.UNLIMITED, nanos);
    }

    private static void checkRoom(QueueKind queue, int threads, Arguments arguments) {
        RunLength length = length(queue, threads, arguments);
        if (!arguments.get(WINDOW) && !length.isTimed() && length.operations() > MAX_OPERATIONS) {
            throw arguments.usageError(
                    QueueOptions.NUM_OPS,
                    String.format(
                            Locale.ROOT,
                            "at most %,d operations of a thread without --run-time, because the queue has room for all"
                                    + " items; or a smaller --round-trips",
                            MAX_OPERATIONS));
        }
    }

    private static long operations(QueueKind queue, int threads, Arguments arguments) {
        boolean announces = queue == QueueKind.BD || queue == QueueKind.ND_PUBLISHED;
        long each = (long) ROUND_TRIPS_OF_AN_OPERATION + (announces ? ROUND_TRIPS_OF_ANNOUNCING * threads : 0);
        return Math.max(MIN_OPERATIONS, arguments.get(ROUND_TRIPS) / (each * threads));
    }

    /** A capacity per thread that suffices while as many items are enqueued as dequeued. */
    private static int capacityInWindow(int threads) {
        return Math.max(MIN_CAPACITY, Math.min(MAX_CAPACITY, CELLS_IN_ALL / threads));
    }
}
