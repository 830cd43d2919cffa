// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.lists;

import dev.remus.tools.plot.Axis;
import dev.remus.tools.plot.Unit;
import dev.remus.tools.reproduce.claims.Claim;
import dev.remus.tools.reproduce.claims.ClaimExperiment;
import dev.remus.tools.reproduce.claims.ClaimFigure;
import dev.remus.tools.reproduce.claims.ClaimPlan;
import dev.remus.tools.reproduce.claims.TrialTable;
import dev.remus.tools.reproduce.experiment.RunExtent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The tutorial's list by keys, threads, allocation policies, lanes and nodes, and the tutorial's claims about it. */
public final class LazyListFigures extends ClaimExperiment {
    /** Made once, for all runs. */
    public LazyListFigures() {
        super("The tutorial's list");
    }

    @Override
    public String name() {
        return "lazy-list";
    }

    @Override
    public String summary() {
        return "The tutorial's list: allocation policies, lanes, threads, nodes, key ranges";
    }

    @Override
    protected ClaimPlan plan(RunExtent extent, boolean isModelled) {
        ListPlan plan = new ListPlan(extent, isModelled);
        Map<String, Map<String, ?>> sections = new LinkedHashMap<>();
        plan.figures().keySet().forEach(figure -> sections.put("By " + figure, Map.of(ListTrial.FIGURE, figure)));
        return new ClaimPlan(plan.rounds(), 0, plan.trials(), sections);
    }

    @Override
    protected List<Claim> claims(TrialTable table, boolean isModelled) {
        return new ListClaims(table, isModelled).all();
    }

    @Override
    protected List<ClaimFigure> figures() {
        Axis throughput = Axis.of("throughput", Unit.OPERATIONS_PER_SECOND);
        Axis roundTrips = Axis.of("round trips per operation");
        Axis keys = Axis.of("keys").logarithmic();
        Axis threads = Axis.of("threads");
        String list = "list";
        return List.of(
                new ClaimFigure(
                        "round-trips-by-keys",
                        "Searches",
                        Map.of(ListTrial.FIGURE, ListPlan.KEYS),
                        "keys",
                        keys,
                        ListFigure.ROUND_TRIPS,
                        roundTrips,
                        list),
                new ClaimFigure(
                        "throughput-by-keys",
                        "Searches",
                        Map.of(ListTrial.FIGURE, ListPlan.KEYS),
                        "keys",
                        keys,
                        ListFigure.THROUGHPUT,
                        throughput,
                        list),
                new ClaimFigure(
                        "throughput-by-threads",
                        "Lists on all nodes and on one",
                        Map.of(ListTrial.FIGURE, ListPlan.THREADS),
                        "threads",
                        threads,
                        ListFigure.THROUGHPUT,
                        throughput,
                        list),
                new ClaimFigure(
                        "round-trips-by-threads",
                        "Contention",
                        Map.of(ListTrial.FIGURE, ListPlan.THREADS),
                        "threads",
                        threads,
                        ListFigure.ROUND_TRIPS,
                        roundTrips,
                        list),
                new ClaimFigure(
                        "throughput-by-policy",
                        "Allocation",
                        Map.of(ListTrial.FIGURE, ListPlan.POLICY),
                        "policy",
                        Axis.of("allocation policy"),
                        ListFigure.THROUGHPUT,
                        throughput,
                        "threads"),
                new ClaimFigure(
                        "throughput-by-lanes",
                        "Lanes",
                        Map.of(ListTrial.FIGURE, ListPlan.LANES),
                        "lanes",
                        Axis.of("lanes"),
                        ListFigure.THROUGHPUT,
                        throughput,
                        "threads"),
                new ClaimFigure(
                        "throughput-by-nodes",
                        "Nodes, each a Memory Node and a Compute Node",
                        Map.of(ListTrial.FIGURE, ListPlan.NODES),
                        "compute_nodes",
                        Axis.of("nodes"),
                        ListFigure.THROUGHPUT,
                        throughput,
                        list));
    }
}
