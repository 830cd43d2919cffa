// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.transfers;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.cli.cluster.ResultsFolder;
import dev.remus.config.ClusterConfig;
import dev.remus.fabric.CostModel;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.sim.RandomScheduler;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.tools.bench.suite.BenchCluster;
import dev.remus.tools.bench.suite.BenchFabric;
import dev.remus.tools.bench.suite.SuiteRun;
import dev.remus.tools.harness.Hardware;
import dev.remus.tools.plot.Axis;
import dev.remus.tools.plot.Columns;
import dev.remus.tools.plot.RunTable;
import dev.remus.tools.plot.TableFigure;
import dev.remus.tools.results.Machine;
import dev.remus.tools.results.Provenance;
import dev.remus.tools.results.ProvenanceFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** {@code bench transfers}: measures latency and bandwidth of READs and WRITEs by size and number outstanding. */
public final class TransfersSuite {
    /** The name of the suite. */
    public static final String NAME = "transfers";

    /** A one-line summary. */
    public static final String SUMMARY =
            "Latency and bandwidth of READs and WRITEs by size, with 1 to 64 outstanding, on any fabric.";

    private static final String SIM = "sim";
    private static final long SEED = 1;

    private static final int SMALLEST = Long.BYTES;
    private static final int LARGEST = 1 << 20;
    private static final int SIZE_FACTOR = 4;
    private static final int MAX_OUTSTANDING = 64;
    private static final int MAX_WARM_UP_BYTES = 4096;
    private static final int SEGMENT_LOG2 = 22;

    /** Transfers in the simulator for one figure; more would only repeat the same behaviour. */
    private static final long SIMULATED_TRANSFERS = 500;

    private static final long SIMULATED_BYTES = 1 << 22;

    private static final OptionSpec<List<String>> SIZES = OptionSpec.list(
            "--sizes",
            "bytes",
            "Sizes of transfers, multiples of 8 from 8 to " + LARGEST + "; by default 8, 32, 128, ... and " + LARGEST);

    private static final OptionSpec<List<String>> OUTSTANDING = OptionSpec.list(
            "--outstanding",
            "transfers",
            "Numbers of outstanding transfers, from 1 to " + MAX_OUTSTANDING + "; by default 1, 2, 4, ... "
                    + MAX_OUTSTANDING);

    private static final OptionSpec<Long> MILLIS = OptionSpec.integer(
                    "--millis", 1, 60_000, "Duration of each measurement in milliseconds; on sim, of modelled time")
            .withDefault(100L);

    private static final OptionSpec<String> FABRIC = RemusOptions.FABRIC.withHelp(
            "The fabric: shm on this machine, verbs over RDMA, " + SIM + " in the simulator");

    private TransfersSuite() {}

    private static OptionSet options() {
        return new OptionSet("./remus bench " + NAME, SUMMARY)
                .include(new OptionGroup("Measuring", SIZES, OUTSTANDING, MILLIS, FABRIC, Hardware.OPTION))
                .include(new OptionGroup("Results", RemusOptions.OUT))
                .example("./remus bench transfers")
                .example("./remus bench transfers --fabric sim")
                .example("./remus bench transfers --fabric verbs --sizes 8,4096 --outstanding 1,16");
    }

    /**
     * Runs the suite, in this process: one Memory Node and one Compute Thread.
     *
     * @param out receives the results
     * @param err receives errors
     * @param args the command line, without the name
     * @return an {@link ExitStatus}
     */
    public static int run(PrintStream out, PrintStream err, String... args) {
        return SuiteRun.run(options(), SuiteRun.cleaningUp(arguments -> measure(arguments, out)), out, err, args);
    }

    private static int measure(Arguments arguments, PrintStream out) throws Exception {
        List<Integer> sizes = numbers(arguments, SIZES, SMALLEST, LARGEST, SMALLEST, defaultSizes());
        List<Integer> outstanding = numbers(
                arguments,
                OUTSTANDING,
                1,
                MAX_OUTSTANDING,
                1,
                Stream.iterate(1, n -> n <= MAX_OUTSTANDING, n -> 2 * n).toList());
        String fabric = BenchFabric.name(arguments, FABRIC, SIM);
        if (arguments.isGiven(Hardware.OPTION) && !fabric.equals(SIM)) {
            throw arguments.usageError(Hardware.OPTION, "--fabric " + SIM + ", the only fabric that models hardware");
        }
        Hardware.model(arguments); // rejects a wrong name before anything is measured
        ProgramRunner.watchParent();
        Path folder = ResultsFolder.create(arguments.get(RemusOptions.OUT), SuiteRun.COMMAND);
        Provenance provenance = Provenance.begin(arguments, SuiteRun.COMMAND, NAME);
        try {
            Transfers transfers = transfers(arguments, sizes, outstanding);
            String text = heading(arguments) + transfers.toText();
            out.println(text);
            Files.writeString(folder.resolve("transfers.txt"), text);
            transfers.latencyTable().write(folder.resolve("latency.csv"));
            transfers.bandwidthTable().write(folder.resolve("bandwidth.csv"));
            draw(transfers, folder);
            ProvenanceFile.write(provenance, folder);
            out.println("results: " + folder);
            return ExitStatus.OK;
        } finally {
            ResultsFolder.removeIfEmpty(folder);
        }
    }

