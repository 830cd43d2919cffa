// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.torture;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Counts the outcomes of trials and formats them as a table. */
final class Summary {
    private static final List<String> ROLES = List.of("Memory Node", "Compute Node", "both", "all at once");

    private final long seed;
    private final List<TrialOutcome> outcomes = new ArrayList<>();

    Summary(long seed) {
        this.seed = seed;
    }

    void add(TrialOutcome outcome) {
        outcomes.add(outcome);
    }

    long kills() {
        return outcomes.stream().filter(TrialOutcome::isKill).count();
    }

    long failures() {
        return outcomes.stream().filter(TrialOutcome::isFailure).count();
    }

    private static String role(TrialOutcome outcome) {
        TorturePlan plan = outcome.plan();
        return plan.fault() == NodeFault.KILL_ALL
                ? "all at once"
                : plan.topology().role(plan.victim());
    }

    /** The point that the cluster had reached. Only the plan distinguishes BARRIER from RUN. */
    private static InjectionPoint point(TrialOutcome outcome) {
        return outcome.point() == InjectionPoint.RUN && outcome.plan().point() == InjectionPoint.BARRIER
                ? InjectionPoint.BARRIER
                : outcome.point();
    }

    private long kills(String role, InjectionPoint point) {
        return outcomes.stream()
                .filter(o -> o.isKill() && role(o).equals(role) && point(o) == point)
                .count();
    }

    String toTable(long wanted, long seconds) {
        StringBuilder text = new StringBuilder(String.format("%-14s", "killed at"));
        ROLES.forEach(role -> text.append(String.format("%14s", role)));
        text.append('\n');
        for (InjectionPoint point : InjectionPoint.values()) {
            text.append(String.format("%-14s", point));
            ROLES.forEach(role -> text.append(String.format("%14d", kills(role, point))));
            text.append('\n');
        }
        text.append(String.format(
                Locale.ROOT,
                "kills %d of %d in %d s, trials %d, late %d, stopped and continued %d, failures %d, seed %d%n",
                kills(),
                wanted,
                seconds,
                outcomes.size(),
                outcomes.stream().filter(TrialOutcome::isLate).count(),
                outcomes.stream()
                        .filter(o -> o.plan().fault() == NodeFault.STOP)
                        .count(),
                failures(),
                seed));
        slowest()
                .ifPresent(o -> text.append(String.format(
                        Locale.ROOT, "slowest end %.1f s after the kill, %s%n", o.millis() / 1e3, o.plan())));
        outcomes.stream()
                .filter(TrialOutcome::isFailure)
                .forEach(o -> text.append("FAILED " + o.plan() + "; to repeat: ./remus torture --kills 1 --seed " + seed
                        + " --first-trial " + o.plan().number() + "\n"));
        return text.toString();
    }

    private Optional<TrialOutcome> slowest() {
        return outcomes.stream().filter(TrialOutcome::isKill).max(Comparator.comparing(TrialOutcome::millis));
    }

    /** All details of a failed trial. */
    static String describe(TrialOutcome outcome) {
        StringBuilder text = new StringBuilder("FAILED " + outcome.plan() + " (the cluster was at " + outcome.point()
                + ", and ended after " + outcome.millis() + " ms)");
        outcome.violations().forEach(line -> text.append("\n  ").append(line));
        outcome.output().forEach(line -> text.append("\n    ").append(line));
        return text.toString();
    }
}
