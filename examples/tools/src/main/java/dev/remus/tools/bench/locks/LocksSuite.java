// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.locks;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.cli.cluster.ResultsFolder;
import dev.remus.cli.progress.ProgressView;
import dev.remus.cli.progress.ProgressViews;
import dev.remus.config.Suggestion;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.tools.bench.suite.SuiteRun;
import dev.remus.tools.harness.Hardware;
import dev.remus.tools.peer.RedisServer;
import dev.remus.tools.plot.TableFigure;
import dev.remus.tools.results.Provenance;
import dev.remus.tools.results.ProvenanceFile;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** {@code bench locks}: threads compete for one lock, on this machine and on modelled hardware. */
public final class LocksSuite {
    /** The name of the suite. */
    public static final String NAME = "locks";

    /** A one-line summary. */
    public static final String SUMMARY =
            "Acquisitions of locks per second, fairness and round trips, beside locks of Java and one in Redis.";

    private static final int MOST_THREADS = 256;
    private static final int MOST_MODEL_THREADS = 10_000;
    private static final List<Integer> QUICK_THREADS = List.of(1, 4);
    private static final List<Integer> QUICK_MODEL_THREADS = List.of(1, 20);

    private static final OptionSpec<List<String>> LOCKS = OptionSpec.list(
            "--locks",
            "lock",
            "What to measure, of "
                    + Arrays.stream(LockSubject.values())
                            .map(LockSubject::toString)
                            .collect(Collectors.joining(", "))
                    + "; by default all that are installed");

    private static final OptionSpec<List<String>> THREADS = OptionSpec.list(
            "--threads",
            "threads",
            "Numbers of threads on this machine, from 1 to " + MOST_THREADS + "; by default 1,2,4,8,16; 0 for none");

    private static final OptionSpec<List<String>> MODEL_THREADS = OptionSpec.list(
            "--model-threads",
            "threads",
            "Numbers of threads on the model, up to ten on each node, from 1 to " + MOST_MODEL_THREADS
                    + "; by default 1,10,100,1000; 0 for none");

    private static final OptionSpec<List<String>> SECTIONS = OptionSpec.list(
            "--sections",
            "section",
            "What is done inside: short, " + Contest.SHORT + " READ, or long, " + Contest.LONG
                    + " READs; by default both");

    private static final OptionSpec<Long> MILLIS = OptionSpec.integer(
                    "--millis", 1, 60_000, "Duration of each measurement on this machine in milliseconds")
            .withDefault(300L);

    private static final OptionSpec<Long> ROUNDS = OptionSpec.integer(
                    "--rounds", 1, 100, "Number of interleaved measurements of each point, after one warm-up")
            .withDefault(3L);

    private static final OptionSpec<Long> SEED = OptionSpec.integer(
                    "--seed", Long.MIN_VALUE, Long.MAX_VALUE, "The seed of the model's random choices")
            .withDefault(1L);

    private static final OptionSpec<Boolean> QUICK = OptionSpec.flag(
            "--quick", "Measure 1 and 4 threads, 1 and 20 on the model, unless other options name others, once");

    private LocksSuite() {}

    private static OptionSet options() {
        return new OptionSet("./remus bench " + NAME, SUMMARY)
                .include(new OptionGroup(
                        "Measuring",
                        LOCKS,
                        THREADS,
                        MODEL_THREADS,
                        SECTIONS,
                        MILLIS,
                        ROUNDS,
                        SEED,
                        Hardware.OPTION,
                        QUICK))
                .include(new OptionGroup("Results", RemusOptions.OUT))
                .example("./remus bench locks")
                .example("./remus bench locks --quick")
                .example("./remus bench locks --locks queuelock,rwlock-read --threads 0 --model-threads 100,1000");
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
        List<LocksPoint> points = points(arguments);
        Contest contest = new Contest(arguments.get(MILLIS), Hardware.model(arguments), arguments.get(SEED));
        if (arguments.get(LOCKS).isEmpty() && !RedisServer.isInstalled()) {
            err.println("remus: without " + LockSubject.REDIS + ", which needs " + RedisServer.NEEDS);
        }
        ProgramRunner.watchParent();
        Path folder = ResultsFolder.create(arguments.get(RemusOptions.OUT), SuiteRun.COMMAND);
        Provenance provenance =
                Provenance.begin(arguments, SuiteRun.COMMAND, NAME).withSeed(SEED, arguments.get(SEED));
        try {
            boolean isOnce = arguments.get(QUICK) && !arguments.isGiven(ROUNDS);
            LocksTable table = measure(points, contest, isOnce ? 1 : Math.toIntExact(arguments.get(ROUNDS)), err);
            String report = "Java " + System.getProperty("java.version") + ", "
                    + Runtime.getRuntime().availableProcessors() + " processors\n\n" + table.toText()
                    + table.verdicts().stream().map(line -> "\n" + line).collect(Collectors.joining());
            out.println(report);
            Files.writeString(folder.resolve("locks.txt"), report);
            table.toTable().write(folder.resolve("locks.csv"));
            draw(points, table, folder);
            ProvenanceFile.write(provenance, folder);
            out.println("results: " + folder);
            return ExitStatus.OK;
        } finally {
            ResultsFolder.removeIfEmpty(folder);
        }
    }

