// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.verify;

import dev.remus.check.Checker;
import dev.remus.check.History;
import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Minimiser;
import dev.remus.check.QuiescentConsistencyChecker;
import dev.remus.check.Verdict.Outcome;
import dev.remus.structures.spec.QueueOperation;
import dev.remus.structures.spec.QueueResult;
import dev.remus.structures.spec.QueueSpecification;
import dev.remus.verify.RecordedRun;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Does the recorded run of a first-in-first-out queue keep the queue's promise? The queue is empty at first, and no two
 * enqueues have the same item. The judge takes n log n steps: see {@link QueueAspects}.
 *
 * <p>Results such as "full" and "not ready", which promise nothing about the order, do not belong into the log:
 * {@linkplain dev.remus.verify.OperationLog#withdraw withdraw} them. A pending enqueue may have taken effect or not. If
 * dequeues are pending, and items that nothing dequeued are what is wrong, the outcome is unknown.
 */
public final class QueueJudge {
    private final Checker<QueueOperation<String>, QueueResult<String>> checker;
    private final boolean stretches;
    private final LongFunction<String> names;

    private QueueJudge(
            Checker<QueueOperation<String>, QueueResult<String>> checker,
            boolean stretches,
            LongFunction<String> names) {
        this.checker = checker;
        this.stretches = stretches;
        this.names = names;
    }

    /**
     * A judge of linearizability.
     *
     * @param names names items in drawings, each by a name of its own
     */
    public static QueueJudge ofLinearizability(LongFunction<String> names) {
        return new QueueJudge(new LinearizabilityChecker<>(new QueueSpecification<>()), false, names);
    }

    /**
     * A judge of quiescent consistency: order holds across any moment at which no enqueue is in flight.
     *
     * @param names names items in drawings, each by a name of its own
     */
    public static QueueJudge ofQuiescentConsistency(LongFunction<String> names) {
        return new QueueJudge(
                new QuiescentConsistencyChecker<>(new QueueSpecification<>(), QueueOperation::isEnqueue), true, names);
    }

    /**
     * Judges a run that is recorded in {@link QueueCodes}.
     *
     * @throws IllegalArgumentException if two enqueues have the same item
     */
    public RunVerdict judge(RecordedRun run) {
        Intervals intervals = stretches ? Intervals.stretched(run) : Intervals.of(run);
        Optional<QueueAspects.Violation> found = new QueueAspects(run, intervals).violation();
        if (found.isEmpty()) {
            return RunVerdict.accepted(checker.property(), run.size());
        }
        QueueAspects.Violation violation = found.get();
        boolean[] kept = new boolean[run.size()];
        for (int op : violation.operations()) {
            kept[op] = true;
        }
        History<QueueOperation<String>, QueueResult<String>> history = run.history(new QueueCodes(names), i -> kept[i]);
        return RunVerdict.because(
                violation.isCertain() ? Outcome.REJECTED : Outcome.UNKNOWN,
                run.size(),
                history,
                checker,
                () -> new Minimiser<>(checker, QueueSpecification::itemOf),
                (violation.isCertain() ? "not " : "perhaps not ") + checker.property() + ": " + violation.reason());
    }
}
