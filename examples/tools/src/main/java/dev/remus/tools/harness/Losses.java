// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.node.ComputeThread;
import dev.remus.node.Peers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The threads that were lost in a run, and what that means for its audit. Each may have had one operation in flight: in
 * effect already, but not in the counts that outlive it.
 *
 * @param threads the ids of the lost threads
 * @param nodes the ids of their Compute Nodes
 */
public record Losses(List<Integer> threads, List<Integer> nodes) {
    /** No thread was lost. */
    public static final Losses NONE = new Losses(List.of(), List.of());

    /** The threads that did not take part in the last barrier. */
    public static Losses of(ComputeThread ct) {
        Peers peers = ct.peers();
        List<Integer> threads = IntStream.range(0, ct.threads())
                .filter(thread ->
                        !peers.tookPart(thread) && (thread < ct.config().totalThreads() || peers.isLost(thread)))
                .boxed()
                .toList();
        return new Losses(
                threads,
                new ArrayList<>(threads.stream().map(peers::nodeOf).collect(Collectors.toCollection(TreeSet::new))));
    }

    /** Whether no thread was lost. */
    public boolean isEmpty() {
        return threads.isEmpty();
    }

    /** The most operations that were in flight. */
    public int inFlight() {
        return threads.size();
    }

    /** Whether an audit may find so many more or fewer than were counted. */
    public boolean explain(long difference) {
        return Math.abs(difference) <= inFlight();
    }

    /** For the line of the threads in a table: who was lost; empty if nobody was. */
    public String suffix() {
        return isEmpty() ? "" : ", of which " + threads.size() + " were lost with " + names();
    }

    private String names() {
        String ids = nodes.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return (nodes.size() == 1 ? "Compute Node " : "Compute Nodes ") + ids;
    }

    /** For the line of an audit: how much may be in flight; empty if nobody was lost. */
    public String allowance() {
        return isEmpty() ? "" : ", at most " + inFlight() + " in flight of lost threads";
    }

    /** Adds the number of lost threads to the metrics of a run, if there are any. */
    public void addTo(Map<String, Long> metrics) {
        if (!isEmpty()) {
            metrics.put("lost_threads", (long) threads.size());
        }
    }
}
