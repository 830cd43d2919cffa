// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.check.RejectedHistoryError;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.StuckException;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.structures.FlawedQueue.Flaw;
import dev.remus.structures.spec.BufferedLossScenario;
import dev.remus.structures.spec.BufferedQueueScenario;
import dev.remus.structures.spec.OvertakenBatchesScenario;
import dev.remus.structures.spec.QueueScenario.Promise;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The buffered queues keep their promises in the simulator, which finds the mistakes of the specification. */
@Tag("any-jdk")
class SimulatedQueueTest {
    private static final int SCHEDULES = Integer.getInteger("remus.schedules", 50);
    private static final int MAX_SCHEDULES = 2_000;

    /** Runs one schedule; returns its failure, or null. */
    private static Throwable run(Scenario scenario, Schedule schedule) {
        try {
            scenario.run(schedule);
            return null;
        } catch (Exception | Error e) {
            return e;
        }
    }

    private static void isClean(Scenario scenario, LongFunction<Schedule> schedule) {
        long first = ThreadLocalRandom.current().nextInt(1 << 30);
        for (long seed = first; seed < first + SCHEDULES; seed++) {
            assertThat(run(scenario, schedule.apply(seed))).as("seed " + seed).isNull();
        }
    }

    /** Makes schedules with few changes of priority, which delay a thread for long more often than random ones. */
    private static Schedule fewChanges(long seed) {
        return Schedule.pct(seed, 4, 3_000);
    }

    private static Throwable firstFinding(Scenario scenario) {
        return firstFinding(scenario, SimulatedQueueTest::fewChanges);
    }

    private static Throwable firstFinding(Scenario scenario, LongFunction<Schedule> schedule) {
        for (long seed = 0; seed < MAX_SCHEDULES; seed++) {
            Throwable found = run(scenario, schedule.apply(seed));
            if (found != null) {
                assertThat(run(scenario, schedule.apply(seed)))
                        .as("the same seed again")
                        .hasSameClassAs(found);
                return found;
            }
        }
        throw new AssertionError("nothing was found in " + MAX_SCHEDULES + " schedules");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8})
    void theBufferedQueueIsLinearizable(int capacity) {
        isClean(BufferedQueueScenario.buffered(4, 8, capacity), Schedule::random);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void theBufferedQueueIsLinearizableInSchedulesWithFewPriorityChanges(int capacity) {
        isClean(BufferedQueueScenario.buffered(4, 8, capacity), SimulatedQueueTest::fewChanges);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8})
    void theBufferedQueueIsLinearizableWithItemsInPlaceOfWhichSomeAreGivenUp(int capacity) {
        isClean(BufferedQueueScenario.inPlace(4, 8, capacity), Schedule::random);
    }

    @Test
    void theBufferedQueueStaysLinearizableWhenAThreadStopsBetweenStagingAndEnqueueing() {
        isClean(
                BufferedQueueScenario.inPlace(4, 6, 2),
                seed -> Schedule.random(seed).withFaults(Set.of(Fault.STOPPED_THREADS)));
    }

    @Test
    void aPositionThatIsTakenBeforeItsItemIsThereStopsTheQueueIfTheItemIsGivenUp() {
        assertThat(firstFinding(HastyQueue.scenario(HastyQueue.Flaw.CLAIMS_FIRST, 4, 6, 2)))
                .isInstanceOf(StuckException.class);
    }

    @Test
    void anItemThatIsReadInPlaceAfterTheNextDequeueIsFound() {
        assertThat(firstFinding(HastyQueue.scenario(HastyQueue.Flaw.READS_LATE, 4, 6, 2)))
                .isInstanceOf(RejectedHistoryError.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8})
    void theRelaxedBufferedQueueIsQuiescentlyConsistent(int capacity) {
        isClean(BufferedQueueScenario.relaxed(4, 6, capacity), Schedule::random);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void theRelaxedBufferedQueueIsQuiescentlyConsistentInSchedulesWithFewPriorityChanges(int capacity) {
        isClean(BufferedQueueScenario.relaxed(4, 6, capacity), SimulatedQueueTest::fewChanges);
    }

    /** Threads and nodes stop in the middle of operations, which stay pending; the other results must stay right. */
    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"STOPPED_THREADS", "PAUSED_THREADS", "LOST_COMPUTE_NODES", "SLOW_NODES"})
    void theBufferedQueueStaysLinearizableWhateverStops(Fault fault) {
        isClean(
                BufferedQueueScenario.buffered(4, 6, 2),
                seed -> Schedule.random(seed).withFaults(Set.of(fault)));
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"STOPPED_THREADS", "PAUSED_THREADS", "LOST_COMPUTE_NODES", "SLOW_NODES"})
    void theRelaxedBufferedQueueStaysQuiescentlyConsistentWhateverStops(Fault fault) {
        isClean(
                BufferedQueueScenario.relaxed(4, 6, 2),
                seed -> Schedule.random(seed).withFaults(Set.of(fault)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void theBufferedQueueGoesOnAfterTheLossOfProducersAndOfItsConsumer(int capacity) {
        isClean(new BufferedLossScenario(BufferedQueueScenario.buffered(6, 4, capacity)), Schedule::random);
        isClean(
                new BufferedLossScenario(BufferedQueueScenario.inPlace(6, 4, capacity)),
                SimulatedQueueTest::fewChanges);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void theRelaxedBufferedQueueGoesOnAfterTheLossOfProducersAndOfItsConsumer(int capacity) {
        isClean(new BufferedLossScenario(BufferedQueueScenario.relaxed(6, 4, capacity)), Schedule::random);
        isClean(
                new BufferedLossScenario(BufferedQueueScenario.relaxed(6, 4, capacity)),
                SimulatedQueueTest::fewChanges);
    }

    @Test
    void batchesInTheRelaxedBufferedQueueEndHoweverOftenOthersOvertakeThem() {
        isClean(OvertakenBatchesScenario.relaxed(), Schedule::random);
    }

    @Test
    void batchesThatWaitForOneBlockOnlyBlockEachOther() {
        assertThat(firstFinding(StubbornBatches.scenario(), Schedule::random)).hasMessageContaining("only threads");
    }

    @Test
    void theReorderingOfTheRelaxedBufferedQueueIsFound() {
        assertThat(firstFinding(BufferedQueueScenario.relaxed(6, 8, 2).demanding(Promise.LINEARIZABLE)))
                .isInstanceOf(RejectedHistoryError.class);
    }

    @Test
    void theSpecifiedQueueAsPrintedStopsAfterOneLap() {
        BufferedQueueScenario asPrinted = FlawedQueue.scenario(Flaw.NAMES_AS_PRINTED, 2, 4, 4);
        assertThat(run(asPrinted, Schedule.random(1))).isNull();
        BufferedQueueScenario oneMore = FlawedQueue.scenario(Flaw.NAMES_AS_PRINTED, 2, 5, 4);
        assertThat(run(oneMore, Schedule.random(1))).isInstanceOf(StuckException.class);
    }

    @Test
    void theSpecifiedQueueWithItsNamesSwappedBackViolatesTheOrderALapLater() {
        assertThat(firstFinding(FlawedQueue.scenario(Flaw.NAMES_SWAPPED_BACK, 4, 8, 2)))
                .isInstanceOf(RejectedHistoryError.class);
    }

    @Test
    void theSpecifiedQueueKeepsTheOrderForOneProducer() {
        isClean(FlawedQueue.scenario(Flaw.NAMES_SWAPPED_BACK, 2, 8, 2), Schedule::random);
    }
}
