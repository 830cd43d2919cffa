// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.check;

import dev.remus.cli.cluster.CommandLine;
import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.GracefulShutdown;
import dev.remus.cli.progress.ProgressView;
import dev.remus.cli.progress.ProgressViews;
import dev.remus.config.Suggestion;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.UsageException;
import dev.remus.simulation.Finding;
import dev.remus.tools.detection.DetectionCommand;
import dev.remus.tools.liveness.ProgressCommand;
import dev.remus.tools.mutants.MutantsCommand;
import dev.remus.tools.scenarios.NamedScenario;
import dev.remus.tools.scenarios.ScenarioCatalogue;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The {@code check} command: runs scenarios in the simulator in many schedules, each scenario until one fails. */
public final class CheckCommand {
    /** The name of the command. */
    public static final String NAME = "check";

    /** A one-line summary. */
    public static final String SUMMARY =
            "Runs scenarios in the simulator in many schedules; a failing schedule is printed and can be replayed.";

    /** What the names of the logger's settings begin with. */
    private static final String LOG_SETTINGS = "org.slf4j.simpleLogger";

    private final PrintStream out;
    private final PrintStream err;
    private final Arguments arguments;

    private CheckCommand(PrintStream out, PrintStream err, Arguments arguments) {
        this.out = out;
        this.err = err;
        this.arguments = arguments;
    }

    /**
     * Runs the command.
     *
     * @param out receives the result
     * @param err receives errors and progress
     * @param args the command line, without the name
     * @return an {@link ExitStatus}; {@link ExitStatus#FAILED} if a schedule failed
     */
    public static int run(PrintStream out, PrintStream err, String... args) {
        OptionSet options = CheckOptions.set(NAME, SUMMARY);
        quietNodes();
        return CommandLine.run(NAME, options, arguments -> check(arguments, out, err), out, err, args);
    }

    /** Logs no warnings of simulated nodes, which scenarios cause on purpose, unless the user sets what is logged. */
    private static void quietNodes() {
        boolean isSetByUser =
                System.getProperties().stringPropertyNames().stream().anyMatch(name -> name.startsWith(LOG_SETTINGS));
        if (!isSetByUser) {
            System.setProperty(LOG_SETTINGS + ".log.dev.remus.node", "error");
        }
    }

    private static int check(Arguments arguments, PrintStream out, PrintStream err)
            throws IOException, InterruptedException {
        if (arguments.find(CheckOptions.HTML).isPresent()
                && arguments.find(CheckOptions.REPLAY).isEmpty()) {
            throw arguments.usageError("--html needs --replay, because a page plays one schedule");
        }
        boolean isOfScenarios = !arguments.get(CheckOptions.MUTANTS)
                && !arguments.get(CheckOptions.DETECTION)
                && !arguments.get(CheckOptions.PROGRESS);
        boolean isSearch = isOfScenarios && arguments.find(CheckOptions.REPLAY).isEmpty();
        if (arguments.get(CheckOptions.JSON) && !isSearch) {
            throw arguments.usageError(
                    CheckOptions.JSON, "a search, without --replay, --mutants, --detection or --progress");
        }
        if (isOfScenarios && arguments.isGiven(CheckOptions.SCHEDULES)) {
            throw arguments.usageError(
                    CheckOptions.SCHEDULES,
                    "--mutants, --detection or --progress; for scenarios, --seeds is the number of schedules");
        }
        if (arguments.get(CheckOptions.PROGRESS)) {
            return progress(out, arguments);
        }
        if (arguments.get(CheckOptions.DETECTION)) {
            return detection(out, err, arguments);
        }
        if (arguments.get(CheckOptions.MUTANTS)) {
            return mutants(out, err, arguments);
        }
        try {
            return new CheckCommand(out, err, arguments).run();
        } catch (NoSuchElementException e) { // --replay beyond the end of an exhaustive search
            err.println("remus check: " + e.getMessage());
            return UsageException.EXIT_STATUS;
        }
    }

