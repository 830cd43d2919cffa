// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.lists;

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
import dev.remus.tools.bench.suite.BenchFabric;
import dev.remus.tools.bench.suite.SuiteRun;
import dev.remus.tools.plot.RunTable;
import dev.remus.tools.plot.TableFigure;
import dev.remus.tools.results.Machine;
import dev.remus.tools.results.Provenance;
import dev.remus.tools.results.ProvenanceFile;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code bench round-trips}: compares the plain lazy list with the fast one and the lock-free one. */
public final class RoundTripsSuite {
    /** The name of the suite. */
    public static final String NAME = "round-trips";

    /** A one-line summary. */
    public static final String SUMMARY =
            "Round trips and throughput of the plain, fast, cached and lock-free list; on shm also of a heap list.";

    private static final OptionSpec<Long> SAMPLES = OptionSpec.integer(
                    "--samples", 1, 100_000, "Number of repetitions of each operation to count its round trips")
            .withDefault(200L);

    private static final OptionSpec<Long> ROUNDS = OptionSpec.integer(
                    "--rounds",
                    0,
                    1000,
                    "Number of interleaved throughput measurements of each list, after one warm-up; 0 to skip them")
            .withDefault(9L);

    private static final OptionSpec<Long> MILLIS = OptionSpec.integer(
                    "--millis", 10, 600_000, "Duration of each throughput measurement in milliseconds")
            .withDefault(1000L);

    private static final OptionSpec<Long> KEYS = OptionSpec.integer(
                    "--keys", 2, 1_000_000, "Number of keys in throughput measurements; half are in the list")
            .withDefault(4096L);

    private static final OptionSpec<Long> UPDATES = OptionSpec.integer(
                    "--updates", 0, 100, "Percentage of inserts and removes in throughput measurements, half each")
            .withDefault(100L);

    private static final OptionSpec<Long> THREADS = OptionSpec.integer(
                    "--threads", 1, 64, "Largest number of threads in throughput measurements: 1, 2, 4, ...")
            .withDefault(2L);

    private static final String PER_SECOND = "operations per second";
    private static final String OF_CONTAINS = "round trips of contains";

    private RoundTripsSuite() {}

    private static OptionSet options() {
        return new OptionSet("./remus bench " + NAME, SUMMARY)
                .include(new OptionGroup(
                        "Measuring", SAMPLES, ROUNDS, MILLIS, KEYS, UPDATES, THREADS, RemusOptions.FABRIC))
                .include(new OptionGroup("Results", RemusOptions.OUT))
                .example("./remus bench round-trips")
                .example("./remus bench round-trips --updates 10")
                .example("./remus bench round-trips --fabric verbs --keys 1024 --millis 3000");
    }

    /**
     * Runs the suite, in this process.
     *
     * @param out receives the results
     * @param err receives errors and progress
     * @param args the command line, without the name
     * @return an {@link ExitStatus}: a missed target is no failure
     */
    public static int run(PrintStream out, PrintStream err, String... args) {
        return SuiteRun.run(options(), SuiteRun.cleaningUp(arguments -> measure(arguments, out, err)), out, err, args);
    }

    private static int measure(Arguments arguments, PrintStream out, PrintStream err) throws Exception {
        BenchFabric.name(arguments, RemusOptions.FABRIC);
        ProgramRunner.watchParent();
        Path folder = ResultsFolder.create(arguments.get(RemusOptions.OUT), SuiteRun.COMMAND);
        Provenance provenance = Provenance.begin(arguments, SuiteRun.COMMAND, NAME);
        try {
            List<String> misses = new ArrayList<>();
            StringBuilder report = new StringBuilder(
                    "machine: " + Machine.here() + "; Java " + System.getProperty("java.version") + "\n\n");
            RoundTripsTable counted = RoundTripsTable.count(integer(arguments, SAMPLES));
            show(counted.toText(), report, out);
            misses.addAll(counted.misses());
            counted.toTable().write(folder.resolve("round-trips.csv"));
            draw(onOneNode(counted.toTable()), "keys", OF_CONTAINS, folder.resolve("round-trips.svg"));
            if (arguments.get(ROUNDS) > 0) {
                List<ThroughputTable> raced = race(arguments, err);
                for (ThroughputTable table : raced) {
                    show(table.toText(), report, out);
                    misses.addAll(table.misses());
                }
                new RunTable(raced.stream()
                                .flatMap(table -> table.toTable().rows().stream())
                                .toList())
                        .write(folder.resolve("throughput.csv"));
                draw(raced.get(0).toTable(), "threads", PER_SECOND, folder.resolve("throughput.svg"));
            }
            show(
                    misses.isEmpty()
                            ? "No target that could be judged was missed.\n"
                            : "Missed: " + String.join("; ", misses) + "\n",
                    report,
                    out);
            Files.writeString(folder.resolve("round-trips.txt"), report);
            ProvenanceFile.write(provenance, folder);
            out.println("results: " + folder);
            return ExitStatus.OK;
        } finally {
            ResultsFolder.removeIfEmpty(folder);
        }
    }

    /** One table for each layout; over a network, where the layout does not matter, for the first. */
    private static List<ThroughputTable> race(Arguments arguments, PrintStream err) throws Exception {
        String fabric = arguments.get(RemusOptions.FABRIC);
        List<Integer> threads = new ArrayList<>();
        for (int n = 1; n <= arguments.get(THREADS); n *= 2) {
            threads.add(n);
        }
        int rounds = integer(arguments, ROUNDS);
        List<ListLayout> layouts = fabric.equals("shm") ? ListLayout.ALL : ListLayout.ALL.subList(0, 1);
        int races = ThroughputTable.races(fabric, threads, rounds);
        int all = layouts.size() * races;
        List<ThroughputTable> tables = new ArrayList<>();
        try (ProgressView progress = ProgressViews.forUser(err)) {
            for (ListLayout layout : layouts) {
                int before = tables.size() * races;
                tables.add(ThroughputTable.measure(
                        fabric,
                        threads,
                        integer(arguments, KEYS),
                        integer(arguments, UPDATES),
                        rounds,
                        integer(arguments, MILLIS),
                        layout,
                        done -> progress.show(NAME, before + done, all)));
            }
        }
        return tables;
    }

    private static RunTable onOneNode(RunTable table) {
        return new RunTable(table.rows().stream()
                .filter((Map<String, String> row) -> "1".equals(row.get("memory nodes")))
                .toList());
    }

    private static void draw(RunTable table, String x, String y, Path file) throws Exception {
        TableFigure.of(table, x, y, Optional.of("list")).write(file);
    }

    private static void show(String text, StringBuilder report, PrintStream out) {
        report.append(text).append('\n');
        out.println(text);
        out.flush();
    }

    private static int integer(Arguments arguments, OptionSpec<Long> spec) {
        return Math.toIntExact(arguments.get(spec));
    }
}
