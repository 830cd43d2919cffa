// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.verify;

import dev.remus.verify.RecordedRun;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Explains the operations on one key of a set, in the order of time, without any choice to take back.
 *
 * <p>A key has two states. An insert that returned true changes <em>absent</em> to <em>present</em>, a remove that
 * returned true changes it back, and every other operation only sees a state. So changes alternate, and the sweep is
 * lazy: it makes a change only when an operation returns that still needs one, and then the change that returns first.
 * What has only to see a state has seen it if that was the state at any moment of its interval.
 *
 * <p><b>Why this is enough.</b> Let another explanation have made c' changes at some moment, and the sweep c. Then c is
 * at most c', because the sweep makes a change only where it must:
 *
 * <ul>
 *   <li>An operation returns that has not seen its state. Then the sweep's state was the other one throughout its
 *       interval. The other explanation did show it its state, so it has made more changes by now.
 *   <li>A change returns that has not been made. The changes of its kind that the sweep made before either return
 *       before it, and the other explanation has made them too; or the sweep made them before it was called.
 * </ul>
 *
 * <p>So the changes that the sweep needs have been called. Which of them it takes does not matter: of two changes of
 * one kind that are both in flight, the one that returns first may always go first.
 */
final class KeySweep {
    static final int NONE = -1;

    private final RecordedRun run;
    private final boolean[] done;
    private final PriorityQueue<Integer> due;
    private final PriorityQueue<Integer> inserts;
    private final PriorityQueue<Integer> removes;
    private final List<Integer> seekingPresent = new ArrayList<>();
    private final List<Integer> seekingAbsent = new ArrayList<>();
    private boolean present;

    KeySweep(RecordedRun run) {
        this.run = run;
        done = new boolean[run.size()];
        due = byReturn();
        inserts = byReturn();
        removes = byReturn();
    }

    private PriorityQueue<Integer> byReturn() {
        return new PriorityQueue<>((a, b) -> {
            int order = Long.compare(run.returned(a), run.returned(b));
            return order != 0 ? order : Integer.compare(a, b); // the same order in all of them
        });
    }

    /** Whether an operation changes the state: an insert or remove that returned true, or might have. */
    static boolean changes(RecordedRun run, int op) {
        return run.kind(op) != SetCodes.CONTAINS && (run.isPending(op) || run.outcome(op) == SetCodes.outcome(true));
    }

    /**
     * Finds the first operation, by return, that no order explains.
     *
     * @param ops holds the operations on one key, by call
     * @param from the first of them
     * @param to behind the last of them
     * @param presentAtFirst whether the key is in the set at first
     * @return its number, or {@link #NONE}
     */
    int firstUnexplained(int[] ops, int from, int to, boolean presentAtFirst) {
        present = presentAtFirst;
        clear();
        for (int i = from; i < to; i++) {
            int stuck = settleBefore(run.called(ops[i]));
            if (stuck != NONE) {
                return stuck;
            }
            call(ops[i]);
        }
        return settleBefore(RecordedRun.PENDING);
    }

    private void clear() {
        due.clear();
        inserts.clear();
        removes.clear();
        seekingPresent.clear();
        seekingAbsent.clear();
    }

    private void call(int op) {
        if (changes(run, op)) {
            (run.kind(op) == SetCodes.INSERT ? inserts : removes).add(op);
            due.add(op);
        } else if (!run.isPending(op) && seenState(op) != present) {
            (seenState(op) ? seekingPresent : seekingAbsent).add(op);
            due.add(op);
        }
    }

    /** The state that an operation without effect has seen. */
    private boolean seenState(int op) {
        boolean answer = run.outcome(op) == SetCodes.outcome(true);
        return run.kind(op) == SetCodes.INSERT || run.kind(op) == SetCodes.CONTAINS && answer;
    }

    /** Explains all that return before a moment. */
    private int settleBefore(long moment) {
        while (!due.isEmpty() && run.returned(due.peek()) < moment) {
            int op = due.poll();
            if (!done[op] && !explain(op)) {
                return op;
            }
        }
        return NONE;
    }

    private boolean explain(int op) {
        if (!changes(run, op)) {
            return flip();
        }
        boolean wrongState = present == (run.kind(op) == SetCodes.INSERT);
        return (!wrongState || flip()) && flip();
    }

    /** Makes the change that returns first of those that are possible; returns whether there is one. */
    private boolean flip() {
        PriorityQueue<Integer> possible = present ? removes : inserts;
        if (possible.isEmpty()) {
            return false;
        }
        done[possible.poll()] = true;
        present = !present;
        List<Integer> served = present ? seekingPresent : seekingAbsent;
        served.forEach(op -> done[op] = true);
        served.clear();
        return true;
    }
}
