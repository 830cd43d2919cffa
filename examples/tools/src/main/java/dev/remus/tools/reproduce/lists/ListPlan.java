// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.lists;

import dev.remus.config.AllocationPolicy;
import dev.remus.tools.harness.RunLength;
import dev.remus.tools.reproduce.experiment.RunExtent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The runs of the experiment with lists, by figure. */
final class ListPlan {
    /** Searches, by the number of keys. */
    static final String KEYS = "keys";

    /** By the number of threads, with the list on all nodes and on one. */
    static final String THREADS = "threads";

    /** By the policy of allocation. */
    static final String POLICY = "policy";

    /** By the number of lanes. */
    static final String LANES = "lanes";

    /** By the number of nodes, each a Memory Node and a Compute Node. */
    static final String NODES = "nodes";

    private static final int FEW_UPDATES = 10;
    private static final int MIN_OPERATIONS = 100;
    private static final int MIN_QUICK_OPERATIONS = 10;
    private static final int MAX_OPERATIONS = 4000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final RunExtent extent;
    private final boolean isModelled;
    private final ListTrial base;

    /** @param isModelled whether the number of threads is not limited by this machine's processors */
    ListPlan(RunExtent extent, boolean isModelled) {
        this.extent = extent;
        this.isModelled = isModelled;
        this.base = new ListTrial(
                "",
                RunLength.ofOperations(0),
                ListSeries.LAZY,
                AllocationPolicy.GLOBAL_RR,
                2,
                nodes(),
                nodes(),
                2,
                keysOfUpdates(),
                FEW_UPDATES);
    }

    private int nodes() {
        return isModelled && extent != RunExtent.QUICK ? 4 : 2;
    }

    /** How often each run is repeated, with another seed each time. */
    int rounds() {
        return switch (extent) {
            case QUICK -> 1;
            case DEFAULT -> isModelled ? 2 : 3;
            case FULL -> isModelled ? 5 : 10;
        };
    }

    private int keysOfUpdates() {
        return extent == RunExtent.QUICK ? 16 : 128;
    }

    private List<Integer> keys() {
        return switch (extent) {
            case QUICK -> List.of(8, 32);
            case DEFAULT -> List.of(16, 32, 64, 128, 256, 512);
            case FULL -> List.of(16, 32, 64, 128, 256, 512, 1024, 2048);
        };
    }

    private List<Integer> threadsPerNode() {
        if (extent == RunExtent.QUICK) {
            return List.of(1, 2);
        }
        return isModelled ? List.of(1, 2, 4, 8, 16, 24) : List.of(1, 2, 4);
    }

    /** The length of a run on the model, in round trips of all threads, and else its time. */
    private RunLength length(long roundTripsOfOneOperationEach) {
        if (!isModelled) {
            long millis = switch (extent) {
                case QUICK -> 20;
                case DEFAULT -> 400;
                case FULL -> 5000;
            };
            return RunLength.ofNanos(millis * NANOS_PER_MILLI);
        }
        long budget = switch (extent) {
            case QUICK -> 2_000;
            case DEFAULT -> 60_000;
            case FULL -> 600_000;
        };
        int fewest = extent == RunExtent.QUICK ? MIN_QUICK_OPERATIONS : MIN_OPERATIONS;
        return RunLength.ofOperations(
                Math.max(fewest, Math.min(MAX_OPERATIONS, budget / roundTripsOfOneOperationEach)));
    }

    /** The runs of one round. */
    List<ListTrial> trials() {
        List<ListTrial> trials = new ArrayList<>();
        figures()
                .forEach((figure, runs) ->
                        runs.forEach(trial -> trials.add(trial.in(figure).lasting(length(trial.roundTrips())))));
        return trials;
    }

    /** The runs of each figure. */
    Map<String, List<ListTrial>> figures() {
        Map<String, List<ListTrial>> figures = new LinkedHashMap<>();
        figures.put(KEYS, byKeys());
        figures.put(THREADS, byThreads());
        figures.put(POLICY, byPolicy());
        figures.put(LANES, byLanes());
        figures.put(NODES, byNodes());
        return figures;
    }

    private List<ListTrial> byKeys() {
        List<ListTrial> trials = new ArrayList<>();
        for (int keys : keys()) {
            for (ListSeries list : ListSeries.values()) {
                trials.add(base.with(list).withKeys(keys).withUpdates(0));
            }
        }
        return trials;
    }

    private List<ListTrial> byThreads() {
        List<ListTrial> trials = new ArrayList<>();
        for (int threads : threadsPerNode()) {
            for (ListSeries list : ListSeries.values()) {
                trials.add(base.with(list).withThreadsPerNode(threads));
            }
            trials.add(base.withThreadsPerNode(threads).withNodes(1, nodes()));
        }
        return trials;
    }

    private List<ListTrial> byPolicy() {
        List<ListTrial> trials = new ArrayList<>();
        for (int threads : fewAndMany()) {
            for (AllocationPolicy policy : AllocationPolicy.values()) {
                trials.add(base.with(policy).withThreadsPerNode(threads));
            }
        }
        return trials;
    }

    private List<ListTrial> byLanes() {
        List<ListTrial> trials = new ArrayList<>();
        for (int threads : fewAndMany()) {
            for (int lanes : extent == RunExtent.QUICK ? List.of(1, 2) : List.of(1, 2, 4, 8)) {
                trials.add(base.withLanes(lanes).withThreadsPerNode(threads));
            }
        }
        return trials;
    }

    private List<Integer> fewAndMany() {
        List<Integer> all = threadsPerNode();
        return List.of(all.get(1), all.get(all.size() - 1)).stream().distinct().toList();
    }

    private List<ListTrial> byNodes() {
        List<ListTrial> trials = new ArrayList<>();
        for (int nodes : extent == RunExtent.QUICK || !isModelled ? List.of(1, 2) : List.of(1, 2, 4, 8)) {
            trials.add(base.withNodes(nodes, nodes));
        }
        return trials;
    }
}
