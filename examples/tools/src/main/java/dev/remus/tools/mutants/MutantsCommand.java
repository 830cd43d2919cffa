// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.mutants;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.progress.ProgressView;
import dev.remus.cli.progress.ProgressViews;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Schedule;
import dev.remus.tools.scenarios.ScenarioCatalogue;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/** The {@code check --mutants} command: searches for each mutant and reports the result. */
public final class MutantsCommand {
    /** The least percentage of mutants that must be found. */
    private static final int REQUIRED_PERCENT = 95;

    /** The default number of schedules for each mutant. */
    public static final long DEFAULT_SCHEDULES = 2_000;

    private final PrintStream out;
    private final PrintStream err;
    private final List<String> wanted;
    private final List<String> scenarios;
    private final LongFunction<Schedule> searched;
    private final long first;
    private final long schedules;
    private final int jobs;

    /**
     * @param out receives the table
     * @param err receives errors and progress
     * @param wanted prefixes of mutants' names; empty means all
     * @param scenarios the scenarios to search in; empty means all
     * @param searched the schedule of a seed
     * @param first the seed of the first schedule
     * @param schedules the largest number of schedules for each mutant
     * @param jobs the number of schedules to run in parallel
     */
    public MutantsCommand(
            PrintStream out,
            PrintStream err,
            List<String> wanted,
            List<String> scenarios,
            LongFunction<Schedule> searched,
            long first,
            long schedules,
            int jobs) {
        this.out = out;
        this.err = err;
        this.wanted = List.copyOf(wanted);
        this.scenarios = List.copyOf(scenarios.isEmpty() ? ScenarioCatalogue.names() : scenarios);
        this.searched = searched;
        this.first = first;
        this.schedules = schedules;
        this.jobs = jobs;
    }

    /** @return an {@link ExitStatus}: OK if enough non-equivalent mutants are found and all others are explained */
    public int run() throws InterruptedException {
        Campaign campaign = Campaign.ofEverything(scenarios, searched);
        List<Mutant> mutants =
                campaign.mutants().stream().filter(this::isWanted).toList();
        if (mutants.isEmpty()) {
            err.println("remus check: no mutant's name begins with  " + String.join(" or ", wanted));
            return ExitStatus.FAILED;
        }
        for (Finding failure : campaign.explore()) {
            err.println("remus check: a schedule fails without a mutant, and does not count: " + failure);
        }
        return report(campaign, mutants);
    }

    private boolean isWanted(Mutant mutant) {
        return wanted.isEmpty() || wanted.stream().anyMatch(mutant.name()::startsWith);
    }

    private int report(Campaign campaign, List<Mutant> mutants) throws InterruptedException {
        Survivors survivors = Survivors.read();
        MutantTotals all = new MutantTotals();
        Map<Area, MutantTotals> areas = new EnumMap<>(Area.class);
        out.printf("%-66s %-10s %-22s %-17s %9s %10s%n", "mutant", "", "by", "in", "schedules", "seed");
        try (ProgressView view = ProgressViews.forUser(err)) {
            for (Mutant mutant : mutants) {
                MutantResult result = campaign.search(mutant, first, schedules, jobs);
                Optional<String> reason = survivors.reason(mutant);
                view.interrupt();
                print(result, reason);
                all.add(result, reason);
                areas.computeIfAbsent(mutant.area(), area -> new MutantTotals()).add(result, reason);
                view.show("mutants", (int) all.all(), mutants.size());
            }
        }
        print(areas);
        out.printf(
                Locale.ROOT,
                "%d mutants: %d change only costs; of the other %d, %d are found (%.1f %%), half of them by schedule %d,"
                        + " 95 %% by schedule %d; %d are holes, %d of them unexplained; Java %d, seeds %d to %d%n",
                all.all(),
                all.explained(),
                all.ofInterest(),
                all.found(),
                all.foundPercent(),
                all.schedules(50),
                all.schedules(95),
                all.holes(),
                all.unknown(),
                Runtime.version().feature(),
                first,
                first + schedules - 1);
        survivors
                .unknown(campaign.mutants())
                .forEach(name -> out.println("survivors.txt explains " + name + ", which does not exist"));
        return all.unknown() == 0 && all.foundPercent() >= REQUIRED_PERCENT ? ExitStatus.OK : ExitStatus.FAILED;
    }

    private void print(Map<Area, MutantTotals> areas) {
        out.printf(
                "%n%-12s %8s %8s %8s %8s %16s %8s%n",
                "area", "mutants", "found", "half by", "95 % by", "cost or nothing", "holes");
        areas.forEach((area, totals) -> out.printf(
                "%-12s %8d %8d %8d %8d %16d %8d%n",
                area,
                totals.all(),
                totals.found(),
                totals.schedules(50),
                totals.schedules(95),
                totals.explained(),
                totals.holes()));
        out.println();
    }

    /** The text for an unexplained survivor; with few schedules it suggests more, since some mutants take hundreds. */
    static String unexplained(long schedules) {
        return schedules < DEFAULT_SCHEDULES
                ? "not found in " + schedules + " schedules; try more, --schedules " + DEFAULT_SCHEDULES
                : "not found and not explained in survivors.txt";
    }

    private void print(MutantResult result, Optional<String> reason) {
        String name = result.mutant().name();
        if (result.isFound()) {
            out.printf(
                    "%-66s %-10s %-22s %-17s %9d %10d%n",
                    name,
                    "found",
                    result.detector(),
                    result.scenario(),
                    result.number(),
                    result.finding().orElseThrow().seed());
        } else {
            String what = result.shares().isEmpty() ? "NOT REACHED" : "SURVIVES";
            out.printf("%-66s %-10s %s%n", name, what, reason.orElse(unexplained(schedules)));
        }
        out.flush();
    }
}
