package dev.remus.tools.bench;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.cli.cluster.ResultsFolder;
import dev.remus.cli.progress.ProgressView;
import dev.remus.cli.progress.ProgressViews;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.tools.bench.suite.OtherLoad;
import dev.remus.tools.bench.suite.SuiteRun;
import dev.remus.tools.queue.QueueKind;
import dev.remus.tools.results.Machine;
import dev.remus.tools.results.Provenance;
import dev.remus.tools.results.ProvenanceFile;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** {@code bench lock-free}: compares the lock-free queue with the published queue and a lock-based queue. */
final class LockFreeSuite {
    /** The name of the suite. */
    static final String NAME = "lock-free";

    /** A one-line summary. */
    static final String SUMMARY =
            "Compares the lock-free queue with the published queue and a lock-based queue, for 2, 4 and 8 threads.";

    private static final OptionSpec<Long> ROUNDS = OptionSpec.integer(
                    "--rounds", 1, 1000, "Number of interleaved measurements of each queue, after one warm-up")
            .withDefault(9L);

    private static final OptionSpec<Long> OPERATIONS = OptionSpec.integer(
                    "--operations", 1, 1_000_000, "Number of operations of each thread in a race, at most")
            .withDefault(100_000L);

    private static final OptionSpec<Long> MILLIS = OptionSpec.integer(
                    "--millis",
                    1,
                    600_000,
                    "Duration of each measurement in milliseconds: a race is repeated until it is reached")
            .withDefault(2_000L);

    private static final List<QueueKind> KINDS = List.of(QueueKind.ND, QueueKind.ND_PUBLISHED, QueueKind.BD);
    private static final int[] THREADS = {2, 4, 8};
    private static final double OVER_PUBLISHED = 1.5;

    private final PrintStream out;
    private final PrintStream err;

    LockFreeSuite(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    private static OptionSet options() {
        return new OptionSet("./remus " + SuiteRun.COMMAND + " " + NAME, SUMMARY)
                .include(new OptionGroup("Measuring", ROUNDS, MILLIS, OPERATIONS, RemusOptions.OUT))
                .example("./remus bench lock-free")
                .example("./remus bench lock-free --rounds 5 --millis 5000");
    }

    /**
     * Runs the suite, in this process.
     *
     * @return an {@link ExitStatus}: a missed target is no failure
     */
    int run(String... args) {
        return SuiteRun.run(options(), this::measure, out, err, args);
    }

    private int measure(Arguments arguments) throws Exception {
        ProgramRunner.watchParent();
        int rounds = arguments.get(ROUNDS).intValue();
        int operations = arguments.get(OPERATIONS).intValue();
        long millis = arguments.get(MILLIS);
        Path folder = ResultsFolder.create(arguments.get(RemusOptions.OUT), SuiteRun.COMMAND);
        Provenance provenance = Provenance.begin(arguments, SuiteRun.COMMAND, NAME);
        try {
            StringBuilder csv = new StringBuilder("threads,queue,round,operations_per_second,round_trips\n");
            double[][] throughput = new double[THREADS.length][KINDS.size()];
            double[][] roundTrips = new double[THREADS.length][KINDS.size()];
            OtherLoad load = OtherLoad.begin();
            try (ProgressView progress = ProgressViews.forUser(err)) {
                long races = (long) THREADS.length * (rounds + 1) * KINDS.size();
                AtomicLong done = new AtomicLong();
                Runnable counter = () -> progress.show(NAME, done.incrementAndGet(), races);
                for (int t = 0; t < THREADS.length; t++) {
                    List<List<LockFreeRace.Result>> results =
                            measure(new Effort(THREADS[t], rounds, operations, millis), csv, counter);
                    for (int k = 0; k < KINDS.size(); k++) {
                        throughput[t][k] = median(results.get(k).stream()
                                .mapToDouble(LockFreeRace.Result::operationsPerSecond)
                                .toArray());
                        roundTrips[t][k] = median(results.get(k).stream()
                                .mapToDouble(LockFreeRace.Result::roundTripsPerOperation)
                                .toArray());
                    }
                }
            }
            String text = "machine: " + Machine.here() + "\n\n"
                    + report(throughput, roundTrips, rounds, millis, load.share());
            out.print(text);
            out.flush();
            Files.writeString(folder.resolve("lock-free.txt"), text);
            Files.writeString(folder.resolve("lock-free.csv"), csv);
            ProvenanceFile.write(provenance, folder);
            out.println("results: " + folder);
            return ExitStatus.OK;
        } finally {
            ResultsFolder.removeIfEmpty(folder);
        }
    }

    private record Effort(int threads, int rounds, int operations, long millis) {}

    private static List<List<LockFreeRace.Result>> measure(Effort effort, StringBuilder csv, Runnable counter)
            throws Exception {
        List<List<LockFreeRace.Result>> results = new ArrayList<>();
        KINDS.forEach(kind -> results.add(new ArrayList<>()));
        for (int round = 0; round <= effort.rounds(); round++) {
            for (int k = 0; k < KINDS.size(); k++) {
                LockFreeRace.Result result =
                        new LockFreeRace(KINDS.get(k), effort.threads(), effort.operations(), effort.millis()).repeat();
                counter.run();
                if (round > 0) {
                    results.get(k).add(result);
                    csv.append(String.format(
                            Locale.ROOT,
                            "%d,%s,%d,%.0f,%.2f%n",
                            effort.threads(),
                            KINDS.get(k),
                            round,
                            result.operationsPerSecond(),
                            result.roundTripsPerOperation()));
                }
            }
        }
        return results;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private static String report(double[][] throughput, double[][] roundTrips, int rounds, long millis, double load) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "Java %s, one segment, %d rounds of %,d ms after one to warm up, half of the operations are enqueues;"
                        + " medians; %s%n%n",
                Runtime.version().feature(),
                rounds,
                millis,
                OtherLoad.describe(load)));
        text.append(String.format("threads  queue         M op/s  round trips/op  nd / this  target  verdict%n"));
        double logOfRatios = 0;
        for (int t = 0; t < THREADS.length; t++) {
            for (int k = 0; k < KINDS.size(); k++) {
                double ratio = throughput[t][0] / throughput[t][k];
                boolean hasTarget = KINDS.get(k) == QueueKind.ND_PUBLISHED;
                text.append(String.format(
                                Locale.ROOT,
                                "%7d  %-12s  %6.2f  %14.2f  %9.2f  %-6s  %s",
                                THREADS[t],
                                KINDS.get(k),
                                throughput[t][k] / 1e6,
                                roundTrips[t][k],
                                ratio,
                                hasTarget ? ">= " + OVER_PUBLISHED : "",
                                hasTarget ? OtherLoad.verdict(ratio >= OVER_PUBLISHED, load) : "")
                        .stripTrailing());
                text.append('\n');
                logOfRatios += KINDS.get(k) == QueueKind.BD ? Math.log(ratio) : 0;
            }
        }
        double mean = Math.exp(logOfRatios / THREADS.length);
        return text
                + String.format(
                        Locale.ROOT,
                        "%nnd / bd, geometric mean: %.2f  (>= 1)  %s%n",
                        mean,
                        OtherLoad.verdict(mean >= 1, load));
    }
}
