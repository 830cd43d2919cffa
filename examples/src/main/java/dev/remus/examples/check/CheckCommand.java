package dev.remus.examples.check;

import dev.remus.check.Timeline;
import dev.remus.check.Verdict;
import dev.remus.examples.cluster.ExitStatus;
import dev.remus.examples.progress.ProgressView;
import dev.remus.fabric.sim.PctScheduler;
import dev.remus.fabric.sim.RandomScheduler;
import dev.remus.fabric.sim.Scheduler;
import dev.remus.fabric.sim.Weakness;
import dev.remus.memory.RdmaPtr;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.UsageException;
import dev.remus.structures.LazyListSet;
import dev.remus.structures.LongLazyListSet;
import dev.remus.structures.spec.SetOperation;
import dev.remus.structures.spec.SetScenario;
import java.io.PrintStream;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;

/** Runs a structure in the simulator, schedule after schedule, until one goes wrong or all have been run. */
public final class CheckCommand {
    /** The word by which it is called. */
    public static final String NAME = "check";

    /** What it does, in one line. */
    public static final String SUMMARY =
            "A structure runs in the simulator in many schedules; one that goes wrong is shown and can be replayed.";

    private static final String LAZY_LIST = "lazylist";
    private static final int PCT_DEPTH = 4;
    private static final int PCT_STEPS = 3_000;
    private static final long SHOW_NANOS = 200_000_000L;

    /** Who decides what happens next. */
    private enum Kind {
        RANDOM,
        PCT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final OptionSpec<Long> SEEDS = OptionSpec.integer(
                    "--seeds", 1, Integer.MAX_VALUE, "How many schedules to run")
            .withDefault(10_000L);

    private static final OptionSpec<Long> FIRST_SEED = OptionSpec.integer(
            "--first-seed", 0, Long.MAX_VALUE / 2, "The seed of the first schedule; by default from the clock");

    private static final OptionSpec<Long> REPLAY = OptionSpec.integer(
            "--replay", 0, Long.MAX_VALUE / 2, "The seed of the one schedule to run, such as one that went wrong");

    private static final OptionSpec<Long> THREADS = OptionSpec.integer(
                    "--threads", 2, 64, "How many threads, an even number")
            .withDefault(4L);

    private static final OptionSpec<Long> OPS = OptionSpec.integer(
                    "--ops", 1, 10_000, "How many operations each thread does")
            .withDefault(8L);

    private static final OptionSpec<Long> KEYS = OptionSpec.integer(
                    "--keys", 1, 10_000, "How many keys the threads share")
            .withDefault(3L);

    private static final OptionSpec<Kind> SCHEDULER = OptionSpec.choice(
                    "--scheduler",
                    Kind.class,
                    "random: everybody is equally likely to go on; pct: by random priorities that change a few times")
            .withDefault(Kind.RANDOM);

    private final PrintStream out;
    private final PrintStream err;
    private final Arguments arguments;
    private final SetScenario scenario;

    private CheckCommand(PrintStream out, PrintStream err, Arguments arguments) {
        this.out = out;
        this.err = err;
        this.arguments = arguments;
        int threads = arguments.get(THREADS).intValue();
        if (threads % 2 != 0) {
            throw arguments.usageError(THREADS, "needs an even number, for two Compute Nodes");
        }
        this.scenario = new SetScenario(
                threads, arguments.get(OPS).intValue(), arguments.get(KEYS).intValue(), true);
    }

    /**
     * Runs the command.
     *
     * @param out gets the result
     * @param err gets complaints and progress
     * @param args the command line, without the name
     * @return an {@link ExitStatus}; {@link ExitStatus#FAILED} if something was found
     */
    public static int run(PrintStream out, PrintStream err, String... args) {
        OptionSet options = new OptionSet(NAME, SUMMARY + " There is one structure so far: " + LAZY_LIST + ".")
                .include(new OptionGroup("Check", SEEDS, FIRST_SEED, REPLAY, THREADS, OPS, KEYS, SCHEDULER))
                .allowRest("STRUCTURE")
                .example("./remus check lazylist --seeds 100000")
                .example("./remus check lazylist --threads 8 --ops 4 --scheduler pct")
                .example("./remus check lazylist --replay 4711");
        try {
            Arguments arguments = options.parse(args);
            if (arguments.helpRequested()) {
                out.print(options.usage());
                return ExitStatus.OK;
            }
            if (arguments.rest().size() != 1 || !arguments.rest().get(0).equals(LAZY_LIST)) {
                err.println("remus check: needs the name of one structure: " + LAZY_LIST);
                err.print(options.usage());
                return UsageException.EXIT_STATUS;
            }
            return new CheckCommand(out, err, arguments).run();
        } catch (UsageException e) {
            e.printTo(err);
            return UsageException.EXIT_STATUS;
        }
    }

    private int run() {
        Optional<Long> replay = arguments.find(REPLAY);
        long first = replay.or(() -> arguments.find(FIRST_SEED)).orElse(System.currentTimeMillis());
        long seeds = replay.isPresent() ? 1 : arguments.get(SEEDS);
        long start = System.nanoTime();
        try (ProgressView view = ProgressView.forUser(err)) {
            long shown = start;
            for (long done = 0; done < seeds; done++) {
                Optional<String> finding = run(first + done);
                if (finding.isPresent()) {
                    view.interrupt();
                    out.println(finding.get());
                    out.println("found with seed " + (first + done) + ", schedule " + (done + 1) + " of " + seeds
                            + "; to see it again: " + replayCommand(first + done));
                    return ExitStatus.FAILED;
                }
                if (System.nanoTime() - shown > SHOW_NANOS) {
                    shown = System.nanoTime();
                    view.show("schedules", done + 1, seeds);
                }
            }
        }
        out.printf(
                Locale.ROOT,
                "%s: %,d schedules clean in %.1f s, seeds %d to %d%n",
                LAZY_LIST,
                seeds,
                (System.nanoTime() - start) / 1e9,
                first,
                first + seeds - 1);
        return ExitStatus.OK;
    }

    private String replayCommand(long seed) {
        return String.format(
                Locale.ROOT,
                "./remus check %s --threads %d --ops %d --keys %d --scheduler %s --replay %d",
                LAZY_LIST,
                arguments.get(THREADS),
                arguments.get(OPS),
                arguments.get(KEYS),
                arguments.get(SCHEDULER),
                seed);
    }

    /** Runs one schedule; says what went wrong, if anything did. */
    private Optional<String> run(long seed) {
        try {
            Verdict<SetOperation<Long>, Boolean> verdict = scenario.run(
                    seed, scheduler(seed), EnumSet.allOf(Weakness.class), LongLazyListSet::create, CheckCommand::open);
            return verdict.isAccepted() ? Optional.empty() : Optional.of(new Timeline().draw(verdict));
        } catch (Exception | AssertionError e) { // a thread met something that must not be
            return Optional.of(e.toString());
        }
    }

    private Scheduler scheduler(long seed) {
        return switch (arguments.get(SCHEDULER)) {
            case RANDOM -> new RandomScheduler(seed);
            case PCT -> new PctScheduler(seed, PCT_DEPTH, PCT_STEPS);
        };
    }

    @SuppressWarnings("unchecked") // it comes from the creator of the same class
    private static LongLazyListSet open(RdmaPtr<?> This) {
        return new LongLazyListSet((RdmaPtr<LazyListSet.Shared>) This);
    }
}
