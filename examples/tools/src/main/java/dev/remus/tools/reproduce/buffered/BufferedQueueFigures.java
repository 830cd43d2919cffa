// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.buffered;

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

/** The buffered queues by producers and batches: latency, throughput, fairness, and what their specification claims. */
public final class BufferedQueueFigures extends ClaimExperiment {
    private static final String QUEUE = "queue";

    /** Made once, for all runs. */
    public BufferedQueueFigures() {
        super("The buffered queues");
    }

    @Override
    public String name() {
        return "buffered-queue";
    }

    @Override
    public String summary() {
        return "The buffered queue: latency, throughput, fairness when full, strict and relaxed, batches";
    }

    @Override
    protected ClaimPlan plan(RunExtent extent, boolean isModelled) {
        BufferedPlan plan = new BufferedPlan(extent, isModelled);
        Map<String, Map<String, ?>> sections = new LinkedHashMap<>();
        sections.put("Room for all items: no thread waits", Map.of("load", BufferedLoad.ROOM));
        sections.put("Producers and consumer at the same time", Map.of("load", BufferedLoad.STREAM));
        sections.put("A full buffer of 16 items, and a slow consumer", Map.of("load", BufferedLoad.FULL));
        return new ClaimPlan(plan.rounds(), plan.warmUps(), plan.trials(), sections);
    }

    @Override
    protected List<Claim> claims(TrialTable table, boolean isModelled) {
        return new BufferedClaims(table).all();
    }

    @Override
    protected List<ClaimFigure> figures() {
        Axis producers = Axis.of("producers");
        Axis batch = Axis.of("items per batch").logarithmic();
        Axis items = Axis.of("throughput", Unit.ITEMS_PER_SECOND);
        Map<String, ?> room = Map.of("load", BufferedLoad.ROOM, "batch", 1);
        Map<String, ?> stream = Map.of("load", BufferedLoad.STREAM, "batch", 1);
        Map<String, ?> full = Map.of("load", BufferedLoad.FULL);
        Map<String, ?> batches = Map.of("load", BufferedLoad.STREAM, "producers", BufferedPlan.PRODUCERS_OF_BATCHES);
        return List.of(
                new ClaimFigure(
                        "throughput",
                        "Producers and consumer at the same time",
                        stream,
                        "producers",
                        producers,
                        BufferedFigure.THROUGHPUT.column(),
                        items,
                        QUEUE),
                new ClaimFigure(
                        "enqueue-mean",
                        "Enqueue with room",
                        room,
                        "producers",
                        producers,
                        BufferedFigure.ENQUEUE_MEAN.column(),
                        Axis.of("mean latency", Unit.MICROSECONDS),
                        QUEUE),
                new ClaimFigure(
                        "enqueue-p99",
                        "Enqueue with room",
                        room,
                        "producers",
                        producers,
                        BufferedFigure.ENQUEUE_P99.column(),
                        Axis.of("99th percentile of latency", Unit.MICROSECONDS),
                        QUEUE),
                new ClaimFigure(
                        "dequeue-mean",
                        "Dequeue of items that are there",
                        room,
                        "producers",
                        producers,
                        BufferedFigure.DEQUEUE_MEAN.column(),
                        Axis.of("mean latency", Unit.MICROSECONDS),
                        QUEUE),
                new ClaimFigure(
                        "fairness-of-items",
                        "Items of a producer under a full buffer",
                        full,
                        "producers",
                        producers,
                        BufferedFigure.ITEMS_JAIN.column(),
                        Axis.of("Jain's index"),
                        QUEUE),
                new ClaimFigure(
                        "fewest-to-most-items",
                        "Items of a producer under a full buffer",
                        full,
                        "producers",
                        producers,
                        BufferedFigure.ITEMS_MIN_MAX.column(),
                        Axis.of("fewest items / most items"),
                        QUEUE),
                new ClaimFigure(
                        "fairness-of-waiting",
                        "Mean wait of a producer under a full buffer",
                        full,
                        "producers",
                        producers,
                        BufferedFigure.WAIT_JAIN.column(),
                        Axis.of("Jain's index"),
                        QUEUE),
                new ClaimFigure(
                        "throughput-of-batches",
                        "Batches",
                        batches,
                        "batch",
                        batch,
                        BufferedFigure.THROUGHPUT.column(),
                        items,
                        QUEUE));
    }
}
