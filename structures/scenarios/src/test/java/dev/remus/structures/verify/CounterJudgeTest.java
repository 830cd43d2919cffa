// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.verify.OperationLog;
import dev.remus.verify.RecordedRun;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CounterJudgeTest {
    private static final int RUNS = 5_000;
    private static final int MOST_OPERATIONS = 7;
    private static final int AT_FIRST = 10;
    private static final CounterJudge JUDGE = new CounterJudge(AT_FIRST);

    private final OperationLog first = new OperationLog(100);
    private final OperationLog second = new OperationLog(100);

    private static void add(OperationLog log, long number, long called, long returned) {
        log.call(CounterCodes.ADD, number, called);
        log.returned(CounterCodes.DONE, number, returned);
    }

    private static void sum(OperationLog log, long found, long called, long returned) {
        log.call(CounterCodes.SUM, 0, called);
        log.returned(CounterCodes.DONE, found, returned);
    }

    private RunVerdict verdict() {
        return JUDGE.judge(RecordedRun.of(List.of(first, second)));
    }

    private void assertRejected(String reason) {
        assertThat(verdict().isAccepted()).isFalse();
        assertThat(verdict().evidence().orElseThrow().reason())
                .isEqualTo("not intermediate value linearizable and monotonic: " + reason);
    }

    // ------------------------------------------------------------------------------------------------ one by one

    @Test
    void aSumMayContainAnAdditionThatOverlapsItOrNot() {
        add(first, 5, 10, 20);
        sum(second, AT_FIRST, 0, 15);
        sum(second, AT_FIRST + 5, 16, 18);
        assertThat(verdict()).hasToString("3 operations: intermediate value linearizable and monotonic");
    }

    @Test
    void aSumMustContainAnAdditionThatReturnedBeforeItBegan() {
        add(first, 5, 10, 20);
        sum(second, AT_FIRST, 21, 22);
        assertRejected("thread 1 found the sum 10 after 15 had been added");
        assertThat(verdict().evidence().orElseThrow().drawing()).contains("add(5)", "sum()", "added");
    }

    @Test
    void anAdditionThatReturnsAtTheMomentAtWhichASumBeginsOverlapsIt() {
        add(first, 5, 10, 20);
        sum(second, AT_FIRST, 20, 22);
        assertThat(verdict().isAccepted()).isTrue();
    }

    @Test
    void aSumMustNotContainAnAdditionThatBeganAfterItReturned() {
        sum(second, AT_FIRST + 5, 0, 9);
        add(first, 5, 10, 20);
        assertRejected("thread 1 found the sum 15 before more than 10 had been added");
    }

    @Test
    void noSumIsBelowOneThatReturnedBeforeItBegan() {
        add(first, 5, 10, 30);
        sum(second, AT_FIRST + 5, 11, 15);
        sum(second, AT_FIRST, 16, 20);
        assertRejected("thread 1 found the sum 10 after thread 1 had found 15");
        assertThat(verdict().evidence().orElseThrow().history().size()).isEqualTo(3);
    }

    @Test
    void aPendingAdditionMayBeInALaterSumOrNot() {
        first.call(CounterCodes.ADD, 5, 10);
        sum(second, AT_FIRST, 100, 110);
        sum(second, AT_FIRST + 5, 120, 130);
        second.call(CounterCodes.SUM, 0, 140);
        assertThat(verdict().isAccepted()).isTrue();
        sum(second, AT_FIRST, 150, 160);
        assertRejected("thread 1 found the sum 10 after thread 1 had found 15");
    }

    @Test
    void aDrawingShowsFewOperations() {
        for (int i = 0; i < 50; i++) {
            add(first, 1, 10L * i, 10L * i + 5);
        }
        sum(second, AT_FIRST, 402, 497);
        assertRejected("thread 1 found the sum 10 after 50 had been added");
        assertThat(verdict().evidence().orElseThrow().drawing().lines()).hasSizeLessThan(30);
    }

    @Test
    void anEmptyRunIsAccepted() {
        assertThat(verdict().isAccepted()).isTrue();
    }

    @Test
    void numbersWithoutBoundsAreRefused() {
        add(first, -1, 1, 2);
        assertThatThrownBy(this::verdict)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("an addition of -1: needs 0 or more");
        add(second, Long.MAX_VALUE, 3, 4);
        assertThatThrownBy(() -> JUDGE.judge(RecordedRun.of(List.of(second)))).isInstanceOf(ArithmeticException.class);
    }

    // ------------------------------------------------------------------------------------------------ by search

    /** A run of a striped counter, of which some sums are then changed. */
    private static RecordedRun random(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int threads = random.nextInt(2, 5);
        double wrong = seed % 3 * 0.15;
        double pending = seed % 4 * 0.05;
        long[][] moments = new long[threads][MOST_OPERATIONS];
        long[][] numbers = new long[threads][MOST_OPERATIONS];
        List<OperationLog> logs = new ArrayList<>();
        List<long[]> sums = new ArrayList<>(); // thread, call, return
        for (int thread = 0; thread < threads; thread++) {
            logs.add(new OperationLog(MOST_OPERATIONS));
        }
        long[] free = new long[threads];
        for (int op = random.nextInt(2, MOST_OPERATIONS + 1); op > 0; op--) {
            int thread = random.nextInt(threads);
            long called = free[thread] + random.nextInt(4);
            long returned = called + random.nextInt(1, 12);
            free[thread] = returned;
            if (random.nextBoolean()) {
                sums.add(new long[] {thread, called, returned});
                continue;
            }
            numbers[thread][op - 1] = 1L + random.nextInt(3);
            moments[thread][op - 1] = random.nextLong(called, returned + 1);
            logs.get(thread).call(CounterCodes.ADD, numbers[thread][op - 1], called);
            if (random.nextDouble() >= pending) {
                logs.get(thread).returned(CounterCodes.DONE, numbers[thread][op - 1], returned);
            }
        }
        List<OperationLog> all = new ArrayList<>(logs);
        for (long[] sum : sums) { // in a log of its own, as a thread calls in order
            OperationLog log = new OperationLog(1);
            long found = AT_FIRST;
            for (int stripe = 0; stripe < threads; stripe++) {
                long read = random.nextLong(sum[1], sum[2] + 1);
                for (int i = 0; i < MOST_OPERATIONS; i++) {
                    found += numbers[stripe][i] > 0 && moments[stripe][i] <= read ? numbers[stripe][i] : 0;
                }
            }
            found += random.nextDouble() < wrong ? random.nextInt(-2, 3) : 0;
            sum(log, found, sum[1], sum[2]);
            all.add(log);
        }
        return RecordedRun.of(all);
    }

    /** Searches for an order with sums that are all at most those found, or all at least those. */
    private static boolean isBounded(RecordedRun run, boolean fromBelow, int taken, long value) {
        if (taken == (1 << run.size()) - 1) {
            return true;
        }
        for (int op = 0; op < run.size(); op++) {
            if ((taken & 1 << op) != 0 || !mayBeNext(run, op, taken)) {
                continue;
            }
            boolean isSum = run.kind(op) == CounterCodes.SUM;
            boolean fits = !isSum || (fromBelow ? value <= run.value(op) : value >= run.value(op));
            long next = isSum ? value : value + run.value(op);
            if (fits && isBounded(run, fromBelow, taken | 1 << op, next)) {
                return true;
            }
        }
        return false;
    }

    private static boolean mayBeNext(RecordedRun run, int op, int taken) {
        boolean may = true;
        for (int other = 0; other < run.size(); other++) {
            may &= (taken & 1 << other) != 0 || run.returned(other) >= run.called(op);
        }
        return may;
    }

    private static boolean isMonotonic(RecordedRun run) {
        boolean monotonic = true;
        for (int a = 0; a < run.size(); a++) {
            for (int b = 0; b < run.size(); b++) {
                boolean areSums = run.kind(a) == CounterCodes.SUM && run.kind(b) == CounterCodes.SUM;
                monotonic &= !areSums || run.returned(a) >= run.called(b) || run.value(a) <= run.value(b);
            }
        }
        return monotonic;
    }

    @Test
    void runsAreJudgedAsByTheSearchForBothOrdersOfTheDefinition() {
        int rejected = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            RecordedRun run = random(seed);
            boolean searched =
                    isBounded(run, true, 0, AT_FIRST) && isBounded(run, false, 0, AT_FIRST) && isMonotonic(run);
            assertThat(JUDGE.judge(run).isAccepted()).as("seed %d", seed).isEqualTo(searched);
            assertThat(searched || seed % 3 > 0).as("right, seed %d", seed).isTrue();
            rejected += searched ? 0 : 1;
        }
        assertThat(rejected).isBetween(RUNS / 20, RUNS / 2);
    }
}
