// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.check;

import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Weakness;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.simulation.SchedulerKind;
import dev.remus.tools.mutants.MutantsCommand;
import dev.remus.tools.scenarios.NamedScenario;
import dev.remus.tools.scenarios.ScenarioCatalogue;
import dev.remus.tools.scenarios.Size;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.stream.Stream;

/** The options of {@code ./remus check}. */
final class CheckOptions {
    static final OptionSpec<Boolean> EVERYTHING =
            OptionSpec.flag("--all", "Check all scenarios but nd-published, which has known mistakes");

    static final OptionSpec<Boolean> JSON = OptionSpec.flag(
            "--json",
            "Print the results as JSON, for programs: an object with a list of scenarios, each with name, schedules,"
                    + " seconds, clean and finding");

    static final OptionSpec<Long> SEEDS = OptionSpec.integer(
                    "--seeds", 1, Integer.MAX_VALUE, "Number of schedules to run of each scenario")
            .withDefault(10_000L);

    static final OptionSpec<Long> FIRST_SEED = OptionSpec.integer(
            "--first-seed", 0, Long.MAX_VALUE / 2, "The seed of the first schedule; by default from the clock");

    static final OptionSpec<Long> THREADS = OptionSpec.integer(
            "--threads", 2, 64, "Number of threads, an even number; the default depends on the scenario");

    static final OptionSpec<Long> OPS = OptionSpec.integer(
            "--ops", 1, 10_000, "Number of operations of each thread; the default depends on the scenario");

    static final OptionSpec<Long> KEYS = OptionSpec.integer(
            "--keys",
            1,
            10_000,
            "Number of keys that the threads share, for scenarios with keys; the default depends on the scenario");

    static final OptionSpec<SchedulerKind> SCHEDULER = OptionSpec.choice(
                    "--scheduler",
                    SchedulerKind.class,
                    "mix: each seed draws one of the next four, and late requests, pauses, other clocks, a broken lane or"
                            + " no fault, unless --faults names some; random: each thread is equally likely to run next;"
                            + " pct: by random priorities with a few changes; pos: by random priorities that each conflict"
                            + " changes; surw: uniform over the orders of accesses to some words; exhaustive: all"
                            + " schedules that may differ in their outcome, for very small sizes, up to --seeds of them")
            .withDefault(SchedulerKind.MIX);

    static final OptionSpec<Long> PREEMPTIONS = OptionSpec.integer(
            "--preemptions",
            0,
            1_000,
            "With --scheduler exhaustive: only schedules with at most so many preemptions, and all of those");

    static final Choices<Weakness> WEAKNESSES = Choices.option(
            "--weaknesses", Weakness.class, EnumSet.allOf(Weakness.class), "Rare behaviour of memory to simulate");

    static final Choices<Fault> FAULTS = Choices.option(
            "--faults",
            Fault.class,
            EnumSet.noneOf(Fault.class),
            "Failures to simulate, by default as the scheduler says");

    static final OptionSpec<Long> JOBS = OptionSpec.integer("--jobs", 1, 1_024, "Number of parallel schedules")
            .withDefault((long) Runtime.getRuntime().availableProcessors());

    static final OptionSpec<Long> REPLAY = OptionSpec.integer(
            "--replay",
            0,
            Long.MAX_VALUE,
            "Run only the schedule with this seed, such as one that failed; its number if the search is exhaustive");

    static final OptionSpec<Boolean> TRACE =
            OptionSpec.flag("--trace", "With --replay: print every step of every thread");

    static final OptionSpec<Path> HTML = OptionSpec.path(
            "--html",
            "With --replay: write a page that plays the schedule in a browser, with threads, lanes and remote memory");

    static final OptionSpec<String> FINDINGS = OptionSpec.text(
                    "--findings",
                    "folder",
                    "Folder for two files about each failure: a text with all operations, and all steps with values and"
                            + " lines of source; and a page that plays them")
            .withDefault("remus-findings");

    static final OptionSpec<Boolean> MUTANTS = OptionSpec.flag(
            "--mutants",
            "Plant mistakes in the structures, one at a time, and report which are found; arguments are then prefixes"
                    + " of mutants' names and scenarios to find them in, by default all");

    static final OptionSpec<Boolean> PROGRESS = OptionSpec.flag(
            "--progress",
            "Measure how crashed or paused threads affect the calls of the others; the arguments are then names of"
                    + " structures, by default all");

    static final OptionSpec<Boolean> DETECTION = OptionSpec.flag(
            "--detection",
            "Measure how many schedules each search needs to find known mistakes; the arguments are then names of"
                    + " searches, by default all");

    static final OptionSpec<Long> STARTS = OptionSpec.integer(
                    "--starts", 1, 10_000, "With --detection: number of starts of each search, with other seeds")
            .withDefault(20L);

    static final OptionSpec<Long> SCHEDULES = OptionSpec.integer(
                    "--schedules",
                    1,
                    Integer.MAX_VALUE,
                    "Number of schedules to run of each mutant or start, at most, or of each structure and disturbance")
            .withDefault(MutantsCommand.DEFAULT_SCHEDULES);

    private CheckOptions() {}

    static OptionSet set(String name, String summary) {
        OptionSet options = new OptionSet("./remus " + name, summary)
                .include(new OptionGroup("Scenarios", EVERYTHING, THREADS, OPS, KEYS, JSON))
                .include(new OptionGroup("Schedules", SEEDS, FIRST_SEED, JOBS, SCHEDULER, PREEMPTIONS))
                .include(new OptionGroup("Simulated machine", WEAKNESSES.spec(), FAULTS.spec()))
                .include(new OptionGroup("Failures", FINDINGS, REPLAY, TRACE, HTML))
                .include(new OptionGroup("Checks of the checks", MUTANTS, PROGRESS, DETECTION, STARTS, SCHEDULES))
                .allowRest("SCENARIO");
        Stream.concat(ScenarioCatalogue.ALL.stream(), ScenarioCatalogue.FLAWED.stream())
                .forEach(scenario -> options.example(
                        String.format("./remus check %-16s # %s", scenario.name(), scenario.summary())));
        return options.example("./remus check --all --seeds 100000")
                .example("./remus check --all --seeds 1000 --json")
                .example("./remus check barrier allocator --faults stop,pause")
                .example("./remus check lazylist --threads 2 --ops 1 --keys 1 --scheduler exhaustive --weaknesses none")
                .example("./remus check lazylist --replay 4711 --trace")
                .example("./remus check lazylist --replay 4711 --html schedule.html")
                .example("./remus check --mutants LazyListSet.insert")
                .example("./remus check --mutants LazyListSet.insert lazylist-loss");
    }

    /** The conditions that the command line selects. */
    static SearchConditions conditions(Arguments arguments) {
        return new SearchConditions(
                arguments.get(SCHEDULER),
                arguments.find(PREEMPTIONS).map(Long::intValue).orElse(SchedulerKind.ANY_NUMBER),
                WEAKNESSES.of(arguments),
                FAULTS.find(arguments));
    }

    /** The size that the command line selects. */
    static Size size(NamedScenario scenario, Arguments arguments) {
        Size defaults = scenario.defaultSize();
        int threads = arguments.find(THREADS).map(Long::intValue).orElse(defaults.threads());
        if (threads % 2 != 0) {
            throw arguments.usageError(THREADS, "an even number, for two Compute Nodes");
        }
        return new Size(
                threads,
                arguments.find(OPS).map(Long::intValue).orElse(defaults.operations()),
                scenario.hasKeys() ? arguments.find(KEYS).map(Long::intValue).orElse(defaults.keys()) : 0);
    }
}
