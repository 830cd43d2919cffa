// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.verify;

import dev.remus.verify.RecordedRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Finds what no first-in-first-out queue does with items that all differ. A run is linearizable exactly if it has none
 * of these:
 *
 * <ul>
 *   <li>an item that is dequeued, and was not enqueued by then;
 *   <li>an item that is dequeued twice;
 *   <li>two items of which the first is enqueued before the second, but the second is dequeued before the first, or the
 *       first never;
 *   <li>a dequeue that finds the queue empty, although at each moment of its interval there was an item that had been
 *       enqueued and whose dequeue had not begun.
 * </ul>
 *
 * <p>Source: T. Henzinger, A. Sezgin and V. Vafeiadis, "Aspect-Oriented Linearizability Proofs", CONCUR 2013, where
 * they are VFresh, VRepet, VOrd and VWit; and A. Bouajjani, M. Emmi, C. Enea and J. Hamza, "On Reducing Linearizability
 * to State Reachability", ICALP 2015. Each takes a sort and a sweep.
 */
final class QueueAspects {
    private static final int NONE = -1;

    private final RecordedRun run;
    private final Intervals time;
    /** All operations, by value, and the enqueue of an item first. */
    private final int[] byItem;
    /** The enqueues that have taken effect for certain. */
    private final int[] enqueues;
    /** At the same place the dequeue of the item, or {@link #NONE}. */
    private final int[] dequeues;

    private int items;
    private boolean hasPendingDequeues;

    /**
     * Operations that no queue explains.
     *
     * @param operations their numbers
     * @param isCertain false if a pending dequeue may explain them
     */
    record Violation(List<Integer> operations, boolean isCertain, String reason) {}

    QueueAspects(RecordedRun run, Intervals time) {
        this.run = run;
        this.time = time;
        byItem = Sorting.sorted(run.size(), (a, b) -> {
            int order = Long.compare(run.value(a), run.value(b));
            return order != 0 ? order : Integer.compare(run.kind(a), run.kind(b)); // the enqueue first
        });
        enqueues = new int[run.size()];
        dequeues = new int[run.size()];
    }

    /** The first violation that is found. */
    Optional<Violation> violation() {
        Optional<Violation> wrongItem = matchItems();
        if (wrongItem.isPresent()) {
            return wrongItem;
        }
        Optional<Violation> certain = amongItems(false);
        return certain.isPresent() ? certain : amongItems(true);
    }

    private Optional<Violation> amongItems(boolean withLeft) {
        Optional<Violation> order = order(withLeft);
        return order.isPresent() ? order : emptiness(withLeft);
    }

    // ------------------------------------------------------------------------------------- one item

    private Optional<Violation> matchItems() {
        for (int op : byItem) {
            if (run.kind(op) == QueueCodes.ENQUEUE) {
                addEnqueue(op);
            } else if (run.isPending(op)) {
                hasPendingDequeues = true;
            } else if (run.outcome(op) == QueueCodes.ITEM) {
                Optional<Violation> wrong = addDequeue(op);
                if (wrong.isPresent()) {
                    return wrong;
                }
            }
        }
        dropEnqueuesWithoutEffect();
        return Optional.empty();
    }

    private void addEnqueue(int op) {
        if (items > 0 && run.value(enqueues[items - 1]) == run.value(op)) {
            throw new IllegalArgumentException(
                    "two enqueues have the item " + run.value(op) + ": to be judged, each needs an item of its own");
        }
        enqueues[items] = op;
        dequeues[items++] = NONE;
    }

    private Optional<Violation> addDequeue(int op) {
        int item = items - 1;
        if (item < 0 || run.value(enqueues[item]) != run.value(op)) {
            return certain("an item was dequeued that nothing had enqueued", op);
        }
        if (dequeues[item] != NONE) {
            return certain("an item was dequeued twice", enqueues[item], dequeues[item], op);
        }
        if (time.returned(op) < time.called(enqueues[item])) {
            return certain("an item was dequeued before it was enqueued", enqueues[item], op);
        }
        dequeues[item] = op;
        return Optional.empty();
    }

    private static Optional<Violation> certain(String reason, Integer... operations) {
        return Optional.of(new Violation(List.of(operations), true, reason));
    }

    /** A pending enqueue whose item nothing dequeued explains nothing, so it may as well not have happened. */
    private void dropEnqueuesWithoutEffect() {
        int kept = 0;
        for (int item = 0; item < items; item++) {
            if (dequeues[item] != NONE || !run.isPending(enqueues[item])) {
                enqueues[kept] = enqueues[item];
                dequeues[kept++] = dequeues[item];
            }
        }
        items = kept;
    }

