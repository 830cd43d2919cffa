package dev.remus.tools.check;

import dev.remus.fabric.sim.Simulator;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Schedule;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs one schedule and prints its outcome, with every step if requested. A failure leaves a file. */
final class Replay {
    private final SearchPlan plan;
    private final boolean traced;
    private final FindingsFolder findings;
    /** The simulator of the last run. */
    private @Nullable Simulator simulator;

    Replay(SearchPlan plan, boolean traced, FindingsFolder findings) {
        this.plan = plan;
        this.traced = traced;
        this.findings = findings;
    }

    /** Runs the schedule of a seed, and returns whether it was clean. */
    boolean run(long seed, PrintStream out) {
        Optional<Finding> finding =
                plan.run(watched(seed)).map(found -> new Finding(seed, found.cause())); // it may be a number instead
        Simulator world = Objects.requireNonNull(simulator, "set by the run");
        out.print(world.trace());
        finding.ifPresent(f -> out.println(f.describe().stripTrailing()));
        out.printf(
                Locale.ROOT,
                "%s: %s %d %s, %s, %,d steps%n",
                plan.scenario().name(),
                plan.conditions().isExhaustive() ? "schedule" : "seed",
                seed,
                finding.isPresent() ? "fails" : "is clean",
                plan.size(),
                world.steps());
        finding.ifPresent(f -> out.println(findings.keep(plan, f).sentence()));
        return finding.isEmpty();
    }

    private Schedule watched(long seed) {
        return plan.schedule(seed).observedBy(s -> {
            simulator = s;
            if (traced) {
                s.traced();
            }
        });
    }
}
