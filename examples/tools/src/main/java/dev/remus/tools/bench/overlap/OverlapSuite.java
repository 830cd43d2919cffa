// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.overlap;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.cli.cluster.ResultsFolder;
import dev.remus.cli.progress.ProgressView;
import dev.remus.cli.progress.ProgressViews;
import dev.remus.config.Suggestion;
import dev.remus.config.ThreadKind;
import dev.remus.fabric.VirtualThreads;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.tools.bench.suite.BenchFabric;
import dev.remus.tools.bench.suite.OtherLoad;
import dev.remus.tools.bench.suite.SuiteRun;
import dev.remus.tools.plot.TableFigure;
import dev.remus.tools.results.Provenance;
import dev.remus.tools.results.ProvenanceFile;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** {@code bench overlap}: compares one platform thread with many virtual ones that share its processor. */
public final class OverlapSuite {
    /** The name of the suite. */
    public static final String NAME = "overlap";

    /** A one-line summary. */
    public static final String SUMMARY =
            "Operations per second and core of many virtual threads that wait at once, at emulated latencies or over RDMA.";

    /** The fabric with emulated latencies. */
    private static final String EMULATED = "shm";

    private static final int MOST_MICROS = 1_000;
    private static final int MOST_THREADS = 4096;

    private static final OptionSpec<String> FABRIC = RemusOptions.FABRIC.withHelp(
            "The fabric: shm at emulated latencies, or verbs, over the RDMA port of this machine, where as many"
                    + " platform threads are measured too");

    private static final OptionSpec<List<String>> LATENCIES = OptionSpec.list(
            "--latencies",
            "microseconds",
            "Emulated latencies in microseconds, from 1 to " + MOST_MICROS + "; by default 1,2,5,10");

    private static final OptionSpec<List<String>> THREADS = OptionSpec.list(
            "--threads",
            "threads",
            "Numbers of virtual threads, from 1 to " + MOST_THREADS + "; by default 1,2,4,8,16,32,64,128,256");

    private static final OptionSpec<List<String>> WORKS = OptionSpec.list(
            "--works",
            "work",
            "What to measure, of read, cas, plain, fast, cached, queue (the lock-free queue), scalable, buffered (the first"
                    + " thread dequeues, the others enqueue); by default all");

    private static final OptionSpec<Long> KEYS = OptionSpec.integer(
                    "--keys", 2, 100_000, "Number of keys; half are in the lists")
            .withDefault(256L);

    private static final int QUICK_MILLIS = 100;
    private static final int USUAL_MILLIS = 300;

    /** Enough for the JVM to compile what runs, on the emulated processor of the virtual machine too. */
    private static final int USUAL_MILLIS_OVER_RDMA = 3000;

    private static final OptionSpec<Long> MILLIS = OptionSpec.integer(
            "--millis",
            1,
            60_000,
            "Duration of each measurement in milliseconds; by default " + USUAL_MILLIS + ", over verbs "
                    + USUAL_MILLIS_OVER_RDMA);

    private static final OptionSpec<Long> ROUNDS = OptionSpec.integer(
                    "--rounds", 1, 100, "Number of interleaved measurements of each point, after one warm-up")
            .withDefault(3L);

    private static final OptionSpec<Boolean> QUICK = OptionSpec.flag(
            "--quick",
            "Measure only 2 µs and 1, 8 and 32 threads, unless other options name others, once for " + QUICK_MILLIS
                    + " ms");

    private OverlapSuite() {}

    private static OptionSet options() {
        return new OptionSet("./remus bench " + NAME, SUMMARY + " Needs Java 21 or later.")
                .include(new OptionGroup("Measuring", FABRIC, LATENCIES, THREADS, WORKS, KEYS, MILLIS, ROUNDS, QUICK))
                .include(new OptionGroup("Results", RemusOptions.OUT))
                .example("./remus bench overlap")
                .example("./remus bench overlap --quick")
                .example("./remus bench overlap --latencies 2,10 --threads 32,128 --works read,fast")
                .example("./remus bench overlap --fabric verbs --threads 1,16");
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
        boolean quick = arguments.get(QUICK);
        String fabric = BenchFabric.name(arguments, FABRIC);
        List<OverlapPoint> points = points(arguments, fabric, quick);
        if (!VirtualThreads.exist()) {
            throw arguments.usageError("virtual threads exist from Java 21 on, and this is Java "
                    + Runtime.version().feature() + "; JAVA_HOME selects another");
        }
        ProgramRunner.watchParent();
        Path folder = ResultsFolder.create(arguments.get(RemusOptions.OUT), SuiteRun.COMMAND);
        Provenance provenance = Provenance.begin(arguments, SuiteRun.COMMAND, NAME);
        try {
            Measurer measurer =
                    new Measurer(fabric, Math.toIntExact(arguments.get(KEYS)), millis(arguments, fabric, quick));
            int rounds = quick && !arguments.isGiven(ROUNDS) ? 1 : Math.toIntExact(arguments.get(ROUNDS));
            OtherLoad load = isOfDevice(fabric) ? OtherLoad.beginWithKernel() : OtherLoad.begin();
            OverlapTable table = measure(points, measurer, rounds, err);
            double otherLoad = load.share();
            String report = "Java " + System.getProperty("java.version") + ", "
                    + Runtime.getRuntime().availableProcessors() + " processors; " + OtherLoad.describe(otherLoad)
                    + "\n\n" + table.toText() + "\n" + String.join("\n", table.verdicts(otherLoad)) + "\n";
            out.println(report);
            Files.writeString(folder.resolve("overlap.txt"), report);
            table.toTable().write(folder.resolve("overlap.csv"));
            draw(points, table, folder);
            ProvenanceFile.write(provenance, folder);
            out.println("results: " + folder);
            return ExitStatus.OK;
        } finally {
            ResultsFolder.removeIfEmpty(folder);
        }
    }