    private static int mutants(PrintStream out, PrintStream err, Arguments arguments) throws InterruptedException {
        SearchConditions conditions = CheckOptions.conditions(arguments);
        if (conditions.isExhaustive()) {
            throw arguments.usageError("--mutants needs a scheduler with seeds, not exhaustive");
        }
        List<String> scenarios = arguments.rest().stream()
                .filter(ScenarioCatalogue.names()::contains)
                .toList();
        List<String> mutants = new ArrayList<>(arguments.rest());
        mutants.removeAll(scenarios);
        return new MutantsCommand(
                        out,
                        err,
                        mutants,
                        scenarios,
                        seed -> conditions.schedules(seed).next(),
                        arguments.find(CheckOptions.FIRST_SEED).orElse(1L),
                        arguments.get(CheckOptions.SCHEDULES),
                        arguments.get(CheckOptions.JOBS).intValue())
                .run();
    }

    private static int detection(PrintStream out, PrintStream err, Arguments arguments) throws InterruptedException {
        for (String name : arguments.rest()) {
            if (!DetectionCommand.searches().contains(name)) {
                throw arguments.usageError(unknown("search", name, DetectionCommand.searches()));
            }
        }
        return new DetectionCommand(
                        out,
                        err,
                        arguments.rest(),
                        arguments.find(CheckOptions.FIRST_SEED).orElse(1L),
                        arguments.get(CheckOptions.STARTS).intValue(),
                        arguments.get(CheckOptions.SCHEDULES),
                        arguments.get(CheckOptions.JOBS).intValue())
                .run();
    }

    private static int progress(PrintStream out, Arguments arguments) throws InterruptedException {
        for (String name : arguments.rest()) {
            if (!ProgressCommand.structures().contains(name)) {
                throw arguments.usageError(unknown("structure", name, ProgressCommand.structures()));
            }
        }
        return new ProgressCommand(
                        out,
                        arguments.rest(),
                        arguments.find(CheckOptions.FIRST_SEED).orElse(1L),
                        arguments.get(CheckOptions.SCHEDULES))
                .run();
    }

    private int run() throws IOException, InterruptedException {
        Optional<String> complaint = complaint();
        if (complaint.isPresent()) {
            throw arguments.usageError(complaint.get());
        }
        List<SearchPlan> plans = plans();
        FindingsFolder findings = new FindingsFolder(Path.of(arguments.get(CheckOptions.FINDINGS)));
        if (arguments.find(CheckOptions.REPLAY).isPresent()) {
            Replay replay = new Replay(
                    plans.get(0), arguments.get(CheckOptions.TRACE), arguments.find(CheckOptions.HTML), findings);
            return replay.run(arguments.get(CheckOptions.REPLAY), out) ? ExitStatus.OK : ExitStatus.FAILED;
        }
        long first = arguments.find(CheckOptions.FIRST_SEED).orElseGet(System::currentTimeMillis);
        CheckReport report = arguments.get(CheckOptions.JSON)
                ? new JsonCheckReport(out, findings)
                : new TextCheckReport(out, findings);
        boolean isClean = true;
        try (GracefulShutdown end = new GracefulShutdown(() -> {})) { // the searches ask it
            for (SearchPlan plan : plans) {
                if (!end.hasBegun()) {
                    isClean &= search(plan, first, report, end::hasBegun);
                }
            }
            report.conclude(isClean);
        }
        return isClean ? ExitStatus.OK : ExitStatus.FAILED;
    }