    private boolean isLeft(int item) {
        return dequeues[item] == NONE;
    }

    private long dequeueCalled(int item) {
        return isLeft(item) ? RecordedRun.PENDING : time.called(dequeues[item]);
    }

    private Violation violation(List<Integer> violating, int empty, String reason) {
        List<Integer> operations = new ArrayList<>();
        boolean isCertain = true;
        for (int item : violating) {
            operations.add(enqueues[item]);
            if (!isLeft(item)) {
                operations.add(dequeues[item]);
            }
            isCertain &= !isLeft(item) || !hasPendingDequeues;
        }
        if (empty != NONE) {
            operations.add(empty);
        }
        return new Violation(operations, isCertain, reason);
    }

    // ------------------------------------------------------------------------------------- two items

    private Optional<Violation> order(boolean withLeft) {
        int[] byReturn =
                Sorting.sorted(items, (a, b) -> Long.compare(time.returned(enqueues[a]), time.returned(enqueues[b])));
        int[] byCall =
                Sorting.sorted(items, (a, b) -> Long.compare(time.called(enqueues[a]), time.called(enqueues[b])));
        int earlier = 0;
        int last = NONE; // of the items enqueued before, the one whose dequeue began last
        for (int second : byCall) {
            for (;
                    earlier < items && time.returned(enqueues[byReturn[earlier]]) < time.called(enqueues[second]);
                    earlier++) {
                int first = byReturn[earlier];
                if ((withLeft || !isLeft(first)) && (last == NONE || dequeueCalled(first) > dequeueCalled(last))) {
                    last = first;
                }
            }
            if (last != NONE && !isLeft(second) && time.returned(dequeues[second]) < dequeueCalled(last)) {
                return Optional.of(violation(
                        List.of(last, second),
                        NONE,
                        "of two items, the one enqueued first was not dequeued by the time that the second was"));
            }
        }
        return Optional.empty();
    }

    // ------------------------------------------------------------------------------------- no item

    /**
     * Joins the times during which single items were certainly in the queue, and looks for a dequeue in one of them.
     *
     * <pre>
     *   item 1      enqueued |-------------------| dequeue called
     *   item 2                          |--------------------|
     *   a dequeue that must not find the queue empty:  |---|
     * </pre>
     */
    private Optional<Violation> emptiness(boolean withLeft) {
        int[] byReturn =
                Sorting.sorted(items, (a, b) -> Long.compare(time.returned(enqueues[a]), time.returned(enqueues[b])));
        long[] from = new long[items];
        long[] until = new long[items];
        int joined = 0;
        for (int item : byReturn) {
            long start = time.returned(enqueues[item]);
            if (start >= dequeueCalled(item) || !withLeft && isLeft(item)) {
                continue;
            }
            if (joined == 0 || start >= until[joined - 1]) {
                from[joined] = start;
                until[joined++] = dequeueCalled(item);
            } else {
                until[joined - 1] = Math.max(until[joined - 1], dequeueCalled(item));
            }
        }
        for (int op = 0; op < run.size(); op++) {
            if (isEmpty(op)) {
                int last = lastBefore(time.called(op), from, joined);
                if (last != NONE && time.returned(op) < until[last]) {
                    return Optional.of(violation(
                            cover(op, byReturn, withLeft),
                            op,
                            "a dequeue found the queue empty, although some item was always there"));
                }
            }
        }
        return Optional.empty();
    }

    private boolean isEmpty(int op) {
        return run.kind(op) == QueueCodes.DEQUEUE && !run.isPending(op) && run.outcome(op) == QueueCodes.EMPTY;
    }

    private static int lastBefore(long moment, long[] from, int length) {
        int found = Arrays.binarySearch(from, 0, length, moment);
        return (found >= 0 ? found : -found - 1) - 1;
    }

    /** As few items as possible of which one was always there while a dequeue found the queue empty. */
    private List<Integer> cover(int empty, int[] byReturn, boolean withLeft) {
        List<Integer> cover = new ArrayList<>();
        long reached = time.called(empty);
        int next = 0;
        while (cover.isEmpty() || time.returned(empty) >= reached) {
            int best = NONE;
            for (; next < items && time.returned(enqueues[byReturn[next]]) < reached; next++) {
                int item = byReturn[next];
                boolean counts = withLeft || !isLeft(item);
                if (counts && (best == NONE || dequeueCalled(item) > dequeueCalled(best))) {
                    best = item;
                }
            }
            if (best == NONE) {
                throw new IllegalStateException("nothing covers operation " + empty + " from " + reached);
            }
            cover.add(best);
            reached = dequeueCalled(best);
        }
        return cover;
    }
}
