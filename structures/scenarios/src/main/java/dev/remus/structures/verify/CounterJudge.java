// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.verify;

import dev.remus.check.History;
import dev.remus.check.Timeline;
import dev.remus.check.Verdict.Outcome;
import dev.remus.verify.RecordedRun;
import java.util.Locale;
import java.util.Optional;

/**
 * Does the recorded run of a counter keep the promise of {@link dev.remus.structures.RemoteCounter}, if no negative
 * number is added? That is:
 *
 * <ul>
 *   <li>A sum is at least what had been added when it began: the additions that had returned.
 *   <li>It is at most what can have been added when it ended: the additions that had been called.
 *   <li>It is not below a sum that had returned before it began.
 * </ul>
 *
 * <p>The first two are intermediate value linearizability (A. Rinberg and I. Keidar, "Intermediate Value
 * Linearizability: A Quantitative Correctness Criterion", DISC 2020). In one linearization each sum takes effect at its
 * call and each addition at its return, which gives all lower bounds; in another one it is the other way round.
 *
 * <p>The judge sorts the run twice, and then takes one step for each operation. A pending addition may have taken
 * effect at any later moment, or not at all. It accepts a sum between its bounds that no choice of additions has, which
 * cannot be if each adds 1.
 */
public final class CounterJudge {
    private static final String PROPERTY = "intermediate value linearizable and monotonic";

    /** A drawing shows so many additions that had returned before the sum began, and as many that overlap it. */
    private static final int DRAWN = 5;

    private static final int NONE = -1;

    private final long atFirst;

    /** @param atFirst what the counter was before the first recorded operation */
    public CounterJudge(long atFirst) {
        this.atFirst = atFirst;
    }

    /**
     * Judges a run that is recorded in {@link CounterCodes}.
     *
     * @throws IllegalArgumentException if a negative number is added
     * @throws ArithmeticException if all numbers together are out of the range of a long
     */
    public RunVerdict judge(RecordedRun run) {
        check(run);
        int[] byCall = Sorting.sorted(run.size(), (a, b) -> Long.compare(run.called(a), run.called(b)));
        int[] byReturn = Sorting.sorted(run.size(), (a, b) -> Long.compare(run.returned(a), run.returned(b)));
        Optional<RunVerdict> tooSmall = tooSmall(run, byCall, byReturn);
        return tooSmall.orElseGet(
                () -> tooLarge(run, byCall, byReturn).orElseGet(() -> RunVerdict.accepted(PROPERTY, run.size())));
    }

    private void check(RecordedRun run) {
        long total = atFirst;
        for (int i = 0; i < run.size(); i++) {
            if (run.kind(i) != CounterCodes.ADD) {
                continue;
            }
            if (run.value(i) < 0) {
                throw new IllegalArgumentException("an addition of " + run.value(i) + ": needs 0 or more");
            }
            total = Math.addExact(total, run.value(i));
        }
    }

    private static boolean isSum(RecordedRun run, int op) {
        return run.kind(op) == CounterCodes.SUM && !run.isPending(op);
    }

    /** Finds a sum that lacks an addition which had returned, or that is below an earlier sum. */
    private Optional<RunVerdict> tooSmall(RecordedRun run, int[] byCall, int[] byReturn) {
        long added = atFirst;
        int largest = NONE;
        int ended = 0;
        for (int op : byCall) {
            if (!isSum(run, op)) {
                continue;
            }
            for (; run.returned(byReturn[ended]) < run.called(op); ended++) {
                int before = byReturn[ended];
                if (run.kind(before) == CounterCodes.ADD) {
                    added += run.value(before);
                } else if (largest == NONE || run.value(before) > run.value(largest)) {
                    largest = before;
                }
            }
            if (run.value(op) < added) {
                return Optional.of(rejected(run, byReturn, op, NONE, "after " + added + " had been added"));
            }
            if (largest != NONE && run.value(op) < run.value(largest)) {
                String reason = "after thread " + run.thread(largest) + " had found " + run.value(largest);
                return Optional.of(rejected(run, byReturn, op, largest, reason));
            }
        }
        return Optional.empty();
    }

    /** Finds a sum that has more than had been called by its return. */
    private Optional<RunVerdict> tooLarge(RecordedRun run, int[] byCall, int[] byReturn) {
        long added = atFirst;
        int begun = 0;
        for (int op : byReturn) {
            if (!isSum(run, op)) {
                continue;
            }
            for (; begun < byCall.length && run.called(byCall[begun]) <= run.returned(op); begun++) {
                added += run.kind(byCall[begun]) == CounterCodes.ADD ? run.value(byCall[begun]) : 0;
            }
            if (run.value(op) > added) {
                return Optional.of(rejected(run, byReturn, op, NONE, "before more than " + added + " had been added"));
            }
        }
        return Optional.empty();
    }

    /** @param earlier a sum before that one which contradicts it; {@link #NONE} if its bounds do */
    private static RunVerdict rejected(RecordedRun run, int[] byReturn, int sum, int earlier, String reason) {
        boolean[] kept = new boolean[run.size()];
        kept[sum] = true;
        if (earlier != NONE) {
            kept[earlier] = true;
        }
        keepAdditions(run, byReturn, sum, kept);
        History<String, String> history = run.history(new CounterCodes(), i -> kept[i]);
        String why = String.format(
                Locale.ROOT,
                "not %s: thread %d found the sum %d %s",
                PROPERTY,
                run.thread(sum),
                run.value(sum),
                reason);
        String drawing = new Timeline().draw(history) + why + "\n";
        return new RunVerdict(
                Outcome.REJECTED,
                PROPERTY,
                run.size(),
                Optional.of(new RunVerdict.Evidence(history, history, drawing)));
    }

    /** Keeps the last additions that had returned before the sum began, and the first that overlap it. */
    private static void keepAdditions(RecordedRun run, int[] byReturn, int sum, boolean[] kept) {
        int overlapping = 0;
        int ended = 0;
        while (run.returned(byReturn[ended]) < run.called(sum)) {
            ended++;
        }
        for (int i = ended; i < byReturn.length && overlapping < DRAWN; i++) {
            int op = byReturn[i];
            if (run.kind(op) == CounterCodes.ADD && run.called(op) <= run.returned(sum)) {
                kept[op] = true;
                overlapping++;
            }
        }
        for (int i = ended - 1, before = 0; i >= 0 && before < DRAWN; i--) {
            if (run.kind(byReturn[i]) == CounterCodes.ADD) {
                kept[byReturn[i]] = true;
                before++;
            }
        }
    }
}
