// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.check.RejectedHistoryError;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.structures.spec.BrokenLanesScenario;
import dev.remus.structures.spec.HalfReplacedScenario;
import dev.remus.structures.spec.LockQueueLossScenario;
import dev.remus.structures.spec.PooledQueueScenario;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lock-based queues are linearizable in the simulator, also when lanes break and nodes are lost. */
@Tag("any-jdk")
class SimulatedLockQueuesTest {
    private static final int SCHEDULES = Integer.getInteger("remus.schedules", 60);
    private static final int THREADS = 4;
    private static final int OPERATIONS = 8;
    private static final int STEPS = 10_000;

    /** Runs one schedule; returns its failure, if there is one. */
    private static Optional<String> run(Scenario scenario, Schedule schedule) {
        try {
            scenario.run(schedule);
            return Optional.empty();
        } catch (RejectedHistoryError e) {
            return Optional.of("seed " + schedule.seed() + "\n" + e.getMessage());
        } catch (Exception | Error e) {
            return Optional.of("seed " + schedule.seed() + ": " + e);
        }
    }

    private static void isClean(Scenario scenario, LongFunction<Schedule> schedule) {
        long first = ThreadLocalRandom.current().nextInt(1 << 30);
        for (long seed = first; seed < first + SCHEDULES; seed++) {
            assertThat(run(scenario, schedule.apply(seed))).isEmpty();
        }
    }

    private static Schedule fewChanges(long seed) {
        return Schedule.pct(seed, 4, STEPS);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void theCentralizedLockQueueIsLinearizableAndFullOnlyWhenItIs(int capacity) {
        isClean(PooledQueueScenario.centralizedLock(THREADS, OPERATIONS, capacity), Schedule::random);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void theCentralizedLockQueueIsLinearizableInSchedulesWithFewPriorityChanges(int capacity) {
        isClean(
                PooledQueueScenario.centralizedLock(THREADS, OPERATIONS, capacity),
                SimulatedLockQueuesTest::fewChanges);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void theDecentralizedLockQueueIsLinearizableAndFullOnlyWhenItIs(int capacity) {
        isClean(PooledQueueScenario.decentralizedLock(THREADS, OPERATIONS, capacity), Schedule::random);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void theDecentralizedLockQueueIsLinearizableInSchedulesWithFewPriorityChanges(int capacity) {
        isClean(
                PooledQueueScenario.decentralizedLock(THREADS, OPERATIONS, capacity),
                SimulatedLockQueuesTest::fewChanges);
    }

    @Test
    void anOperationOfTheCentralizedLockQueueEndsWithItsResultWhenLanesBreak() {
        isClean(new BrokenLanesScenario(PooledQueueScenario.centralizedLock(THREADS, OPERATIONS, 2)), Schedule::random);
    }

    @Test
    void anOperationOfTheDecentralizedLockQueueEndsWithItsResultWhenLanesBreak() {
        isClean(
                new BrokenLanesScenario(PooledQueueScenario.decentralizedLock(THREADS, OPERATIONS, 2)),
                Schedule::random);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void threadsThatAreLostLeaveNothingHalfDoneInTheCentralizedLockQueue(int capacity) {
        isClean(
                new LockQueueLossScenario(PooledQueueScenario.centralizedLock(THREADS, OPERATIONS, capacity)),
                Schedule::random);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void threadsThatAreLostLeaveNothingHalfDoneInTheDecentralizedLockQueue(int capacity) {
        isClean(
                new LockQueueLossScenario(PooledQueueScenario.decentralizedLock(THREADS, OPERATIONS, capacity)),
                Schedule::random);
    }

    @Test
    void aLateThreadRecognisesAnElementThatALostOneHasHalfReplaced() {
        isClean(new HalfReplacedScenario(PooledQueueScenario.decentralizedLock(2, OPERATIONS, 1)), Schedule::random);
        isClean(new HalfReplacedScenario(PooledQueueScenario.centralizedLock(2, OPERATIONS, 1)), Schedule::random);
    }
}
