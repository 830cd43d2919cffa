// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.remus.check.Checker;
import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.QuiescentConsistencyChecker;
import dev.remus.check.Verdict;
import dev.remus.check.Verdict.Outcome;
import dev.remus.structures.spec.QueueOperation;
import dev.remus.structures.spec.QueueResult;
import dev.remus.structures.spec.QueueSpecification;
import dev.remus.structures.spec.SetOperation;
import dev.remus.structures.spec.SetSpecification;
import dev.remus.verify.OperationLog;
import dev.remus.verify.RecordedRun;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The judges of recorded runs give the verdicts of the checkers that fit any object. */
@Tag("any-jdk")
class JudgesTest {
    private static final int RUNS = 10_000;

    private final Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);

    private static Outcome searched(RecordedRun run) {
        Checker<SetOperation<Long>, Boolean> absent = new LinearizabilityChecker<>(new SetSpecification<>());
        Checker<SetOperation<Long>, Boolean> present = new LinearizabilityChecker<>(SetSpecification.full());
        Verdict<?, ?> of0 = absent.check(run.history(new SetCodes(), i -> run.value(i) == 0));
        Verdict<?, ?> of1 = present.check(run.history(new SetCodes(), i -> run.value(i) == 1));
        return of0.isAccepted() ? of1.outcome() : of0.outcome();
    }

    private void count(Outcome outcome) {
        outcomes.merge(outcome, 1, Integer::sum);
    }

    @Test
    void setsAreJudgedAsByTheSearch() {
        for (int seed = 0; seed < RUNS; seed++) {
            RecordedRun run = new RandomRun(seed, seed % 3 * 0.06, seed % 4 * 0.05).ofSet();
            RunVerdict verdict = new SetJudge(key -> key == 1).judge(run);
            assertThat(verdict.outcome()).as("seed %d", seed).isEqualTo(searched(run));
            if (!verdict.isAccepted() && seed % 10 == 1) {
                assertThat(verdict.evidence().orElseThrow().drawing()).contains("not linearizable: no order");
            }
            count(verdict.outcome());
        }
        assertThat(outcomes.get(Outcome.ACCEPTED)).isGreaterThan(RUNS / 3);
        assertThat(outcomes.get(Outcome.REJECTED)).isGreaterThan(RUNS / 10);
    }

    private void compare(QueueJudge judge, Checker<QueueOperation<String>, QueueResult<String>> checker, int pending) {
        for (int seed = 0; seed < RUNS; seed++) {
            RecordedRun run = new RandomRun(seed, seed % 3 * 0.1, seed % 4 * 0.01 * pending).ofQueue();
            RunVerdict verdict = judge.judge(run);
            Outcome searched = checker.check(run.history(new QueueCodes(Long::toString), i -> true))
                    .outcome();
            count(verdict.outcome());
            if (verdict.outcome() != Outcome.UNKNOWN) {
                assertThat(verdict.outcome()).as("seed %d", seed).isEqualTo(searched);
            }
        }
        assertThat(outcomes.get(Outcome.ACCEPTED)).isGreaterThan(RUNS / 3);
        assertThat(outcomes.get(Outcome.REJECTED)).isGreaterThan(RUNS / 10);
    }

    @Test
    void queuesAreJudgedAsByTheSearch() {
        compare(
                QueueJudge.ofLinearizability(Long::toString),
                new LinearizabilityChecker<>(new QueueSpecification<>()),
                0);
        assertThat(outcomes).doesNotContainKey(Outcome.UNKNOWN);
    }

    @Test
    void pendingOperationsOfQueuesMayHaveTakenEffect() {
        compare(
                QueueJudge.ofLinearizability(Long::toString),
                new LinearizabilityChecker<>(new QueueSpecification<>()),
                5);
        assertThat(outcomes.get(Outcome.UNKNOWN)).isLessThan(RUNS / 20);
    }

    @Test
    void relaxedQueuesAreJudgedAsByTheSearch() {
        compare(
                QueueJudge.ofQuiescentConsistency(Long::toString),
                new QuiescentConsistencyChecker<>(new QueueSpecification<>(), QueueOperation::isEnqueue),
                0);
        assertThat(outcomes).doesNotContainKey(Outcome.UNKNOWN);
    }

    @Test
    void aLostInsertIsDrawnWithTheInsert() {
        OperationLog writer = new OperationLog(10_000);
        OperationLog reader = new OperationLog(10_000);
        for (int i = 0; i < 5000; i++) {
            writer.call(i % 2 == 0 ? SetCodes.INSERT : SetCodes.REMOVE, 7, 100L * i);
            writer.returned(SetCodes.outcome(true), 7, 100L * i + 60);
            reader.call(SetCodes.CONTAINS, 7, 100L * i + 70);
            reader.returned(SetCodes.outcome(i % 2 == 0 && i < 4000), 7, 100L * i + 90);
        }
        RunVerdict verdict = new SetJudge(key -> false).judge(RecordedRun.of(List.of(writer, reader)));
        assertThat(verdict).hasToString("10,000 operations: NOT LINEARIZABLE");
        assertThat(verdict.evidence().orElseThrow().smallest().size()).isLessThan(4);
        assertThat(verdict.evidence().orElseThrow().reason())
                .startsWith("not linearizable: no order of the operations explains that contains(7) by thread 1"
                        + " returned false");
        assertThat(verdict.evidence().orElseThrow().drawing()).contains("insert(7)", "◄──");
    }

    @Test
    void aQueueThatIsNeverEmptyMustNotSeemSo() {
        OperationLog producer = new OperationLog(100);
        OperationLog consumer = new OperationLog(100);
        for (int i = 1; i <= 50; i++) {
            producer.call(QueueCodes.ENQUEUE, i, 10L * i);
            producer.returned(QueueCodes.ENQUEUED, i, 10L * i + 2);
            consumer.call(QueueCodes.DEQUEUE, 0, 10L * i + 15);
            consumer.returned(QueueCodes.ITEM, i, 10L * i + 16);
        }
        RecordedRun right = RecordedRun.of(List.of(producer, consumer));
        QueueJudge judge = QueueJudge.ofLinearizability(item -> "item" + item);
        assertThat(judge.judge(right)).hasToString("100 operations: linearizable");
        OperationLog other = new OperationLog(1);
        other.call(QueueCodes.DEQUEUE, 0, 211);
        other.returned(QueueCodes.EMPTY, 0, 219);
        RunVerdict verdict = judge.judge(RecordedRun.of(List.of(producer, consumer, other)));
        assertThat(verdict.outcome()).isEqualTo(Outcome.REJECTED);
        assertThat(verdict.evidence().orElseThrow().drawing()).contains("enqueue(item20)", "EMPTY         ─┘ ◄──");
        assertThat(verdict.evidence().orElseThrow().history().size()).isEqualTo(5);
    }

    @Test
    void queuesNeedItemsThatDiffer() {
        OperationLog log = new OperationLog(2);
        for (int i = 0; i < 2; i++) {
            log.call(QueueCodes.ENQUEUE, 7);
            log.returned(QueueCodes.ENQUEUED);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QueueJudge.ofLinearizability(Long::toString).judge(RecordedRun.of(List.of(log))))
                .withMessageContaining("two enqueues have the item 7");
    }

    @Test
    void aMillionOperationsOfManyThreadsAreJudged() {
        int threads = 100;
        OperationLog[] sets = new OperationLog[threads];
        OperationLog[] queues = new OperationLog[threads];
        for (int thread = 0; thread < threads; thread++) {
            sets[thread] = new OperationLog(10_000);
            queues[thread] = new OperationLog(10_000);
        }
        for (int i = 0; i < 1_000_000; i++) { // 100 operations are in flight at any time
            OperationLog set = sets[i % threads];
            set.call(i % 2 == 0 ? SetCodes.INSERT : SetCodes.REMOVE, 7, i - 90);
            set.returned(SetCodes.outcome(true), 7, i + 9);
            OperationLog queue = queues[i % threads];
            queue.call(i % 2 == 0 ? QueueCodes.ENQUEUE : QueueCodes.DEQUEUE, i, i - 90);
            queue.returned(i % 2 == 0 ? QueueCodes.ENQUEUED : QueueCodes.ITEM, i - i % 2, i + 9);
        }
        assertThat(new SetJudge(key -> false).judge(RecordedRun.of(List.of(sets))))
                .hasToString("1,000,000 operations: linearizable");
        assertThat(QueueJudge.ofLinearizability(Long::toString).judge(RecordedRun.of(List.of(queues))))
                .hasToString("1,000,000 operations: linearizable");
        assertThat(QueueJudge.ofQuiescentConsistency(Long::toString).judge(RecordedRun.of(List.of(queues))))
                .hasToString("1,000,000 operations: quiescently consistent");
    }
}
