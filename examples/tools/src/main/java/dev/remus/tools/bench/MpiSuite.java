// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.GracefulShutdown;
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
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * {@code bench mpi}: compares operations on shared memory with one-sided operations of Open MPI, interleaved, and
 * measures asynchronous operations.
 */
final class MpiSuite {
    /** The name of the suite. */
    static final String NAME = "mpi";

    /** A one-line summary. */
    static final String SUMMARY = "Compares operations on shared memory with one-sided operations of Open MPI.";

    private static final String INSTALL = "examples/peers/install-openmpi";

    /** Measured rounds per warm-up round; there is at least one warm-up round. */
    private static final int ROUNDS_PER_WARM_UP = 8;

    private static final OptionSpec<Long> ROUNDS = OptionSpec.integer(
                    "--rounds", 1, 1000, "Interleaved turns of MPI and Remus for each operation, after warming up")
            .withDefault(201L);

    private static final OptionSpec<Long> OPERATIONS = OptionSpec.integer(
                    "--operations",
                    1000,
                    1_000_000_000,
                    "Number of operations in a turn: few, so that most turns are not interrupted")
            .withDefault(20_000L);

    private static final OptionSpec<Long> MILLIS = OptionSpec.integer(
                    "--millis", 10, 60_000, "Duration in milliseconds of each measurement of asynchronous operations")
            .withDefault(200L);

    private final PrintStream out;
    private final PrintStream err;
    private final Map<MpiOperation, double[]> mpi = new EnumMap<>(MpiOperation.class);
    private final Map<MpiOperation, double[]> ours = new EnumMap<>(MpiOperation.class);

    /** The share of the processors that others used during the comparison. */
    private double otherLoad;

    /** The sum of the loops' results, printed to prevent dead-code elimination. */
    private long sum;

    MpiSuite(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    private static OptionSet options() {
        return new OptionSet("./remus " + SuiteRun.COMMAND + " " + NAME, SUMMARY)
                .include(new OptionGroup("Measuring", ROUNDS, OPERATIONS, MILLIS))
                .include(new OptionGroup("Results", RemusOptions.OUT))
                .example("./remus bench mpi");
    }

    /**
     * Runs the suite.
     *
     * @return an {@link ExitStatus}: neither a missed target nor a missing peer is a failure
     */
    int run(String... args) {
        return SuiteRun.run(options(), this::measure, out, err, args);
    }

    private int measure(Arguments arguments) throws IOException {
        Path folder = ResultsFolder.create(arguments.get(RemusOptions.OUT), SuiteRun.COMMAND);
        Provenance provenance = Provenance.begin(arguments, SuiteRun.COMMAND, NAME);
        StringBuilder text = new StringBuilder();
        StringBuilder csv = new StringBuilder();
        try (OneProcess cluster = new OneProcess(AsyncThroughput.MAX_OUTSTANDING)) {
            long block = cluster.ct().allocate(MpiOperation.values().length * (long) Long.BYTES);
            for (int i = 0; i < MpiOperation.values().length; i++) {
                cluster.ct().write(block + (long) i * Long.BYTES, 0);
            }
            show(text, Machine.here() + ", Java " + System.getProperty("java.version"));
            if (MpiProgram.isInstalled()) {
                show(text, MpiProgram.version() + ", osc sm");
                compare(cluster, block, arguments);
                show(text, table());
                csv.append(csv());
            } else {
                show(
                        text,
                        "Skipped the comparison, because Open MPI is not installed. To install it, run " + INSTALL
                                + " or apt-get install openmpi-bin libopenmpi-dev gcc.\n");
            }
            AsyncThroughput throughput =
                    new AsyncThroughput(cluster.ct(), block, Math.toIntExact(arguments.get(MILLIS)));
            throughput.measure();
            show(text, throughput.toText());
            Files.writeString(folder.resolve("mpi.txt"), text);
            if (!csv.isEmpty()) {
                Files.writeString(folder.resolve("mpi.csv"), csv);
            }
            Files.writeString(folder.resolve("async.csv"), throughput.toCsv());
            ProvenanceFile.write(provenance, folder);
            out.println("results: " + folder);
            return ExitStatus.OK;
        } finally {
            ResultsFolder.removeIfEmpty(folder);
        }
    }

    private void show(StringBuilder text, String part) {
        text.append(part).append('\n');
        out.println(part);
        out.flush();
    }

    private void compare(OneProcess cluster, long block, Arguments arguments) throws IOException {
        int rounds = Math.toIntExact(arguments.get(ROUNDS));
        long operations = arguments.get(OPERATIONS);
        OtherLoad load = OtherLoad.begin();
        try (MpiPeer peer = MpiPeer.start();
                GracefulShutdown end = new GracefulShutdown(peer::stop)) {
            for (int round = -1 - rounds / ROUNDS_PER_WARM_UP; round < rounds && !end.hasBegun(); round++) {
                for (MpiOperation operation : MpiOperation.values()) {
                    double theirs = (double) peer.run(operation, operations) / operations;
                    long word = block + Long.BYTES * (long) operation.ordinal();
                    long start = System.nanoTime();
                    sum += operation.run(cluster.ct(), word, operations);
                    double own = (double) (System.nanoTime() - start) / operations;
                    if (round >= 0) {
                        mpi.computeIfAbsent(operation, each -> new double[rounds])[round] = theirs;
                        ours.computeIfAbsent(operation, each -> new double[rounds])[round] = own;
                    }
                }
            }
        }
        otherLoad = load.share();
    }

    private static double median(Map<MpiOperation, double[]> measured, MpiOperation operation) {
        double[] sorted =
                Objects.requireNonNull(measured.get(operation), "measured").clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private double ratio(MpiOperation operation) {
        return median(mpi, operation) / median(ours, operation);
    }

    private String table() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "One-sided operations of 8 bytes, each complete before the next; median of the turns, ns (checksum %x)%n%s%n"
                        + "%-18s %8s   %-16s %8s  %13s  %s%n",
                sum,
                OtherLoad.describe(otherLoad),
                "",
                "MPI",
                "",
                "Remus",
                "times faster",
                "target"));
        for (MpiOperation operation : mpi.keySet()) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-18s %8.1f   %-16s %8.1f  %12.1fx  >= %.0fx %s%n",
                    operation,
                    median(mpi, operation),
                    operation.ours(),
                    median(ours, operation),
                    ratio(operation),
                    operation.target(),
                    verdict(operation)));
        }
        return text.toString();
    }

    private String verdict(MpiOperation operation) {
        return OtherLoad.verdict(ratio(operation) >= operation.target(), otherLoad);
    }

    private String csv() {
        StringBuilder csv = new StringBuilder("operation,mpi_ns,remus_ns,ratio,target,verdict\n");
        for (MpiOperation operation : mpi.keySet()) {
            csv.append(String.format(
                    Locale.ROOT,
                    "%s,%.2f,%.2f,%.2f,%.0f,%s%n",
                    operation,
                    median(mpi, operation),
                    median(ours, operation),
                    ratio(operation),
                    operation.target(),
                    verdict(operation)));
        }
        return csv.toString();
    }
}
