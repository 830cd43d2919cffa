// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import dev.remus.fabric.shm.LocalClusters;
import dev.remus.fabric.shm.LocalClusters.Look;
import dev.remus.fabric.shm.LocalClusters.Node;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The operations per second of a cluster's Compute Nodes, from the counts in two notices of each. A notice has the time
 * of its own machine, so the clocks of machines need not agree.
 */
final class Speeds {
    private final Map<Integer, Map<String, String>> earlier = new TreeMap<>();
    private final Map<Integer, Map<Integer, Counts>> rates = new TreeMap<>();
    private final Map<Integer, OperationRate> work = new TreeMap<>();

    /** Records the counts of a cluster, so that later ones give its speed. */
    void note(Look look) {
        for (Node node : look.nodes()) {
            if (!node.isMemoryNode() && node.notice().containsKey("nanos")) {
                note(node.id(), node.notice());
            }
        }
    }

    private void note(int node, Map<String, String> notice) {
        Map<String, String> before = earlier.get(node);
        if (before == null) {
            earlier.put(node, notice);
            return;
        }
        double seconds = (nanos(notice) - nanos(before)) / 1e9;
        if (seconds > 0) { // else the node has posted no new notice yet
            Map<Integer, Counts> had = Counts.of(before);
            Map<Integer, Counts> now = new TreeMap<>();
            Counts.of(notice)
                    .forEach((thread, counts) ->
                            now.put(thread, counts.since(had.getOrDefault(thread, Counts.NONE), seconds)));
            rates.put(node, now);
            work.remove(node);
            OperationRate.between(before, notice, seconds).ifPresent(done -> work.put(node, done));
        }
        if (seconds != 0) { // else the node has been started again: its time has begun anew
            earlier.put(node, notice);
        }
    }

    private static long nanos(Map<String, String> notice) {
        return Long.parseLong(notice.get("nanos"));
    }

    /** Whether every running Compute Node has posted two notices. */
    boolean areKnown(Look look) {
        return look.nodes().stream()
                .filter(n -> !n.isMemoryNode() && n.state() == LocalClusters.State.RUNNING)
                .allMatch(n -> rates.containsKey(n.id()));
    }

    /** The remote operations per second of each thread of a node; empty if they are not known. */
    Map<Integer, Counts> ofThreads(int node) {
        return rates.getOrDefault(node, Map.of());
    }

    /** The sum over the threads of a node; empty if it is not known. */
    Optional<Counts> of(int node) {
        return Optional.ofNullable(rates.get(node))
                .map(threads -> threads.values().stream().reduce(Counts.NONE, Counts::plus));
    }

    /** The operations on structures that a node executes; empty if they are not known. */
    Optional<OperationRate> work(int node) {
        return Optional.ofNullable(work.get(node));
    }
}
