// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operations on one key of a map, of which each names the value that it saw. So no order has to be searched:
 *
 * <pre>
 *   put -> v1     replace v1 -> v2     remove v2     put -> v7     ...        one life: from a put over nothing
 *         |  get: v1          |  get: v2        |  get: missing               to the remove that ends it
 * </pre>
 *
 * <p>Within a life, every operation has its place. The operations can take effect in this order if none returned before
 * one with an earlier place was called. Lives follow one another in an order that is not known. Let f be the first
 * return among the operations of a life, and s the last call. If f is before s, the key was there from f to s at least:
 * the life <em>lasts</em>. Otherwise all its operations were in flight from s to f, and could take effect at any one
 * moment of that time. So the operations on a key are linearizable if and only if
 *
 * <ol>
 *   <li>each saw a value that was written to the key, no value was replaced or removed twice, and each life begins
 *   <li>each life can have its order
 *   <li>no two lives last at the same time, and
 *   <li>for each life that does not last, and for each operation that found the key missing, there is a moment at which
 *       no life lasts.
 * </ol>
 *
 * <p><b>Why this is enough.</b> Let each operation of a life that lasts take effect at f, or at the last call of those
 * with an earlier place or its own, whatever is later. That is after its call and, by 2, before its return, and within
 * f and s. Everything else takes effect at its moment of 4. At one moment at which one life ends and another begins,
 * operations that found nothing come between.
 *
 * <p>A value that a key has at first belongs to a life that began before all operations. A conditional operation that
 * expected a value in vain, after some operation had seen it, proves that the value was replaced before it returned.
 *
 * <p>Source: P. Gibbons and E. Korach, "Testing Shared Memories", SIAM Journal on Computing 26(4), 1997, for registers:
 * their zones are these lives.
 */
final class KeyHistory {
    private static final int NONE = MapRun.NONE;

    private final MapRun run;

    /** Stands for the writer of the value that the key has at first. */
    private final int before;

    // By the writer of a value:
    private final int[] successors;
    private final int[] readers;
    private final int[] firstSeen;

    /** Of readers: the next one of the same value. */
    private final int[] next;

    /** By what moment an operation must have taken effect, and the operation that shows it, if that is another one. */
    private final long[] deadlines;

    private final int[] urgedBy;
    private final boolean[] placed;

    // Of the key that is judged:
    private final List<Integer> beginnings = new ArrayList<>();
    private final List<Integer> missing = new ArrayList<>();
    private final List<Integer> inVain = new ArrayList<>();
    private boolean presentAtFirst;
    private boolean isDecided;
    private @Nullable Violation violation;

    KeyHistory(MapRun run) {
        this.run = run;
        before = run.size();
        successors = new int[before + 1];
        readers = new int[before + 1];
        firstSeen = new int[before + 1];
        next = new int[before + 1];
        deadlines = new long[before + 1];
        urgedBy = new int[before + 1];
        placed = new boolean[before + 1];
    }

    /**
     * Operations that no order explains.
     *
     * @param operations their numbers
     * @param atFirst the number of the value that the key had before them
     * @param reason in one line
     */
    record Violation(List<Integer> operations, int atFirst, String reason) {}

    /** From a put over nothing to the remove that ended it. */
    private static final class Life {
        final int beginning;
        long firstReturn = Long.MAX_VALUE;
        long lastCall = Long.MIN_VALUE;

        Life(int beginning) {
            this.beginning = beginning;
        }

        boolean lasts() {
            return firstReturn < lastCall;
        }

        boolean covers(long from, long to) {
            return firstReturn < from && to < lastCall;
        }
    }

    /**
     * Judges the operations on a key.
     *
     * @param ops holds their numbers
     * @param from where the first of them is
     * @param to behind the last of them
     * @return null if there is an order that explains them, or if it is not {@link #isDecided} whether there is
     */
    @Nullable
    Violation judge(int[] ops, int from, int to, boolean isPresentAtFirst) {
        clear(ops, from, to, isPresentAtFirst);
        if (!isDecided) {
            return null;
        }
        for (int i = from; i < to && violation == null; i++) {
            connect(ops[i]);
        }
        for (int i = 0; i < inVain.size() && violation == null; i++) {
            urge(inVain.get(i));
        }
        if (violation != null || !isDecided) {
            return violation;
        }
        List<Life> lives = new ArrayList<>();
        if (presentAtFirst) {
            lives.add(live(before));
        }
        beginnings.forEach(op -> lives.add(live(op)));
        if (violation == null) {
            findEndless(ops, from, to);
        }
        if (violation == null) {
            fit(lives);
        }
        return violation;
    }

    /** Whether the last judgement is a verdict. Else pending operations, or values expected in vain, are in its way. */
    boolean isDecided() {
        return isDecided;
    }

    private void clear(int[] ops, int from, int to, boolean isPresentAtFirst) {
        presentAtFirst = isPresentAtFirst;
        isDecided = true;
        violation = null;
        beginnings.clear();
        missing.clear();
        inVain.clear();
        clear(before, Long.MIN_VALUE);
        for (int i = from; i < to; i++) {
            clear(ops[i], run.returned(ops[i]));
            if (run.mayHaveChanged(ops[i])) {
                isDecided = false;
            }
        }
    }

