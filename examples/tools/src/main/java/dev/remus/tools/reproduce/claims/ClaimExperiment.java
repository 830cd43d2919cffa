// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.claims;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.progress.Progress;
import dev.remus.fabric.FabricException;
import dev.remus.options.OptionSpec;
import dev.remus.tools.harness.Hardware;
import dev.remus.tools.harness.UnbalancedException;
import dev.remus.tools.reproduce.experiment.ExperimentOptions;
import dev.remus.tools.reproduce.experiment.ExperimentOptions.Where;
import dev.remus.tools.reproduce.experiment.ExperimentRun;
import dev.remus.tools.reproduce.experiment.PaperExperiment;
import dev.remus.tools.reproduce.experiment.PointProgress;
import dev.remus.tools.reproduce.experiment.RunExtent;
import dev.remus.tools.reproduce.testbed.RunFailedException;
import dev.remus.tools.reproduce.testbed.Testbed;
import dev.remus.tools.reproduce.testbed.Testbeds;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** An experiment that draws what documents claim: tables, figures, and a verdict on each claim. */
public abstract class ClaimExperiment implements PaperExperiment {
    private static final String QUICK = "The runs of --quick are too few and too short.";

    /** The unit of progress: a run has this many. */
    private static final long PARTS = 1000;

    private final String title;

    /** @param title the heading of the report */
    protected ClaimExperiment(String title) {
        this.title = title;
    }

    /** The runs. */
    protected abstract ClaimPlan plan(RunExtent extent, boolean isModelled);

    /** The verdicts on all claims. */
    protected abstract List<Claim> claims(TrialTable table, boolean isModelled);

    /** The figures. */
    protected abstract List<ClaimFigure> figures();

    @Override
    public final List<OptionSpec<?>> options() {
        return List.of(ExperimentOptions.FABRIC, Hardware.OPTION);
    }

    @Override
    public final int run(ExperimentRun run) throws IOException, InterruptedException {
        Where where = run.arguments().get(ExperimentOptions.FABRIC);
        if (where != Where.SIM && run.arguments().isGiven(Hardware.OPTION)) {
            throw run.arguments().usageError(Hardware.OPTION, "--fabric sim");
        }
        Testbed testbed = Testbeds.of(where, Hardware.model(run.arguments()));
        ClaimPlan plan = plan(run.extent(), testbed.isModelled());
        TrialTable table = new TrialTable();
        try {
            runAll(plan, testbed, run, table);
        } catch (RunFailedException e) {
            run.err().println("remus reproduce: " + e.getMessage());
            return ExitStatus.FAILED;
        }
        ClaimReport report = new ClaimReport(run, title, testbed.description());
        report.remark(testbed.remark(
                plan.trials().stream().mapToInt(ClaimTrial::threads).max().orElse(0)));
        plan.sections().forEach((heading, conditions) -> report.section(heading, table, conditions));
        List<Claim> claims = claims(table, testbed.isModelled());
        if (run.extent() == RunExtent.QUICK) {
            claims = claims.stream().map(claim -> claim.notJudged(QUICK)).toList();
        }
        report.claims(claims);
        report.figures(figures(), table);
        report.write(
                table,
                LongStream.range(run.seed(), run.seed() + plan.rounds()).boxed().toList(),
                claims);
        return ExitStatus.OK;
    }

    /** Runs all trials of all rounds, one round after the other. */
    private static void runAll(ClaimPlan plan, Testbed testbed, ExperimentRun run, TrialTable table)
            throws IOException, InterruptedException {
        long rounds = (long) plan.warmUps() + plan.rounds();
        try (PointProgress progress =
                run.progress(PARTS * rounds * plan.trials().size())) {
            for (int round = -plan.warmUps(); round < plan.rounds(); round++) {
                for (ClaimTrial trial : plan.trials()) {
                    Map<String, Double> figures = runOne(trial, testbed, run.seed() + round, progress);
                    progress.complete(PARTS);
                    if (round >= 0) {
                        table.add(trial.conditions(), figures);
                        table.runs(Map.of()).write(run.folder().resolve(ClaimReport.RUNS)); // in case of an interrupt
                    }
                }
            }
        }
    }

    private static Map<String, Double> runOne(ClaimTrial trial, Testbed testbed, long seed, PointProgress progress)
            throws InterruptedException {
        Progress within = new Progress();
        progress.begin(() -> within.current()
                .filter(phase -> phase.clusterTotal() > 0) // else it is timed, and short
                .map(phase -> Math.min(PARTS, PARTS * phase.done() / phase.clusterTotal()))
                .orElse(0L));
        try {
            return trial.run(testbed, seed, within);
        } catch (RunFailedException | UnbalancedException e) {
            throw new RunFailedException(trial.conditions() + ", seed " + seed + ": " + e.getMessage(), e);
        } catch (InterruptedException | FabricException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(trial.conditions() + " cannot be run", e);
        }
    }
}
