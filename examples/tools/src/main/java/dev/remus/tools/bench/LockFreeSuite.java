// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.cli.cluster.ResultsFolder;
import dev.remus.cli.progress.ProgressView;
import dev.remus.cli.progress.ProgressViews;
import dev.remus.options.Arguments;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** {@code bench lock-free}: compares the lock-free queue with the published queue and a lock-based queue. */
final class LockFreeSuite {
    /** The name of the suite. */
    static final String NAME = LockFreeProcesses.NAME;

    /** A one-line summary. */
    static final String SUMMARY =
            "Compares the lock-free queue with the published queue and a lock-based queue, for 2, 4 and 8 threads or"
                    + " processes; and, where Open MPI is installed, with the published queue over MPI.";

    private static final OptionSpec<Boolean> PROCESSES = OptionSpec.flag(
            "--processes", "Each thread is a process, with a Memory Node of its own, like those of MPI");

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
                .include(LockFreeRounds.group(PROCESSES, RemusOptions.OUT))
                .example("./remus bench lock-free")
                .example("./remus bench lock-free --processes")
                .example("./remus bench lock-free --rounds 5 --millis 5000");
    }

    /**
     * Runs the suite.
     *
     * @return an {@link ExitStatus}: a missed target is no failure
     */
    int run(String... args) {
        return SuiteRun.run(options(), this::measure, out, err, args);
    }

    private int measure(Arguments arguments) throws Exception {
        ProgramRunner.watchParent();
        LockFreeRounds rounds = LockFreeRounds.of(arguments);
        boolean ofProcesses = arguments.get(PROCESSES);
        Path folder = ResultsFolder.create(arguments.get(RemusOptions.OUT), SuiteRun.COMMAND);
        Provenance provenance = Provenance.begin(arguments, SuiteRun.COMMAND, NAME);
        try {
            StringBuilder csv = new StringBuilder("threads,queue,round,operations_per_second,round_trips\n");
            OtherLoad load = OtherLoad.begin();
            List<Standing> standings = new ArrayList<>();
            for (int threads : THREADS) {
                Map<LockFreeRacer, List<LockFreeRace.Result>> results = new LinkedHashMap<>();
                LockFreeRounds.Sink sink = (round, racer, result) -> {
                    if (round > 0) {
                        results.computeIfAbsent(racer, one -> new ArrayList<>()).add(result);
                        csv.append(row(threads, racer, round, result));
                    }
                };
                if (ofProcesses) {
                    LockFreeProcesses.run(threads, rounds, folder.resolve(threads + "-processes"), err, sink);
                } else {
                    runThreads(threads, rounds, sink);
                }
                standings.addAll(standings(threads, results));
            }
            String text = "machine: " + Machine.here() + "\n\n" + report(standings, ofProcesses, rounds, load.share());
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

    private void runThreads(int threads, LockFreeRounds rounds, LockFreeRounds.Sink sink) throws Exception {
        long[] done = new long[1];
        try (ProgressView progress = ProgressViews.forUser(err)) {
            rounds.run(LockFreeThreads.inThisProcess(threads), (round, racer, result) -> {
                progress.show(threads + " threads", ++done[0], rounds.measurements());
                sink.accept(round, racer, result);
            });
        }
    }

    private static String row(int threads, LockFreeRacer racer, int round, LockFreeRace.Result result) {
        return String.format(
                Locale.ROOT,
                "%d,%s,%d,%.0f,%.2f%n",
                threads,
                racer,
                round,
                result.operationsPerSecond(),
                result.roundTripsPerOperation());
    }

    /**
     * The medians of a queue.
     *
     * @param ratio the operations of the first queue, divided by those of this one
     */
    private record Standing(int threads, LockFreeRacer racer, double throughput, double roundTrips, double ratio) {}

    private static List<Standing> standings(int threads, Map<LockFreeRacer, List<LockFreeRace.Result>> results) {
        List<Standing> standings = new ArrayList<>();
        results.forEach((racer, each) -> {
            double throughput = median(each, LockFreeRace.Result::operationsPerSecond);
            double first = standings.isEmpty() ? throughput : standings.get(0).throughput();
            double roundTrips = median(each, LockFreeRace.Result::roundTripsPerOperation);
            standings.add(new Standing(threads, racer, throughput, roundTrips, first / throughput));
        });
        return standings;
    }

    private static double median(List<LockFreeRace.Result> results, ToDoubleFunction<LockFreeRace.Result> figure) {
        double[] sorted = results.stream().mapToDouble(figure).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private static String report(List<Standing> standings, boolean ofProcesses, LockFreeRounds rounds, double load) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "Java %s, %s, %d rounds of %,d ms after one to warm up, half of the operations are enqueues;"
                        + " medians; %s%n%n",
                Runtime.version().feature(),
                ofProcesses ? "a process with a segment for each thread" : "one segment",
                rounds.rounds(),
                rounds.millis(),
                OtherLoad.describe(load)));
        text.append(ofProcesses ? "processes" : "  threads")
                .append("  queue         M op/s  round trips/op  nd / this  target  verdict\n");
        for (Standing one : standings) {
            boolean isPublished = one.racer().isPublished();
            text.append(String.format(
                            Locale.ROOT,
                            "%9d  %-12s  %6.2f  %14s  %9.2f  %-6s  %s",
                            one.threads(),
                            one.racer(),
                            one.throughput() / 1e6,
                            one.roundTrips() == 0 ? "-" : String.format(Locale.ROOT, "%.2f", one.roundTrips()),
                            one.ratio(),
                            isPublished ? ">= " + OVER_PUBLISHED : "",
                            isPublished ? OtherLoad.verdict(one.ratio() >= OVER_PUBLISHED, load) : "")
                    .stripTrailing());
            text.append('\n');
        }
        double mean = Math.exp(standings.stream()
                .filter(one -> one.racer().kind() == QueueKind.BD)
                .mapToDouble(one -> Math.log(one.ratio()))
                .average()
                .orElseThrow());
        text.append(String.format(
                Locale.ROOT,
                "%nnd / bd, geometric mean: %.2f  (>= 1)  %s%n",
                mean,
                OtherLoad.verdict(mean >= 1, load)));
        if (standings.stream().noneMatch(one -> one.racer().kind() == null)) {
            text.append("The published queue over MPI is skipped: examples/peers/install-openmpi installs Open MPI.\n");
        }
        return text.toString();
    }
}
