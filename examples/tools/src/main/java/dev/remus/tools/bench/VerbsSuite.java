// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.ResultsFolder;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.tools.bench.suite.OtherLoad;
import dev.remus.tools.bench.suite.SuiteRun;
import dev.remus.tools.results.Machine;
import dev.remus.tools.results.Provenance;
import dev.remus.tools.results.ProvenanceFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code bench verbs}: compares operations over RDMA with a loop in C on the same kind of queue pair. */
final class VerbsSuite {
    /** The name of the suite. */
    static final String NAME = "verbs";

    /** A one-line summary. */
    static final String SUMMARY =
            "Compares operations over RDMA, on this machine's port, with a loop in C on the same kind of queue pair, and with"
                    + " perftest.";

    private static final OptionSpec<Long> ROUNDS = OptionSpec.integer(
                    "--rounds", 1, 1000, "Number of interleaved turns of C and Java for each operation")
            .withDefault(20L);

    private static final OptionSpec<Long> SAMPLES = OptionSpec.integer(
                    "--samples", 10, 100_000, "Number of measured operations in a turn")
            .withDefault(200L);

    private static final OptionSpec<Long> MILLIS = OptionSpec.integer(
                    "--millis", 10, 60_000, "Duration in milliseconds of each throughput measurement")
            .withDefault(300L);

    private static final OptionSpec<Integer> PORT =
            RemusOptions.MN_PORT.withHelp("The port of the Memory Node").withDefault(18_615);

    private final PrintStream out;
    private final PrintStream err;

    VerbsSuite(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    private static OptionSet options() {
        return new OptionSet("./remus " + SuiteRun.COMMAND + " " + NAME, SUMMARY)
                .include(new OptionGroup("Measurement", ROUNDS, SAMPLES, MILLIS, PORT, RemusOptions.HOSTS))
                .include(new OptionGroup("Results", RemusOptions.OUT))
                .example("./remus bench verbs");
    }

    /**
     * Runs the suite.
     *
     * @return an {@link ExitStatus}: a missed target is no failure
     */
    int run(String... args) {
        return SuiteRun.run(options(), this::measure, out, err, args);
    }

    private int measure(Arguments arguments) throws IOException, InterruptedException {
        Provenance provenance = Provenance.begin(arguments, SuiteRun.COMMAND, NAME);
        StringBuilder report = new StringBuilder(
                Machine.here() + ", Java " + System.getProperty("java.version") + System.lineSeparator());
        String csv;
        OtherLoad load = OtherLoad.beginWithKernel();
        try (VerbsCluster cluster = new VerbsCluster(arguments.get(RemusOptions.HOSTS), arguments.get(PORT))) {
            VerbsLatency latency = new VerbsLatency(
                    cluster, Math.toIntExact(arguments.get(ROUNDS)), Math.toIntExact(arguments.get(SAMPLES)));
            latency.measure();
            show(report, latency.toText(load.share()));
            VerbsThroughput throughput = new VerbsThroughput(cluster, Math.toIntExact(arguments.get(MILLIS)));
            throughput.measure();
            show(report, throughput.toText());
            AsyncThroughput async =
                    new AsyncThroughput(cluster.ct(), cluster.pointer(), Math.toIntExact(arguments.get(MILLIS)));
            async.measure();
            show(report, async.toText());
            csv = async.toCsv();
            BesidePerftest beside = new BesidePerftest(cluster, latency, async, load);
            beside.measure();
            show(report, beside.toText());
        }
        Path folder = ResultsFolder.create(arguments.get(RemusOptions.OUT), SuiteRun.COMMAND);
        Files.writeString(folder.resolve("verbs.txt"), report);
        Files.writeString(folder.resolve("async.csv"), csv);
        ProvenanceFile.write(provenance, folder);
        out.println("results: " + folder);
        return ExitStatus.OK;
    }

    private void show(StringBuilder report, String text) {
        report.append(text).append(System.lineSeparator());
        out.println(text);
        out.flush();
    }
}