    private void clear(int op, long deadline) {
        successors[op] = NONE;
        readers[op] = NONE;
        firstSeen[op] = op;
        deadlines[op] = deadline;
        urgedBy[op] = NONE;
        placed[op] = false;
    }

    private void found(List<Integer> operations, int atFirst, String reason) {
        if (violation == null) {
            violation = new Violation(operations, atFirst, reason);
        }
    }

    // ------------------------------------------------------------------------------------------------ values

    /** The operation that wrote the value that an operation saw. */
    private int writerFor(int op) {
        return run.seen(op) == MapCodes.AT_FIRST
                ? presentAtFirst ? before : NONE
                : run.writer(run.seen(op), run.key(op));
    }

    private void connect(int op) {
        boolean changed = run.changes(op);
        if (run.isPending(op)) {
            return; // a get, which changes nothing
        }
        if (run.expectedInVain(op)) {
            inVain.add(op);
        } else if (run.seen(op) == MapCodes.MISSING) {
            (changed ? beginnings : missing).add(op);
        } else {
            see(op, writerFor(op), changed);
        }
    }

    private void see(int op, int writer, boolean changed) {
        if (writer == NONE || writer == op) {
            int atFirst = presentAtFirst ? MapCodes.AT_FIRST : MapCodes.MISSING;
            found(List.of(op), atFirst, "no operation wrote the value that was seen");
            return;
        }
        if (changed && successors[writer] != NONE) {
            List<Integer> operations = new ArrayList<>(List.of(successors[writer], op));
            found(withWriter(writer, operations), seenBy(writer, op), "two operations changed the same value");
            return;
        }
        if (run.returned(op) < deadlines[firstSeen[writer]]) {
            firstSeen[writer] = op;
        }
        if (changed) {
            successors[writer] = op;
        } else {
            next[op] = readers[writer];
            readers[writer] = op;
        }
    }

    /** An operation expected a value in vain: if that was there before, it was gone by the time of the return. */
    private void urge(int op) {
        int writer = writerFor(op);
        if (writer == NONE) {
            return;
        }
        if (deadlines[firstSeen[writer]] >= run.called(op)) {
            isDecided = false; // it may not have been there yet
            return;
        }
        int successor = successors[writer];
        if (successor == NONE || run.called(successor) > run.returned(op)) {
            List<Integer> operations = new ArrayList<>(List.of(op));
            if (firstSeen[writer] != writer) {
                operations.add(firstSeen[writer]);
            }
            found(
                    withWriter(writer, operations),
                    seenBy(writer, op),
                    "an expected value was there, and did not change");
        } else if (run.returned(op) < deadlines[successor]) {
            deadlines[successor] = run.returned(op);
            urgedBy[successor] = op;
        }
    }

    private List<Integer> withWriter(int writer, List<Integer> operations) {
        if (writer != before) {
            operations.add(writer);
        }
        return operations;
    }

    /** The value before a writer's, or, if that is not among the operations, the one that another operation saw. */
    private int seenBy(int writer, int op) {
        return run.seen(writer == before ? op : writer);
    }

    // ------------------------------------------------------------------------------------------------ lives

    /** Follows the values of a life, and checks its order. */
    private Life live(int beginning) {
        Life life = new Life(beginning);
        int last = NONE; // the one that was called last of those with earlier places
        for (int writer = beginning; writer != NONE; writer = successors[writer]) {
            if (writer == before) {
                life.firstReturn = Long.MIN_VALUE;
            } else {
                placed[writer] = true;
                checkOrder(writer, last);
                last = include(writer, last, life);
            }
            int lastUntilWritten = last;
            for (int reader = readers[writer]; reader != NONE; reader = next[reader]) {
                checkOrder(reader, lastUntilWritten);
                last = include(reader, last, life);
            }
            if (successors[writer] == NONE && (writer == before || run.writes(writer))) {
                life.lastCall = Long.MAX_VALUE; // nothing ended it
            }
        }
        return life;
    }

    private int include(int op, int last, Life life) {
        life.firstReturn = Math.min(life.firstReturn, deadlines[op]);
        life.lastCall = Math.max(life.lastCall, run.called(op));
        return last == NONE || run.called(op) > run.called(last) ? op : last;
    }

    /** Whether an operation could take effect after one with an earlier place. */
    private void checkOrder(int op, int earlier) {
        if (earlier == NONE || deadlines[op] >= run.called(earlier)) {
            return;
        }
        List<Integer> operations = new ArrayList<>();
        operations.add(earlier);
        int end = run.changes(op) ? op : writerFor(op);
        for (int at = run.changes(earlier) ? earlier : writerFor(earlier); at != end; ) {
            at = successors[at];
            operations.add(at);
        }
        if (end != op) {
            operations.add(op);
        }
        found(withUrgent(operations), run.seen(earlier), "a value was seen after it had been changed");
    }

