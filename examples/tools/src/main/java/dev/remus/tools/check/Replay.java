// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.check;

import dev.remus.simulation.Finding;
import dev.remus.simulation.WatchedRun;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * Runs one schedule and prints its outcome, with every step and as a page if requested. A failure leaves files.
 */
final class Replay {
    private final SearchPlan plan;
    private final boolean traced;
    private final Optional<Path> page;
    private final FindingsFolder findings;

    /** @param page the file for the page that plays the schedule */
    Replay(SearchPlan plan, boolean traced, Optional<Path> page, FindingsFolder findings) {
        this.plan = plan;
        this.traced = traced;
        this.page = page;
        this.findings = findings;
    }

    /** Runs the schedule of a seed, and returns whether it was clean. */
    boolean run(long seed, PrintStream out) throws IOException {
        WatchedRun run = WatchedRun.of(plan.scenario().factory().apply(plan.size()), plan.schedule(seed));
        Optional<Finding> finding =
                run.finding().map(found -> new Finding(seed, found.cause())); // it may be a number instead
        if (traced) {
            out.print(run.trace());
        }
        finding.ifPresent(f -> out.println(f.describe().stripTrailing()));
        out.printf(
                Locale.ROOT,
                "%s: %s %d %s, %s, %,d steps%n",
                plan.scenario().name(),
                plan.conditions().isExhaustive() ? "schedule" : "seed",
                seed,
                finding.isPresent() ? "fails" : "is clean",
                plan.size(),
                run.steps());
        if (page.isPresent()) {
            run.writePage(page.get(), title(seed), plan.replayCommand(seed));
            out.println("to watch it, open " + page.get());
        }
        finding.ifPresent(f -> out.println(findings.keep(plan, f).sentence()));
        return finding.isEmpty();
    }

    private String title(long seed) {
        return plan.scenario().name() + ", " + (plan.conditions().isExhaustive() ? "schedule " : "seed ") + seed;
    }
}
