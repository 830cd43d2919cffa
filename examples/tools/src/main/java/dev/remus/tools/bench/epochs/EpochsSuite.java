// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.epochs;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.cli.cluster.ResultsFolder;
import dev.remus.fabric.CostModel;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.tools.bench.suite.SuiteRun;
import dev.remus.tools.harness.Hardware;
import dev.remus.tools.plot.RunTable;
import dev.remus.tools.results.Provenance;
import dev.remus.tools.results.ProvenanceFile;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code bench epochs}: simulates clusters of several sizes that reclaim memory by epochs. */
public final class EpochsSuite {
    /** The name of the suite. */
    public static final String NAME = "epochs";

    /** A one-line summary. */
    public static final String SUMMARY =
            "Epochs per second and their cost, of simulated clusters with few and many threads.";

    private static final int MOST_THREADS = 10_000;
    private static final double TARGET = 0.05;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private static final OptionSpec<List<String>> THREADS = OptionSpec.list(
            "--threads",
            "threads",
            "Numbers of threads, from 1 to " + MOST_THREADS + ", on as many as 100 nodes; by default 4,100,1000");

    private static final OptionSpec<Long> MILLIS = OptionSpec.integer(
                    "--millis", 1, 60_000, "Simulated time of each run in milliseconds; the first quarter is warm-up")
            .withDefault(5L);

    private static final OptionSpec<Long> SEED = OptionSpec.integer(
                    "--seed", Long.MIN_VALUE, Long.MAX_VALUE, "The seed of the random choices")
            .withDefault(1L);

    private EpochsSuite() {}

    private static OptionSet options() {
        return new OptionSet("./remus bench " + NAME, SUMMARY)
                .include(new OptionGroup("Measuring", THREADS, MILLIS, SEED, Hardware.OPTION))
                .include(new OptionGroup("Results", RemusOptions.OUT))
                .example("./remus bench epochs")
                .example("./remus bench epochs --threads 1000 --millis 100");
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
        List<Integer> threads = threads(arguments);
        CostModel model = Hardware.model(arguments);
        ProgramRunner.watchParent();
        Path folder = ResultsFolder.create(arguments.get(RemusOptions.OUT), SuiteRun.COMMAND);
        Provenance provenance =
                Provenance.begin(arguments, SuiteRun.COMMAND, NAME).withSeed(SEED, arguments.get(SEED));
        try {
            StringBuilder report = new StringBuilder();
            print(EpochsPoint.head(), report, out);
            List<EpochsPoint> points = new ArrayList<>();
            for (int count : threads) {
                EpochsPoint point =
                        EpochsPoint.measure(count, arguments.get(MILLIS) * NANOS_PER_MILLI, arguments.get(SEED), model);
                points.add(point);
                print(point.row(), report, out);
            }
            boolean isMissed = points.stream().anyMatch(point -> point.extraRoundTripsPerOperation() > TARGET);
            print(
                    "\nTarget: at most " + TARGET + " extra round trips per operation: "
                            + (isMissed ? "missed" : "reached"),
                    report,
                    out);
            Files.writeString(folder.resolve("epochs.txt"), report);
            new RunTable(points.stream().map(EpochsPoint::cells).toList()).write(folder.resolve("epochs.csv"));
            ProvenanceFile.write(provenance, folder);
            out.println("results: " + folder);
            return ExitStatus.OK;
        } finally {
            ResultsFolder.removeIfEmpty(folder);
        }
    }

    private static List<Integer> threads(Arguments arguments) {
        List<Integer> threads = new ArrayList<>();
        for (String word : arguments.get(THREADS)) {
            if (!word.matches("[0-9]{1,5}") || Integer.parseInt(word) < 1 || Integer.parseInt(word) > MOST_THREADS) {
                throw arguments.usageError(THREADS, "numbers from 1 to " + MOST_THREADS + ", separated by commas");
            }
            threads.add(Integer.parseInt(word));
        }
        return threads.isEmpty() ? List.of(4, 100, 1000) : threads;
    }

    private static void print(String line, StringBuilder report, PrintStream out) {
        report.append(line).append('\n');
        out.println(line);
        out.flush();
    }
}
