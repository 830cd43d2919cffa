// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

import static dev.remus.check.Register.read;
import static dev.remus.check.Register.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Histories of registers as in Herlihy and Shavit, "The Art of Multiprocessor Programming", chapter 3. */
class RegisterHistoriesTest {
    private final Recorder<Register.Access, Integer> recorder = new Recorder<>();
    private final Checker<Register.Access, Integer> checker = new LinearizabilityChecker<>(new Register());

    private Verdict<Register.Access, Integer> verdict() {
        return checker.check(recorder.history());
    }

    @Test
    void anEmptyHistoryIsLinearizable() {
        assertThat(verdict().isAccepted()).isTrue();
    }

    @Test
    void aReadSeesTheLastWriteBeforeIt() {
        recorder.record(0, write(7), () -> null);
        recorder.record(1, read(), () -> 7);
        assertThat(verdict().isAccepted()).isTrue();
        recorder.record(0, read(), () -> 0);
        assertThat(verdict().isRejected()).isTrue();
    }

    /**
     * Figure 3.7 there, "why each method call should appear to take effect": neither write's value, nor both in turn.
     */
    @Test
    void valuesDoNotComeBackAfterTheyWereOverwritten() {
        int seven = recorder.call(0, write(7));
        int minusThree = recorder.call(1, write(-3));
        recorder.returned(seven, null);
        recorder.returned(minusThree, null);
        recorder.record(0, read(), () -> -3);
        assertThat(verdict().isAccepted()).isTrue();
        recorder.record(0, read(), () -> 7);
        Verdict<Register.Access, Integer> verdict = verdict();
        assertThat(verdict.isRejected()).isTrue();
        assertThat(verdict.stuck().id()).isEqualTo(3);
    }

    @Test
    void readsDuringAWriteMaySeeOldThenNewButNotNewThenOld() {
        int write = recorder.call(0, write(1));
        recorder.record(1, read(), () -> 0);
        recorder.record(1, read(), () -> 1);
        assertThat(verdict().isAccepted()).isTrue();
        recorder.record(2, read(), () -> 0);
        assertThat(verdict().isRejected()).isTrue();
        recorder.returned(write, null);
        assertThat(verdict().isRejected()).isTrue();
    }

    /**
     * The register history with three threads that the book gives as linearizable, and the same with one read wrong.
     */
    @Test
    void overlappingWritesOfThreeThreadsCanBeOrderedAroundTheirReads() {
        int readOne = recorder.call(1, read());
        int writeZero = recorder.call(0, write(0));
        int writeOne = recorder.call(2, write(1));
        recorder.returned(writeZero, null);
        int readZero = recorder.call(0, read());
        recorder.returned(readOne, 1);
        recorder.returned(readZero, 0);
        recorder.returned(writeOne, null);
        recorder.record(1, read(), () -> 1);
        assertThat(verdict().isAccepted()).isTrue();
        recorder.record(1, read(), () -> 0);
        assertThat(verdict().isRejected()).isTrue();
    }

    @Test
    void aWriteOfTheValueThatIsThereMayStillBeNeededLater() {
        int zero = recorder.call(0, write(0));
        recorder.record(1, write(1), () -> null);
        recorder.record(1, read(), () -> 1);
        recorder.record(1, read(), () -> 0);
        recorder.returned(zero, null);
        assertThat(verdict().isAccepted()).isTrue();
    }

    @Test
    void aPendingWriteMayHaveHappenedOrNot() {
        recorder.call(0, write(5));
        recorder.record(1, read(), () -> 0);
        assertThat(verdict().isAccepted()).isTrue();
        recorder.record(1, read(), () -> 5);
        assertThat(verdict().isAccepted()).isTrue();
        recorder.record(1, write(6), () -> null);
        recorder.record(1, read(), () -> 5);
        assertThat(verdict().isRejected()).isTrue();
    }

    @Test
    void aPendingWriteCannotHaveHappenedBeforeItsCall() {
        recorder.record(1, read(), () -> 5);
        recorder.call(0, write(5));
        assertThat(verdict().isRejected()).isTrue();
    }

    @Test
    void twoAlikePendingWritesMayBothHappen() {
        recorder.call(0, write(5));
        recorder.call(1, write(5));
        recorder.record(2, read(), () -> 5);
        recorder.record(2, write(6), () -> null);
        recorder.record(2, read(), () -> 5);
        assertThat(verdict().isAccepted()).isTrue();
        recorder.record(2, write(6), () -> null);
        recorder.record(2, read(), () -> 5);
        assertThat(verdict().isRejected()).isTrue();
    }

    @Test
    void aHistoryOfPendingOperationsOnlyIsLinearizable() {
        IntStream.range(0, 100).forEach(i -> recorder.call(i, write(i)));
        assertThat(verdict().isAccepted()).isTrue();
    }

    @Test
    void aRejectionSaysHowFarTheOrderGoesAndWhereItGetsStuck() {
        recorder.record(0, write(1), () -> null);
        recorder.record(1, read(), () -> 1);
        recorder.record(2, read(), () -> 2);
        recorder.record(0, read(), () -> 3);
        Verdict<Register.Access, Integer> verdict = verdict();
        assertThat(verdict.order()).extracting(Invocation::id).containsExactly(0, 1);
        assertThat(verdict.stuck().id()).isEqualTo(2);
        assertThat(verdict)
                .hasToString("not linearizable: no order of the operations explains that read() by thread 2 returned 2;"
                        + " all that returned before it can be explained");
    }

    @Test
    void anAcceptedHistoryComesWithAnOrderOfAllThatReturned() {
        int write = recorder.call(0, write(1));
        recorder.record(1, read(), () -> 1);
        recorder.returned(write, null);
        assertThat(verdict().order()).extracting(Invocation::id).containsExactly(0, 1);
        assertThat(verdict())
                .hasToString("linearizable: 2 operations, " + verdict().steps() + " steps");
    }

    @Test
    void aSearchThatCostsMoreThanItsBudgetHasNoAnswer() {
        List<Integer> ids =
                IntStream.range(0, 24).mapToObj(i -> recorder.call(i, write(i))).toList();
        ids.forEach(id -> recorder.returned(id, null));
        recorder.record(30, read(), () -> 99);
        Verdict<Register.Access, Integer> verdict = checker.withBudget(10_000).check(recorder.history());
        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.UNKNOWN);
        assertThat(verdict.steps()).isBetween(10_000L, 10_100L);
        assertThat(verdict.toString()).startsWith("not known whether linearizable: 25 operations not decided in 100");
        assertThatThrownBy(() -> checker.withBudget(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("budget of 0");
    }

    @Test
    void moreThanSixtyFourOperationsMayBeInFlight() {
        List<Integer> writes = IntStream.range(0, 200)
                .mapToObj(i -> recorder.call(i, write(i)))
                .toList();
        for (int i = 199; i >= 0; i--) {
            int value = i;
            recorder.record(200, read(), () -> value);
        }
        writes.forEach(id -> recorder.returned(id, null));
        assertThat(verdict().isAccepted()).isTrue();
    }
}