    /** Rounds of all points on this machine, the first of which is warm-up, and one run of each on the model. */
    private static LocksTable measure(List<LocksPoint> points, Contest contest, int rounds, PrintStream err)
            throws Exception {
        List<LocksPoint> here =
                points.stream().filter(point -> !point.isModel()).toList();
        LocksTable table = new LocksTable();
        long all = points.size() + (long) rounds * here.size();
        long done = 0;
        try (ProgressView progress = ProgressViews.forUser(err)) {
            for (int round = 0; round <= rounds; round++) {
                for (LocksPoint point : here) {
                    LocksFigures figures = contest.measure(point);
                    if (round > 0) {
                        table.add(point, figures);
                    }
                    progress.show(NAME, ++done, all);
                }
            }
            for (LocksPoint point : points) {
                if (point.isModel()) {
                    table.add(point, contest.measure(point)); // the same in every round
                    progress.show(NAME, ++done, all);
                }
            }
        }
        return table;
    }

    /** A picture for each place and section. */
    private static void draw(List<LocksPoint> points, LocksTable table, Path folder) throws Exception {
        List<LocksPoint> pictures = points.stream()
                .map(point -> new LocksPoint(point.isModel(), LockSubject.LOCK, 1, point.reads()))
                .distinct()
                .toList();
        for (LocksPoint picture : pictures) {
            TableFigure.of(
                            table.throughputs(picture.isModel(), picture.reads()),
                            LocksTable.THREADS,
                            LocksTable.PER_SECOND,
                            Optional.of(LocksTable.LOCK))
                    .write(folder.resolve("locks-" + picture.place() + "-" + picture.section() + ".svg"));
        }
    }

    private static List<LocksPoint> points(Arguments arguments) {
        boolean quick = arguments.get(QUICK);
        List<LockSubject> kinds = kinds(arguments);
        List<Integer> here = numbers(arguments, THREADS, MOST_THREADS, quick ? QUICK_THREADS : List.of(1, 2, 4, 8, 16));
        List<Integer> model = numbers(
                arguments, MODEL_THREADS, MOST_MODEL_THREADS, quick ? QUICK_MODEL_THREADS : List.of(1, 10, 100, 1_000));
        List<LocksPoint> points = new ArrayList<>();
        for (int reads : sections(arguments)) {
            for (LockSubject kind : kinds) {
                here.forEach(threads -> points.add(new LocksPoint(false, kind, threads, reads)));
                if (kind.isRemote()) {
                    model.forEach(threads -> points.add(new LocksPoint(true, kind, threads, reads)));
                }
            }
        }
        if (points.isEmpty()) {
            throw arguments.usageError("nothing is left to measure: these locks exist on this machine only, and "
                    + THREADS.name() + " is 0");
        }
        points.sort(Comparator.comparing(LocksPoint::isModel));
        return points;
    }

    /** The locks that were chosen. One in Redis that was not named is left out where there is no Redis. */
    private static List<LockSubject> kinds(Arguments arguments) {
        List<String> names = arguments.get(LOCKS);
        List<LockSubject> all = List.of(LockSubject.values());
        checkNames(arguments, LOCKS, all.stream().map(LockSubject::toString).toList());
        List<LockSubject> chosen = all.stream()
                .filter(kind -> names.isEmpty() || names.contains(kind.toString()))
                .toList();
        if (!chosen.contains(LockSubject.REDIS) || RedisServer.isInstalled()) {
            return chosen;
        } else if (names.contains(LockSubject.REDIS.toString())) {
            throw arguments.usageError(LockSubject.REDIS + " needs " + RedisServer.NEEDS);
        }
        return chosen.stream().filter(kind -> kind != LockSubject.REDIS).toList();
    }

    private static void checkNames(Arguments arguments, OptionSpec<List<String>> option, List<String> known) {
        for (String name : arguments.get(option)) {
            if (!known.contains(name)) {
                throw arguments.usageError(
                        option, "some of " + String.join(", ", known) + Suggestion.didYouMean(name, known));
            }
        }
    }

    private static List<Integer> sections(Arguments arguments) {
        List<String> names = arguments.get(SECTIONS);
        checkNames(arguments, SECTIONS, List.of("short", "long"));
        return names.isEmpty()
                ? List.of(Contest.SHORT, Contest.LONG)
                : names.stream()
                        .distinct()
                        .map(name -> name.equals("short") ? Contest.SHORT : Contest.LONG)
                        .toList();
    }

    /** Numbers from 1 on, or none for 0. */
    private static List<Integer> numbers(
            Arguments arguments, OptionSpec<List<String>> spec, int most, List<Integer> usual) {
        List<String> texts = arguments.get(spec);
        if (texts.equals(List.of("0"))) {
            return List.of();
        }
        List<Integer> numbers = new ArrayList<>();
        for (String text : texts) {
            if (!text.matches("[1-9][0-9]{0,8}") || Integer.parseInt(text) > most) {
                throw arguments.usageError(spec, "whole numbers from 1 to " + most + " separated by commas, or 0");
            }
            numbers.add(Integer.valueOf(text));
        }
        return numbers.isEmpty() ? usual : numbers.stream().distinct().toList();
    }
}
