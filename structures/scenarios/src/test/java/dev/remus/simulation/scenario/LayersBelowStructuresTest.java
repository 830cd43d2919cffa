// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.fabric.sim.Fault;
import dev.remus.junit.SimulationTest;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SchedulerKind;
import java.util.List;
import org.junit.jupiter.api.Tag;

/**
 * Completions, sequences, lanes that break, caches and versioned records keep their promises in the simulator. {@code
 * CampaignTest} plants mistakes in them, which these scenarios find.
 */
@Tag("any-jdk")
class LayersBelowStructuresTest {
    private static final int SCHEDULES = 60;

    private static final CompletionScenario COMPLETIONS = new CompletionScenario(4, 8);
    private static final SequenceScenario SEQUENCES = new SequenceScenario(4, 8);
    private static final LaneRecoveryScenario LANES = new LaneRecoveryScenario(4, 16);
    private static final CacheScenario CACHE = new CacheScenario(4, 12);
    private static final VersionedScenario VERSIONED = new VersionedScenario(4, 6);

    @SimulationTest(schedules = SCHEDULES)
    void completionsAreReportedInOrderAndWaitsEndAtTheirLimits(Schedule schedule) throws Exception {
        COMPLETIONS.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aSequenceIsVisibleWhenItHasEndedAndItsWritesInOrderBefore(Schedule schedule) throws Exception {
        SEQUENCES.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void anOperationOnALaneThatBreaksIsExecutedAtMostOnceAndItsFailureReported(Schedule schedule) throws Exception {
        LANES.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void noCopyInACacheOutlivesItsRecord(Schedule schedule) throws Exception {
        CACHE.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aConsistentReadIsOfOneMoment(Schedule schedule) throws Exception {
        VERSIONED.run(schedule);
    }

    @SimulationTest(schedules = 3 * SCHEDULES, scheduler = SchedulerKind.PCT)
    void allHoldInSchedulesWithFewPriorityChanges(Schedule schedule) throws Exception {
        oneOfThem(schedule).run(schedule);
    }

    @SimulationTest(
            schedules = 3 * SCHEDULES,
            faults = {
                Fault.STOPPED_THREADS,
                Fault.PAUSED_THREADS,
                Fault.LOST_COMPUTE_NODES,
                Fault.LOST_MEMORY_NODES,
                Fault.BROKEN_LANES,
                Fault.SLOW_NODES,
                Fault.SKEWED_CLOCKS,
                Fault.LATE_REQUESTS,
                Fault.DOWN_LINKS,
                Fault.LOST_LINKS
            })
    void allHoldUnderAllFaults(Schedule schedule) throws Exception {
        oneOfThem(schedule).run(schedule);
    }

    private static Scenario oneOfThem(Schedule schedule) {
        List<Scenario> all = List.of(COMPLETIONS, SEQUENCES, LANES, CACHE, VERSIONED);
        return all.get(Math.floorMod(schedule.seed(), all.size()));
    }
}
