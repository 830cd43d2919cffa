// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.verify;

import dev.remus.check.History;
import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Minimiser;
import dev.remus.check.Verdict.Outcome;
import dev.remus.structures.spec.SetOperation;
import dev.remus.structures.spec.SetSpecification;
import dev.remus.verify.RecordedRun;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongPredicate;

/**
 * Is the recorded run of a set of integers linearizable? The judge decides key by key, which comes to the same (M.
 * Herlihy and J. Wing, "Linearizability: A Correctness Condition for Concurrent Objects", TOPLAS 12(3), 1990, theorem
 * 1). For one key it takes n log n steps: see {@link KeySweep}.
 *
 * <p>Of a pending insert or remove the judge assumes that it took effect at any later moment, or not at all.
 */
public final class SetJudge {
    private static final String PROPERTY = "linearizable";

    /** At least so many operations before the failure are searched for its cause, if there are so many. */
    private static final int CONTEXT = 200;

    private final LongPredicate presentAtFirst;

    /** @param presentAtFirst the keys that were in the set before the first recorded operation */
    public SetJudge(LongPredicate presentAtFirst) {
        this.presentAtFirst = presentAtFirst;
    }

    /** Judges a run that is recorded in {@link SetCodes}. */
    public RunVerdict judge(RecordedRun run) {
        int[] byKey = Sorting.sorted(run.size(), (a, b) -> {
            int order = Long.compare(run.value(a), run.value(b));
            return order != 0 ? order : Long.compare(run.called(a), run.called(b));
        });
        KeySweep sweep = new KeySweep(run);
        for (int from = 0; from < byKey.length; ) {
            long key = run.value(byKey[from]);
            int to = from + 1;
            while (to < byKey.length && run.value(byKey[to]) == key) {
                to++;
            }
            int stuck = sweep.firstUnexplained(byKey, from, to, presentAtFirst.test(key));
            if (stuck != KeySweep.NONE) {
                return rejected(run, Arrays.copyOfRange(byKey, from, to), stuck);
            }
            from = to;
        }
        return RunVerdict.accepted(PROPERTY, run.size());
    }

    /** @param ops the operations on one key, by call */
    private RunVerdict rejected(RecordedRun run, int[] ops, int stuck) {
        boolean[] kept = new boolean[run.size()];
        boolean present = keepAround(run, ops, stuck, kept);
        History<SetOperation<Long>, Boolean> history = run.history(new SetCodes(), i -> kept[i]);
        LinearizabilityChecker<SetOperation<Long>, Boolean> checker =
                new LinearizabilityChecker<>(present ? SetSpecification.full() : new SetSpecification<>());
        String reason = String.format(
                Locale.ROOT, "not linearizable: no order explains operation %d by thread %d", stuck, run.thread(stuck));
        return RunVerdict.because(
                Outcome.REJECTED, run.size(), history, checker, () -> new Minimiser<>(checker), reason);
    }

    /**
     * Chooses the operations on the key from some quiet moment before the failure up to it.
     *
     * @return whether the key was in the set at that quiet moment
     */
    private boolean keepAround(RecordedRun run, int[] ops, int stuck, boolean[] kept) {
        boolean present = presentAtFirst.test(run.value(stuck));
        int last = 0;
        while (last < ops.length && run.called(ops[last]) <= run.returned(stuck)) {
            last++;
        }
        int start = 0;
        boolean presentAtStart = present;
        long busyUntil = Long.MIN_VALUE;
        for (int i = 0; i < last; i++) {
            if (run.called(ops[i]) > busyUntil && (i <= last - CONTEXT || i == 0)) {
                start = i;
                presentAtStart = present;
            }
            busyUntil = Math.max(busyUntil, run.returned(ops[i]));
            // Every change flips the state, so their number decides at a quiet moment.
            present ^= !run.isPending(ops[i]) && KeySweep.changes(run, ops[i]);
        }
        for (int i = start; i < last; i++) {
            kept[ops[i]] = true;
        }
        return presentAtStart;
    }
}
