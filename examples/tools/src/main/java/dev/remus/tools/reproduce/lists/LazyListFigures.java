package dev.remus.tools.reproduce.lists;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.fabric.FabricException;
import dev.remus.options.OptionSpec;
import dev.remus.tools.harness.Hardware;
import dev.remus.tools.harness.UnbalancedException;
import dev.remus.tools.plot.Axis;
import dev.remus.tools.plot.Unit;
import dev.remus.tools.reproduce.claims.Claim;
import dev.remus.tools.reproduce.claims.ClaimFigure;
import dev.remus.tools.reproduce.claims.ClaimReport;
import dev.remus.tools.reproduce.claims.TrialTable;
import dev.remus.tools.reproduce.experiment.ExperimentOptions;
import dev.remus.tools.reproduce.experiment.ExperimentOptions.Where;
import dev.remus.tools.reproduce.experiment.ExperimentRun;
import dev.remus.tools.reproduce.experiment.PaperExperiment;
import dev.remus.tools.reproduce.experiment.PointProgress;
import dev.remus.tools.reproduce.testbed.Testbed;
import dev.remus.tools.reproduce.testbed.Testbeds;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** The tutorial's list by keys, threads, allocation policies, lanes and nodes, and the tutorial's claims about it. */
public final class LazyListFigures implements PaperExperiment {
    private static final String FIGURE = "figure";

    @Override
    public String name() {
        return "lazy-list";
    }

    @Override
    public String summary() {
        return "The tutorial's list: allocation policies, lanes, threads, nodes, key ranges";
    }

    @Override
    public List<OptionSpec<?>> options() {
        return List.of(ExperimentOptions.FABRIC, Hardware.OPTION);
    }

    @Override
    public int run(ExperimentRun run) throws IOException, InterruptedException {
        if (run.arguments().get(ExperimentOptions.FABRIC) != Where.SIM
                && run.arguments().isGiven(Hardware.OPTION)) {
            throw run.arguments().usageError(Hardware.OPTION, "--fabric sim");
        }
        Testbed testbed = Testbeds.of(run.arguments().get(ExperimentOptions.FABRIC), Hardware.model(run.arguments()));
        ListPlan plan = new ListPlan(run.extent(), testbed.isModelled());
        TrialTable table = new TrialTable();
        try {
            runAll(plan, testbed, run, table);
        } catch (UnbalancedException e) {
            run.err().println("remus reproduce: " + e.getMessage());
            return ExitStatus.FAILED;
        }
        ClaimReport report = new ClaimReport(run, "The tutorial's list", testbed.description());
        report.remark(testbed.remark(plan.figures().values().stream()
                .flatMap(List::stream)
                .mapToInt(ListTrial::threads)
                .max()
                .orElse(0)));
        plan.figures().keySet().forEach(figure -> report.section("By " + figure, table, Map.of(FIGURE, figure)));
        List<Claim> claims = new ListClaims(table, testbed.isModelled()).all();
        report.claims(claims);
        report.figures(figures(), table);
        report.write(
                table,
                LongStream.range(run.seed(), run.seed() + plan.rounds()).boxed().toList(),
                claims);
        return ExitStatus.OK;
    }

    private static List<ClaimFigure> figures() {
        Axis throughput = Axis.of("throughput", Unit.OPERATIONS_PER_SECOND);
        Axis roundTrips = Axis.of("round trips per operation");
        Axis keys = Axis.of("keys").logarithmic();
        Axis threads = Axis.of("threads");
        String list = "list";
        return List.of(
                new ClaimFigure(
                        "round-trips-by-keys",
                        "Searches",
                        Map.of(FIGURE, ListPlan.KEYS),
                        "keys",
                        keys,
                        ListFigure.ROUND_TRIPS,
                        roundTrips,
                        list),
                new ClaimFigure(
                        "throughput-by-keys",
                        "Searches",
                        Map.of(FIGURE, ListPlan.KEYS),
                        "keys",
                        keys,
                        ListFigure.THROUGHPUT,
                        throughput,
                        list),
                new ClaimFigure(
                        "throughput-by-threads",
                        "Lists on all nodes and on one",
                        Map.of(FIGURE, ListPlan.THREADS),
                        "threads",
                        threads,
                        ListFigure.THROUGHPUT,
                        throughput,
                        list),
                new ClaimFigure(
                        "round-trips-by-threads",
                        "Contention",
                        Map.of(FIGURE, ListPlan.THREADS),
                        "threads",
                        threads,
                        ListFigure.ROUND_TRIPS,
                        roundTrips,
                        list),
                new ClaimFigure(
                        "throughput-by-policy",
                        "Allocation",
                        Map.of(FIGURE, ListPlan.POLICY),
                        "policy",
                        Axis.of("allocation policy"),
                        ListFigure.THROUGHPUT,
                        throughput,
                        "threads"),
                new ClaimFigure(
                        "throughput-by-lanes",
                        "Lanes",
                        Map.of(FIGURE, ListPlan.LANES),
                        "lanes",
                        Axis.of("lanes"),
                        ListFigure.THROUGHPUT,
                        throughput,
                        "threads"),
                new ClaimFigure(
                        "throughput-by-nodes",
                        "Nodes, each a Memory Node and a Compute Node",
                        Map.of(FIGURE, ListPlan.NODES),
                        "compute_nodes",
                        Axis.of("nodes"),
                        ListFigure.THROUGHPUT,
                        throughput,
                        list));
    }

    private static void runAll(ListPlan plan, Testbed testbed, ExperimentRun run, TrialTable table)
            throws InterruptedException {
        Map<String, List<ListTrial>> figures = plan.figures();
        long total = (long) plan.rounds()
                * figures.values().stream().mapToInt(List::size).sum();
        try (PointProgress progress = run.progress(total)) {
            for (int round = 0; round < plan.rounds(); round++) {
                long seed = run.seed() + round;
                for (Map.Entry<String, List<ListTrial>> figure : figures.entrySet()) {
                    for (ListTrial trial : figure.getValue()) {
                        Map<String, Object> conditions = new LinkedHashMap<>(Map.of(FIGURE, figure.getKey()));
                        conditions.putAll(trial.conditions());
                        table.add(conditions, runOne(trial, plan, testbed, seed));
                        progress.complete(1);
                    }
                }
            }
        }
    }

    private static Map<String, Double> runOne(ListTrial trial, ListPlan plan, Testbed testbed, long seed)
            throws InterruptedException {
        try {
            return trial.run(testbed, plan::length, seed);
        } catch (InterruptedException | UnbalancedException | FabricException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(trial + " cannot be run", e);
        }
    }
}