    /** A contradiction between options, if there is one. */
    private Optional<String> complaint() {
        boolean all = arguments.get(CheckOptions.EVERYTHING);
        List<String> names = arguments.rest();
        if (all != names.isEmpty()) {
            return Optional.of(
                    "needs either --all or names of scenarios: " + String.join(", ", ScenarioCatalogue.names()));
        }
        for (String name : names) {
            if (ScenarioCatalogue.find(name).isEmpty()) {
                return Optional.of(unknown("scenario", name, ScenarioCatalogue.names()));
            }
        }
        boolean isReplay = arguments.find(CheckOptions.REPLAY).isPresent();
        Optional<Path> page = arguments.find(CheckOptions.HTML);
        if (isReplay && names.size() != 1) {
            return Optional.of("--replay needs the name of one scenario, because a seed depends on it");
        }
        if (arguments.get(CheckOptions.TRACE) && !isReplay) {
            return Optional.of("--trace needs --replay, because one schedule has thousands of steps");
        }
        return page.flatMap(CheckCommand::obstacle).map(why -> "--html " + page.get() + ": " + why);
    }

    /** Why a file cannot be written, if that is known before. */
    private static Optional<String> obstacle(Path file) {
        Path folder = file.toAbsolutePath().resolveSibling("");
        if (Files.isDirectory(file)) {
            return Optional.of("is a folder, and the page is a file");
        } else if (!Files.isDirectory(folder)) {
            return Optional.of("there is no folder " + folder);
        }
        return Files.isWritable(Files.exists(file) ? file : folder)
                ? Optional.empty()
                : Optional.of("no permission to write it");
    }

    private static String unknown(String kind, String name, List<String> known) {
        String near = Suggestion.didYouMean(name, known);
        return "there is no " + kind + " '" + name + "'"
                + (near.isEmpty() ? "; known names are " + String.join(", ", known) : near);
    }

    private List<SearchPlan> plans() {
        List<NamedScenario> scenarios = arguments.get(CheckOptions.EVERYTHING)
                ? ScenarioCatalogue.ALL
                : arguments.rest().stream()
                        .map(name -> ScenarioCatalogue.find(name).orElseThrow())
                        .toList();
        List<SearchPlan> plans = new ArrayList<>();
        for (NamedScenario scenario : scenarios) {
            SearchPlan plan = new SearchPlan(
                    scenario, CheckOptions.size(scenario, arguments), CheckOptions.conditions(arguments));
            Optional<String> refusal = plan.refusal();
            if (refusal.isPresent()) {
                throw arguments.usageError(scenario.name() + ": " + refusal.get());
            }
            plans.add(plan);
        }
        return plans;
    }

    private boolean search(SearchPlan plan, long first, CheckReport report, BooleanSupplier isStopped)
            throws IOException, InterruptedException {
        int jobs = arguments.get(CheckOptions.JOBS).intValue();
        SearchOutcome outcome = search(plan, first, jobs, isStopped);
        report.print(outcome);
        if (outcome.finding().isPresent()) {
            report.printSmaller(smaller(plan, outcome.finding().get(), jobs, isStopped));
        }
        return outcome.isClean();
    }

    private Optional<SmallerCase> smaller(SearchPlan plan, Finding finding, int jobs, BooleanSupplier isStopped)
            throws InterruptedException {
        String name = plan.scenario().name() + ", smaller cases";
        try (ProgressView view = ProgressViews.forUser(err)) {
            return SmallerCase.of(
                    plan, finding, jobs, isStopped, tried -> view.show(name, tried, SmallerCase.MAX_SCHEDULES));
        }
    }

    private SearchOutcome search(SearchPlan plan, long first, int jobs, BooleanSupplier isStopped)
            throws InterruptedException {
        String name = plan.scenario().name();
        long seeds = arguments.get(CheckOptions.SEEDS);
        long start = System.nanoTime();
        ScheduleSearch search = new ScheduleSearch(plan, first, seeds, finding -> true, isStopped);
        Optional<Finding> finding;
        try (ProgressView view = ProgressViews.forUser(err)) {
            finding = search.run(jobs, done -> view.show(name, done, seeds));
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        return new SearchOutcome(plan, first, seeds, search.done(), seconds, finding, search.leftOut());
    }
}
