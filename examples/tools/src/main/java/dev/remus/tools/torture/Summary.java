package dev.remus.tools.torture;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Counts what trials came to, and says it in a table. */
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
        return plan.blow() == Blow.KILL_ALL ? "all at once" : plan.topology().role(plan.victim());
    }

    /** Where the cluster really was, with the one distinction that only the plan makes. */
    private static Moment moment(TrialOutcome outcome) {
        return outcome.moment() == Moment.RUN && outcome.plan().moment() == Moment.BARRIER
                ? Moment.BARRIER
                : outcome.moment();
    }

    private long kills(String role, Moment moment) {
        return outcomes.stream()
                .filter(o -> o.isKill() && role(o).equals(role) && moment(o) == moment)
                .count();
    }

    String toTable(long wanted, long seconds) {
        StringBuilder text = new StringBuilder(String.format("%-14s", "killed at"));
        ROLES.forEach(role -> text.append(String.format("%14s", role)));
        text.append('\n');
        for (Moment moment : Moment.values()) {
            text.append(String.format("%-14s", moment));
            ROLES.forEach(role -> text.append(String.format("%14d", kills(role, moment))));
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
                outcomes.stream().filter(o -> o.plan().blow() == Blow.STOP).count(),
                failures(),
                seed));
        slowest()
                .ifPresent(o -> text.append(String.format(
                        Locale.ROOT, "slowest end %.1f s after the kill, %s%n", o.millis() / 1e3, o.plan())));
        outcomes.stream()
                .filter(TrialOutcome::isFailure)
                .forEach(o -> text.append("FAILED " + o.plan() + "; again: ./remus torture --kills 1 --seed " + seed
                        + " --first-trial " + o.plan().number() + "\n"));
        return text.toString();
    }

    private Optional<TrialOutcome> slowest() {
        return outcomes.stream().filter(TrialOutcome::isKill).max(Comparator.comparing(TrialOutcome::millis));
    }

    /** All that is known about one trial. */
    static String describe(TrialOutcome outcome) {
        StringBuilder text = new StringBuilder("FAILED " + outcome.plan() + " (the cluster was at " + outcome.moment()
                + ", and ended after " + outcome.millis() + " ms)");
        outcome.complaints().forEach(line -> text.append("\n  ").append(line));
        outcome.output().forEach(line -> text.append("\n    ").append(line));
        return text.toString();
    }
}