    private static String heading(Arguments arguments) {
        String fabric = arguments.get(FABRIC);
        String where = fabric.equals(SIM)
                ? "modelled hardware " + arguments.get(Hardware.OPTION)
                : Machine.here() + ", Java " + System.getProperty("java.version");
        return "One Compute Thread and one Memory Node over " + fabric + "; " + where + System.lineSeparator()
                + System.lineSeparator();
    }

    private static List<Integer> defaultSizes() {
        return Stream.concat(Stream.iterate(SMALLEST, n -> n < LARGEST, n -> n * SIZE_FACTOR), Stream.of(LARGEST))
                .toList();
    }

    private static List<Integer> numbers(
            Arguments arguments,
            OptionSpec<List<String>> option,
            int least,
            int most,
            int divisor,
            List<Integer> defaults) {
        List<Integer> numbers = new ArrayList<>();
        for (String word : arguments.get(option)) {
            int number = word.matches("[0-9]{1,8}") ? Integer.parseInt(word) : 0;
            if (number < least || number > most || number % divisor != 0) {
                throw arguments.usageError(
                        option,
                        (divisor > 1 ? "multiples of " + divisor : "numbers") + " from " + least + " to " + most
                                + ", separated by commas");
            }
            numbers.add(number);
        }
        return numbers.isEmpty()
                ? defaults
                : numbers.stream().distinct().sorted().toList();
    }

    private static Transfers transfers(Arguments arguments, List<Integer> sizes, List<Integer> outstanding)
            throws Exception {
        String fabric = arguments.get(FABRIC);
        int bytes = Collections.max(sizes);
        int most = Collections.max(outstanding);
        long nanos = TimeUnit.MILLISECONDS.toNanos(arguments.get(MILLIS));
        List<Transfers> result = new ArrayList<>();
        Consumer<ComputeThread> body = ct -> {
            LocalBuffer local = ct.allocateLocal((long) bytes * most);
            Effort effort = fabric.equals(SIM)
                    ? new Effort(nanos, SIMULATED_TRANSFERS, SIMULATED_BYTES)
                    : Effort.ofNanos(nanos);
            long block = ct.allocate(bytes);
            all(new Meter(ct, block, local, effort.ofTenth()), small(sizes), outstanding); // to warm up
            result.add(all(new Meter(ct, block, local, effort), sizes, outstanding));
        };
        if (fabric.equals(SIM)) {
            simulate(most, arguments, body::accept);
        } else {
            new BenchCluster(fabric, 1, 1, SEGMENT_LOG2, config -> config.opsPerThread(most)).run(body::accept);
        }
        return result.get(0);
    }

    /** The sizes that are fast on every fabric. */
    private static List<Integer> small(List<Integer> sizes) {
        return sizes.stream().filter(size -> size <= MAX_WARM_UP_BYTES).toList();
    }

    private static Transfers all(Meter meter, List<Integer> sizes, List<Integer> outstanding) {
        List<Latency> latencies = new ArrayList<>();
        List<Bandwidth> bandwidths = new ArrayList<>();
        for (Direction direction : Direction.values()) {
            for (int size : sizes) {
                latencies.add(meter.latency(direction, size));
                for (int n : outstanding) {
                    bandwidths.add(meter.bandwidth(direction, size, n));
                }
            }
        }
        return new Transfers(sizes, outstanding, latencies, bandwidths);
    }

    private static void simulate(int outstanding, Arguments arguments, ComputeNode.Body body) throws Exception {
        ClusterConfig config = ClusterConfig.builder()
                .cluster(SIM)
                .memoryNodes(0, 0)
                .computeNodes(1, 1)
                .segmentSizeLog2(SEGMENT_LOG2)
                .opsPerThread(outstanding)
                .build();
        CostModel model = Hardware.model(arguments);
        Schedule schedule = new Schedule(SEED, new RandomScheduler(SEED), Set.of(), Set.of())
                .observedBy(simulator -> simulator.costs(model).maxSteps(Long.MAX_VALUE));
        new SimulatedCluster(config, schedule).run(body);
    }

    private static void draw(Transfers transfers, Path folder) throws IOException {
        draw(transfers.latencyTable(), "median us", "operation", folder.resolve("latency.svg"));
        for (Direction direction : Direction.values()) {
            draw(
                    transfers.bandwidthTable(direction),
                    "MB per second",
                    "outstanding",
                    folder.resolve(direction.toString().toLowerCase(Locale.ROOT) + "-bandwidth.svg"));
        }
    }

    private static void draw(RunTable table, String column, String lines, Path file) throws IOException {
        Axis bytes = Columns.axis("bytes").logarithmic();
        TableFigure.of(table, "bytes", bytes, column, Columns.axis(column).logarithmic(), Optional.of(lines))
                .write(file);
    }
}
