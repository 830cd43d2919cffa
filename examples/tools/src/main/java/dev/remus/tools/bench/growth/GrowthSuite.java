// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.growth;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.cli.cluster.ResultsFolder;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.tools.bench.suite.OtherLoad;
import dev.remus.tools.bench.suite.SuiteRun;
import dev.remus.tools.latency.Latencies;
import dev.remus.tools.latency.LatencySummary;
import dev.remus.tools.plot.RunTable;
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

/** {@code bench growth}: the longest operation on a hash map that grows under load. */
public final class GrowthSuite {
    /** The name of the suite. */
    public static final String NAME = "growth";

    /** A one-line summary. */
    public static final String SUMMARY = "The longest operation on a hash map that grows under load, in this process.";

    private static final String FABRIC = "shm";
    private static final int SLOTS_AT_FIRST = 1 << 10;
    private static final int SLOTS_OF_WARM_UP = 1 << 16;
    private static final int MOST_SLOTS = 1 << 26;
    private static final int MOST_THREADS = 64;
    private static final long TARGET_NANOS = 10_000_000;

    private static final OptionSpec<Long> SLOTS = OptionSpec.integer(
                    "--slots",
                    2 * SLOTS_AT_FIRST,
                    MOST_SLOTS,
                    "Number of slots to which the map grows, about, from 1,024; each takes 75 bytes of shared memory")
            .withDefault(1L << 23);

    private static final OptionSpec<Long> THREADS = OptionSpec.integer(
                    "--threads", 1, MOST_THREADS, "Number of threads that insert, read and update")
            .withDefault(2L);

    private GrowthSuite() {}

    private static OptionSet options() {
        return new OptionSet(
                        "./remus bench " + NAME,
                        SUMMARY
                                + " Each operation is timed by the clock and by the processor time of its thread, which"
                                + " leaves out pauses of the Java VM and other users of the processor.")
                .include(new OptionGroup("Measuring", SLOTS, THREADS))
                .include(new OptionGroup("Results", RemusOptions.OUT))
                .example("./remus bench growth")
                .example("./remus bench growth --slots 1000000 --threads 4");
    }

    /**
     * Runs the suite, in this process.
     *
     * @param out receives the results
     * @param err receives errors
     * @param args the command line, without the name
     * @return an {@link ExitStatus}: a missed target is no failure
     */
    public static int run(PrintStream out, PrintStream err, String... args) {
        return SuiteRun.run(options(), SuiteRun.cleaningUp(arguments -> measure(arguments, out)), out, err, args);
    }

    private static int measure(Arguments arguments, PrintStream out) throws Exception {
        ProgramRunner.watchParent();
        Path folder = ResultsFolder.create(arguments.get(RemusOptions.OUT), SuiteRun.COMMAND);
        Provenance provenance = Provenance.begin(arguments, SuiteRun.COMMAND, NAME);
        try {
            int threads = Math.toIntExact(arguments.get(THREADS));
            new Growth(FABRIC, threads, SLOTS_AT_FIRST, SLOTS_OF_WARM_UP).run(); // classes are loaded and compiled
            Growth growth = new Growth(FABRIC, threads, SLOTS_AT_FIRST, arguments.get(SLOTS));
            OtherLoad load = OtherLoad.begin();
            try (CollectorPauses pauses = new CollectorPauses()) {
                growth.run();
                load.end();
                String report = report(growth, threads, pauses, load);
                out.print(report);
                Files.writeString(folder.resolve("growth.txt"), report);
                new RunTable(rows(growth, pauses)).write(folder.resolve("growth.csv"));
            }
            ProvenanceFile.write(provenance, folder);
            out.println("results: " + folder);
            return ExitStatus.OK;
        } finally {
            ResultsFolder.removeIfEmpty(folder);
        }
    }

    private static String report(Growth growth, int threads, CollectorPauses pauses, OtherLoad load) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "LongLongMap from %,d to %,d slots in %.1f s, Java %s, %d threads%n",
                growth.slotsAtFirst(),
                growth.slots(),
                growth.nanos() / 1e9,
                System.getProperty("java.version"),
                threads));
        for (GrowthOperation operation : GrowthOperation.values()) {
            line(text, operation, " by the clock", growth.byClock());
            line(text, operation, " by processor time", growth.byProcessor());
        }
        long longest = Growth.longest(growth.byProcessor());
        text.append(pauses.describe())
                .append("; ")
                .append(OtherLoad.describe(load.share()))
                .append('\n')
                .append("Target: no operation takes more than 10 ms of processor time: ")
                .append(longest <= TARGET_NANOS ? "reached" : "missed")
                .append('\n');
        return text.toString();
    }

    private static void line(
            StringBuilder text, GrowthOperation operation, String clock, Latencies<GrowthOperation> latencies) {
        latencies
                .summary(operation)
                .ifPresent(summary -> text.append(
                        String.format(Locale.ROOT, "%-26s%s%n", Latencies.title(operation) + clock, summary)));
    }

    /** A row of the CSV file for each kind of operation. */
    private static List<Map<String, String>> rows(Growth growth, CollectorPauses pauses) {
        List<Map<String, String>> rows = new ArrayList<>();
        for (GrowthOperation operation : GrowthOperation.values()) {
            Map<String, String> row = new LinkedHashMap<>();
            row.put("operation", Latencies.title(operation));
            row.put("slots", Long.toString(growth.slots()));
            growth.byClock().summary(operation).ifPresent(summary -> put("clock", summary, row));
            growth.byProcessor().summary(operation).ifPresent(summary -> put("processor", summary, row));
            row.put("longest_pause_ms", Long.toString(pauses.longestMillis()));
            rows.add(row);
        }
        return rows;
    }

    private static void put(String clock, LatencySummary summary, Map<String, String> row) {
        row.put(clock + "_p99_ns", Long.toString(summary.p99()));
        row.put(clock + "_max_ns", Long.toString(summary.max()));
    }
}