    private List<Integer> withUrgent(List<Integer> operations) {
        for (int op : List.copyOf(operations)) {
            if (urgedBy[op] != NONE && !operations.contains(urgedBy[op])) {
                operations.add(urgedBy[op]);
            }
        }
        return operations;
    }

    /** Finds changes that follow one another in a circle. */
    private void findEndless(int[] ops, int from, int to) {
        for (int i = from; i < to; i++) {
            if (run.changes(ops[i]) && !placed[ops[i]]) {
                List<Integer> circle = new ArrayList<>();
                for (int op = ops[i]; !placed[op]; op = successors[op]) {
                    placed[op] = true;
                    circle.add(op);
                }
                found(circle, MapCodes.MISSING, "each of these operations changed a value of another");
                return;
            }
        }
    }

    // ------------------------------------------------------------------------------------------------ time

    private void fit(List<Life> lives) {
        List<Life> lasting = new ArrayList<>(lives.stream().filter(Life::lasts).toList());
        lasting.sort(Comparator.comparingLong(life -> life.firstReturn));
        for (int i = 1; i < lasting.size(); i++) {
            if (lasting.get(i).firstReturn < lasting.get(i - 1).lastCall) {
                overlap(lasting.get(i - 1), lasting.get(i));
                return;
            }
        }
        long[] starts = lasting.stream().mapToLong(life -> life.firstReturn).toArray();
        for (int op : missing) {
            Life life = covering(run.called(op), run.returned(op), lasting, starts);
            if (life != null) {
                miss(op, life);
                return;
            }
        }
        for (Life life : lives) {
            Life other = life.lasts() ? null : covering(life.lastCall, life.firstReturn, lasting, starts);
            if (other != null) {
                overlap(other, life);
                return;
            }
        }
    }

    /** The life that lasted all the time from one moment to another, or null. */
    private static @Nullable Life covering(long from, long to, List<Life> lasting, long[] starts) {
        int at = Arrays.binarySearch(starts, from); // starts differ, since no two lives last at the same time
        int last = (at >= 0 ? at : -at - 1) - 1;
        return last >= 0 && lasting.get(last).covers(from, to) ? lasting.get(last) : null;
    }

    /** An operation found the key missing while a life lasted: what happened in this life meanwhile, shows it. */
    private void miss(int op, Life life) {
        List<Integer> meanwhile = new ArrayList<>();
        int atFirst = life.beginning == before ? MapCodes.AT_FIRST : MapCodes.MISSING;
        int later = NONE;
        for (int writer = life.beginning; writer != NONE && later == NONE; writer = successors[writer]) {
            if (writer != before) {
                meanwhile.add(writer);
            }
            int earlier = returnedBefore(writer, run.called(op));
            if (earlier != NONE) { // begin with it
                meanwhile.clear();
                meanwhile.add(earlier);
                atFirst = run.seen(earlier);
            }
            later = calledAfter(writer, run.returned(op));
        }
        if (later != NONE && !meanwhile.contains(later)) {
            meanwhile.add(later);
        }
        meanwhile.add(op);
        found(withUrgent(meanwhile), atFirst, "the key was missing while it had a value");
    }

    /** An operation that saw a value before a moment, or else the one that wrote it before that, or {@link #NONE}. */
    private int returnedBefore(int writer, long moment) {
        for (int reader = readers[writer]; reader != NONE; reader = next[reader]) {
            if (deadlines[reader] < moment) {
                return reader;
            }
        }
        return writer != before && deadlines[writer] < moment ? writer : NONE;
    }

    /** An operation that wrote or saw a value and was called after a moment, or {@link #NONE}. */
    private int calledAfter(int writer, long moment) {
        if (writer != before && run.called(writer) > moment) {
            return writer;
        }
        for (int reader = readers[writer]; reader != NONE; reader = next[reader]) {
            if (run.called(reader) > moment) {
                return reader;
            }
        }
        return NONE;
    }

    /** Two lives can only have been at the same time. */
    private void overlap(Life one, Life other) {
        if (isWithin(other.beginning, one)) {
            miss(other.beginning, one);
        } else if (isWithin(one.beginning, other)) {
            miss(one.beginning, other);
        } else {
            List<Integer> operations = new ArrayList<>();
            addAll(one, operations);
            addAll(other, operations);
            boolean isInitial = one.beginning == before || other.beginning == before;
            found(
                    withUrgent(operations),
                    isInitial ? MapCodes.AT_FIRST : MapCodes.MISSING,
                    "the key had two values at the same time");
        }
    }

    private boolean isWithin(int op, Life life) {
        return op != before && life.covers(run.called(op), run.returned(op));
    }

    private void addAll(Life life, List<Integer> to) {
        for (int writer = life.beginning; writer != NONE; writer = successors[writer]) {
            if (writer != before) {
                to.add(writer);
            }
            for (int reader = readers[writer]; reader != NONE; reader = next[reader]) {
                to.add(reader);
            }
        }
    }
}
