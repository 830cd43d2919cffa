// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import static dev.remus.simulation.scenario.ModelledWords.check;

import java.util.List;
import java.util.TreeSet;

/**
 * A model of which completions {@link dev.remus.node.AsyncOperations#awaitAny} has still to report to a thread: those
 * of which the thread has not learned otherwise.
 *
 * <p>A report covers the operations to a Memory Node that have completed by then. The model does not know which these
 * are: after a report, earlier operations may be reported or not.
 */
final class ExpectedReports {
    /** So many of the last operations are remembered one by one. Of earlier ones, one report may be left over. */
    private static final int SPAN = 64;

    // By Memory Node.
    private final List<TreeSet<Long>> certain = List.of(new TreeSet<>(), new TreeSet<>());
    private final List<TreeSet<Long>> possible = List.of(new TreeSet<>(), new TreeSet<>());
    private final long[] last = new long[2];

    /** Whether a report of earlier operations may be left over. */
    private final boolean[] mayBeLeft = new boolean[2];

    void posted(int node, long id) {
        certain.get(node).add(id);
        last[node] = id;
        mayBeLeft[node] |= id - first(node) >= SPAN;
    }

    private boolean isAny(int node) {
        return !certain.get(node).isEmpty() || !possible.get(node).isEmpty();
    }

    private long first(int node) {
        long certainly = certain.get(node).first();
        return possible.get(node).isEmpty()
                ? certainly
                : Math.min(certainly, possible.get(node).first());
    }

    /** The thread has learned by its future that an operation has completed. */
    void learned(int node, long id) {
        certain.get(node).remove(id);
        possible.get(node).remove(id);
    }

    /** The thread has waited for all operations up to an id. */
    void awaited(int node, long id) {
        certain.get(node).headSet(id, true).clear();
        possible.get(node).headSet(id, true).clear();
        mayBeLeft[node] &= last[node] - SPAN > id;
    }

    /** A completion is reported. */
    void reported(int node) {
        check(isAny(node) || mayBeLeft[node], "a completion of Memory Node " + node + " is reported once more");
        possible.get(node).addAll(certain.get(node));
        certain.get(node).clear();
        mayBeLeft[node] = false;
    }

    /** A wait finds that no completion can come. */
    void noneCanCome() {
        check(
                !mustCome(),
                "no completion can come, it is said, but those of the operations " + certain + " were not reported");
    }

    /** Whether a completion is to be reported, now or when an operation has completed. */
    boolean mustCome() {
        return certain.stream().anyMatch(ids -> !ids.isEmpty());
    }
}