    private static boolean isOfDevice(String fabric) {
        return !fabric.equals(EMULATED);
    }

    private static int millis(Arguments arguments, String fabric, boolean quick) {
        if (arguments.isGiven(MILLIS)) {
            return Math.toIntExact(arguments.get(MILLIS));
        }
        return quick ? QUICK_MILLIS : isOfDevice(fabric) ? USUAL_MILLIS_OVER_RDMA : USUAL_MILLIS;
    }

    private static OverlapTable measure(List<OverlapPoint> points, Measurer measurer, int rounds, PrintStream err)
            throws Exception {
        OverlapTable table = new OverlapTable();
        long done = 0;
        try (ProgressView progress = ProgressViews.forUser(err)) {
            for (int round = 0; round <= rounds; round++) { // the first is warm-up
                for (OverlapPoint point : points) {
                    Figures figures = measurer.measure(point);
                    if (round > 0) {
                        table.add(point, figures);
                    }
                    progress.show(NAME, ++done, (rounds + 1L) * points.size());
                }
            }
        }
        return table;
    }

    /** A picture for each latency. */
    private static void draw(List<OverlapPoint> points, OverlapTable table, Path folder) throws Exception {
        for (long micros :
                points.stream().mapToLong(OverlapPoint::micros).distinct().toArray()) {
            TableFigure.of(
                            table.timesAt(micros),
                            OverlapTable.VIRTUAL_THREADS,
                            OverlapTable.TIMES,
                            Optional.of(OverlapTable.WORK))
                    .write(folder.resolve(
                            micros == OverlapPoint.OF_DEVICE
                                    ? "overlap-verbs.svg"
                                    : "overlap-" + micros + "-microseconds.svg"));
        }
    }

    /**
     * For each work and latency the reference, followed by the numbers of virtual threads; over RDMA each number of
     * platform threads too.
     */
    private static List<OverlapPoint> points(Arguments arguments, String fabric, boolean quick) {
        boolean ofDevice = isOfDevice(fabric);
        if (ofDevice && arguments.isGiven(LATENCIES)) {
            throw arguments.usageError(
                    LATENCIES.name() + " is emulated on --fabric " + EMULATED + " only; " + fabric + " has its own");
        }
        List<Integer> latencies = ofDevice
                ? List.of((int) OverlapPoint.OF_DEVICE)
                : numbers(arguments, LATENCIES, MOST_MICROS, quick ? List.of(2) : List.of(1, 2, 5, 10));
        List<Integer> threads = numbers(
                arguments,
                THREADS,
                MOST_THREADS,
                quick ? List.of(1, 8, 32) : List.of(1, 2, 4, 8, 16, 32, 64, 128, 256));
        List<OverlapPoint> points = new ArrayList<>();
        for (int micros : latencies) {
            for (Work work : works(arguments)) {
                points.add(new OverlapPoint(work, micros, ThreadKind.PLATFORM, 1));
                for (int n : threads) {
                    OverlapPoint virtual = new OverlapPoint(work, micros, ThreadKind.VIRTUAL, n);
                    if (ofDevice && n > 1) {
                        points.add(virtual.onPlatformThreads());
                    }
                    points.add(virtual);
                }
            }
        }
        if (points.contains(OverlapPoint.MANY_READS)) {
            points.add(OverlapPoint.MANY_SWITCHES.reference());
            points.add(OverlapPoint.MANY_SWITCHES);
        }
        return points;
    }

    private static List<Work> works(Arguments arguments) {
        List<String> names = arguments.get(WORKS);
        List<Work> known = Work.selectable();
        List<String> words = known.stream().map(Work::toString).toList();
        for (String name : names) {
            if (known.stream().noneMatch(work -> work.toString().equals(name))) {
                throw arguments.usageError(
                        WORKS, "some of " + String.join(", ", words) + Suggestion.didYouMean(name, words));
            }
        }
        return names.isEmpty()
                ? known
                : names.stream()
                        .map(name -> Work.valueOf(name.toUpperCase(Locale.ROOT)))
                        .distinct()
                        .toList();
    }

    private static List<Integer> numbers(
            Arguments arguments, OptionSpec<List<String>> spec, int most, List<Integer> usual) {
        List<String> texts = arguments.get(spec);
        try {
            List<Integer> numbers =
                    texts.stream().map(Integer::valueOf).distinct().toList();
            if (numbers.stream().allMatch(n -> n >= 1 && n <= most)) {
                return numbers.isEmpty() ? usual : numbers;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw arguments.usageError(spec, "whole numbers from 1 to " + most + " separated by commas");
    }
}
