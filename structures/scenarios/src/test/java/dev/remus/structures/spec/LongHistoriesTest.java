// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.check.Checker;
import dev.remus.check.History;
import dev.remus.check.Invocation;
import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.QuiescentConsistencyChecker;
import dev.remus.check.Recorder;
import dev.remus.check.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Histories of a hundred thousand operations are checked in seconds; the limits allow for slow, busy machines. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@Tag("any-jdk")
class LongHistoriesTest {
    private static final int OPERATIONS = 100_000;

    private static <O, R> void assertThatItIsAccepted(Checker<O, R> checker, History<O, R> history) {
        assertThat(history.size()).isPositive();
        Verdict<O, R> verdict = checker.check(history);
        assertThat(verdict.isAccepted()).as(verdict::toString).isTrue();
    }

    private static void assertThatSetsAreAccepted(int keys, int threads) {
        assertThatItIsAccepted(
                new LinearizabilityChecker<>(new SetSpecification<>()),
                SimulatedHistory.ofSet(random -> random.nextInt(keys)).generate(1, threads, OPERATIONS));
    }

    @Test
    void aHundredThousandOperationsOnOneKey() {
        assertThatSetsAreAccepted(1, 8);
    }

    @Test
    void aHundredThousandOperationsOnSixtyFourKeys() {
        assertThatSetsAreAccepted(64, 8);
    }

    @Test
    void aHundredThousandOperationsOfAThousandThreads() {
        assertThatSetsAreAccepted(64, 1000);
    }

    @Test
    void aHundredThousandOperationsOnAQueue() {
        assertThatItIsAccepted(
                new LinearizabilityChecker<>(new QueueSpecification<>(16)),
                SimulatedHistory.ofQueue(16).generate(1, 3, OPERATIONS));
    }

    @Test
    void aMistakeNearTheEndOfALongHistoryIsFound() {
        History<SetOperation<Integer>, Boolean> history =
                SimulatedHistory.ofSet(random -> random.nextInt(64)).generate(1, 8, OPERATIONS);
        List<Invocation<SetOperation<Integer>, Boolean>> invocations = new ArrayList<>(history.invocations());
        Invocation<SetOperation<Integer>, Boolean> last = invocations.remove(OPERATIONS - 1);
        for (boolean result : new boolean[] {true, false}) {
            invocations.add(new Invocation<>(
                    OPERATIONS + (result ? 1 : 2),
                    last.thread(),
                    SetOperation.contains(5),
                    result,
                    4L * OPERATIONS + (result ? 10 : 12),
                    4L * OPERATIONS + (result ? 11 : 13)));
        }
        Verdict<SetOperation<Integer>, Boolean> verdict =
                new LinearizabilityChecker<>(new SetSpecification<Integer>()).check(History.of(invocations));
        assertThat(verdict.isRejected()).isTrue();
        assertThat(verdict.stuck().id()).isGreaterThan(OPERATIONS);
    }

    @Test
    void oneThreadThatIsStuckThroughoutDoesNotMatter() {
        Recorder<SetOperation<Integer>, Boolean> recorder = new Recorder<>();
        recorder.call(0, SetOperation.insert(1));
        int slow = recorder.call(1, SetOperation.remove(1));
        for (int i = 0; i < OPERATIONS / 2; i++) {
            recorder.record(2, SetOperation.insert(1), () -> true);
            recorder.record(2, SetOperation.remove(1), () -> true);
        }
        recorder.returned(slow, true);
        assertThatItIsAccepted(new LinearizabilityChecker<>(new SetSpecification<>()), recorder.history());
    }

    @Test
    void quiescentConsistencyOfALongHistory() {
        assertThatItIsAccepted(
                new QuiescentConsistencyChecker<>(new QueueSpecification<>(16), QueueOperation::isEnqueue),
                SimulatedHistory.ofQueue(16).generate(2, 2, 20_000));
    }
}
