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
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** {@code bench lock-free}: compares the lock-free queue with the published queue and a lock-based queue. */
final class LockFreeSuite {
    /** The name of the suite. */
    static final String NAME = "lock-free";

    /** A one-line summary. */
    static final String SUMMARY =
            "Compares the lock-free queue with the published queue and a lock-based queue, for 2, 4 and 8 threads; and,"
                    + " where Open MPI is installed, with the published queue over MPI.";

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

    private static final String LOCKS = QueueKind.BD.toString();
    private static final String OVER_MPI = "over MPI";
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
            OtherLoad load = OtherLoad.begin();
            List<Standing> standings = new ArrayList<>();
            try (MpiQueue overMpi = MpiProgram.isInstalled() ? MpiQueue.compile() : null;
                    ProgressView progress = ProgressViews.forUser(err)) {
                List<Racer> racers = racers(overMpi);
                long races = (long) THREADS.length * (rounds + 1) * racers.size();
                AtomicLong done = new AtomicLong();
                Runnable counter = () -> progress.show(NAME, done.incrementAndGet(), races);
                for (int threads : THREADS) {
                    standings.addAll(measure(new Effort(threads, rounds, operations, millis), racers, csv, counter));
                }
            }
            String text = "machine: " + Machine.here() + "\n\n" + report(standings, rounds, millis, load.share());
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

    /** Makes one measurement. */
    private interface Race {
        LockFreeRace.Result repeat(Effort effort) throws Exception;
    }

    /**
     * A queue that is measured.
     *
     * @param isPublished whether ours is to be faster than it by a target
     */
    private record Racer(String name, boolean isPublished, Race race) {
        static Racer of(QueueKind kind) {
            return new Racer(
                    kind.toString(),
                    kind == QueueKind.ND_PUBLISHED,
                    effort -> new LockFreeRace(kind, effort.threads(), effort.operations(), effort.millis()).repeat());
        }
    }

    /** The queues, of which the first is compared with the others. */
    private static List<Racer> racers(@Nullable MpiQueue overMpi) {
        List<Racer> racers = new ArrayList<>(
                List.of(Racer.of(QueueKind.ND), Racer.of(QueueKind.ND_PUBLISHED), Racer.of(QueueKind.BD)));
        if (overMpi != null) {
            racers.add(new Racer(
                    OVER_MPI, true, effort -> overMpi.repeat(effort.threads(), effort.operations(), effort.millis())));
        }
        return racers;
    }

    /**
     * The medians of a queue.
     *
     * @param ratio the operations of the first queue, divided by those of this one
     */
    private record Standing(int threads, Racer racer, double throughput, double roundTrips, double ratio) {}

    private static List<Standing> measure(Effort effort, List<Racer> racers, StringBuilder csv, Runnable counter)
            throws Exception {
        List<List<LockFreeRace.Result>> results = new ArrayList<>();
        racers.forEach(racer -> results.add(new ArrayList<>()));
        for (int round = 0; round <= effort.rounds(); round++) {
            for (int k = 0; k < racers.size(); k++) {
                LockFreeRace.Result result = racers.get(k).race().repeat(effort);
                counter.run();
                if (round > 0) {
                    results.get(k).add(result);
                    csv.append(String.format(
                            Locale.ROOT,
                            "%d,%s,%d,%.0f,%.2f%n",
                            effort.threads(),
                            racers.get(k).name(),
                            round,
                            result.operationsPerSecond(),
                            result.roundTripsPerOperation()));
                }
            }
        }
        List<Standing> standings = new ArrayList<>();
        for (int k = 0; k < racers.size(); k++) {
            double throughput = median(results.get(k), LockFreeRace.Result::operationsPerSecond);
            double first = standings.isEmpty() ? throughput : standings.get(0).throughput();
            double roundTrips = median(results.get(k), LockFreeRace.Result::roundTripsPerOperation);
            standings.add(new Standing(effort.threads(), racers.get(k), throughput, roundTrips, first / throughput));
        }
        return standings;
    }

    private static double median(List<LockFreeRace.Result> results, ToDoubleFunction<LockFreeRace.Result> figure) {
        double[] sorted = results.stream().mapToDouble(figure).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private static String report(List<Standing> standings, int rounds, long millis, double load) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "Java %s, one segment, %d rounds of %,d ms after one to warm up, half of the operations are enqueues;"
                        + " medians; %s%n%n",
                Runtime.version().feature(),
                rounds,
                millis,
                OtherLoad.describe(load)));
        text.append(String.format("threads  queue         M op/s  round trips/op  nd / this  target  verdict%n"));
        for (Standing one : standings) {
            boolean isPublished = one.racer().isPublished();
            text.append(String.format(
                            Locale.ROOT,
                            "%7d  %-12s  %6.2f  %14s  %9.2f  %-6s  %s",
                            one.threads(),
                            one.racer().name(),
                            one.throughput() / 1e6,
                            one.roundTrips() == 0 ? "-" : String.format(Locale.ROOT, "%.2f", one.roundTrips()),
                            one.ratio(),
                            isPublished ? ">= " + OVER_PUBLISHED : "",
                            isPublished ? OtherLoad.verdict(one.ratio() >= OVER_PUBLISHED, load) : "")
                    .stripTrailing());
            text.append('\n');
        }
        double mean = Math.exp(standings.stream()
                .filter(one -> one.racer().name().equals(LOCKS))
                .mapToDouble(one -> Math.log(one.ratio()))
                .average()
                .orElseThrow());
        text.append(String.format(
                Locale.ROOT,
                "%nnd / bd, geometric mean: %.2f  (>= 1)  %s%n",
                mean,
                OtherLoad.verdict(mean >= 1, load)));
        if (standings.stream().noneMatch(one -> one.racer().name().equals(OVER_MPI))) {
            text.append("The published queue over MPI is skipped: examples/peers/install-openmpi installs Open MPI.\n");
        }
        return text.toString();
    }
}
