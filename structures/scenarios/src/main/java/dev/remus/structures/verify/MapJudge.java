// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.verify;

import dev.remus.check.History;
import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Minimiser;
import dev.remus.check.Verdict;
import dev.remus.check.Verdict.Outcome;
import dev.remus.structures.spec.MapOperation;
import dev.remus.structures.spec.MapSpecification;
import dev.remus.structures.verify.KeyHistory.Violation;
import dev.remus.structures.verify.RunVerdict.Evidence;
import dev.remus.verify.RecordedRun;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Is the recorded run of a map linearizable? The judge decides key by key, which comes to the same, as in {@link
 * SetJudge}. All values that are written differ, so for one key it takes n log n steps: see {@link KeyHistory}.
 *
 * <p>A change that is pending may have taken effect at any later moment, or not at all. The operations on its key are
 * left to {@link LinearizabilityChecker}, which searches; so are those on a key of which a conditional operation
 * expected a value that no operation had seen before. If there are many of them, the outcome may be unknown.
 */
public final class MapJudge {
    private static final String PROPERTY = "linearizable";

    /** The operations that contradict each other are few, and show what they contradict only together. */
    private static final boolean KEPT = true;

    private final LongPredicate presentAtFirst;

    /** @param presentAtFirst the keys that were in the map before the first recorded operation */
    public MapJudge(LongPredicate presentAtFirst) {
        this.presentAtFirst = presentAtFirst;
    }

    /**
     * Judges a run that is recorded in {@link MapCodes}.
     *
     * @param threads the number of threads with which {@link MapCodes#written} was called
     */
    public RunVerdict judge(RecordedRun recorded, int threads) {
        MapRun run = new MapRun(recorded, threads);
        int[] byKey = Sorting.sorted(run.size(), (a, b) -> Long.compare(run.key(a), run.key(b)));
        KeyHistory history = new KeyHistory(run);
        RunVerdict unknown = null;
        for (int from = 0; from < byKey.length; ) {
            int to = from + 1;
            while (to < byKey.length && run.key(byKey[to]) == run.key(byKey[from])) {
                to++;
            }
            boolean isPresent = presentAtFirst.test(run.key(byKey[from]));
            Violation violation = history.judge(byKey, from, to, isPresent);
            if (violation != null) {
                return rejected(run, violation);
            }
            RunVerdict searched =
                    history.isDecided() ? null : search(run, Arrays.copyOfRange(byKey, from, to), isPresent);
            if (searched != null && searched.outcome() == Outcome.REJECTED) {
                return searched;
            }
            unknown = searched != null ? searched : unknown;
            from = to;
        }
        return unknown != null ? unknown : RunVerdict.accepted(PROPERTY, run.size());
    }

    private static RunVerdict rejected(MapRun run, Violation violation) {
        return because(
                Outcome.REJECTED,
                run,
                history(run, violation.operations().stream().mapToInt(op -> op)),
                MapRun.name(violation.atFirst()),
                "not linearizable: " + violation.reason());
    }

    /** Returns null if there is an order that explains the operations on a key. */
    private static @Nullable RunVerdict search(MapRun run, int[] ops, boolean isPresent) {
        Optional<String> atFirst = MapRun.name(isPresent ? MapCodes.AT_FIRST : MapCodes.MISSING);
        History<MapOperation<Long, String>, Optional<String>> history = history(run, Arrays.stream(ops));
        Verdict<?, ?> verdict = checker(atFirst).check(history);
        return verdict.isAccepted()
                ? null
                : because(
                        verdict.outcome(),
                        run,
                        history,
                        atFirst,
                        String.format(Locale.ROOT, "not known whether linearizable: %d operations", ops.length));
    }

    private static History<MapOperation<Long, String>, Optional<String>> history(MapRun run, IntStream ops) {
        return History.of(ops.distinct().mapToObj(run::invocation).toList());
    }

    private static LinearizabilityChecker<MapOperation<Long, String>, Optional<String>> checker(
            Optional<String> atFirst) {
        return new LinearizabilityChecker<>(new MapSpecification<>(atFirst));
    }

    private static RunVerdict because(
            Outcome outcome,
            MapRun run,
            History<MapOperation<Long, String>, Optional<String>> history,
            Optional<String> atFirst,
            String reason) {
        var checker = checker(atFirst);
        RunVerdict verdict = RunVerdict.because(
                outcome, run.size(), history, checker, () -> new Minimiser<>(checker, op -> KEPT), reason);
        Evidence evidence = verdict.evidence().orElseThrow();
        String before =
                "at first, the key has " + atFirst.map(v -> "the value " + v).orElse("no value") + "\n";
        return new RunVerdict(
                outcome,
                PROPERTY,
                run.size(),
                Optional.of(new Evidence(evidence.history(), evidence.smallest(), before + evidence.drawing())));
    }
}
