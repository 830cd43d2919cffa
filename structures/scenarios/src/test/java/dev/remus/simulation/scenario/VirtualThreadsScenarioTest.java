// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.Fabric;
import dev.remus.fabric.sim.Fault;
import dev.remus.junit.SimulationTest;
import dev.remus.memory.RdmaPtr;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SchedulerKind;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.spec.PooledQueueScenario;
import dev.remus.structures.spec.SetScenario;
import java.util.HashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Virtual threads in the simulator, which share lanes and their doorbells. */
class VirtualThreadsScenarioTest {
    private static final int SCHEDULES = 60;
    private static final int THREADS = 4;
    private static final int MAX_SCHEDULES = 20;

    private static final VirtualThreadsScenario ALL = VirtualThreadsScenario.of(
            AsyncScenario.shipped(THREADS, 5),
            new CompletionScenario(THREADS, 8),
            new SequenceScenario(THREADS, 8),
            new LaneRecoveryScenario(THREADS, 16),
            SetScenario.lazyList(THREADS, 6, 3, false),
            PooledQueueScenario.scalable(THREADS, 6, 2));

    @SimulationTest(schedules = SCHEDULES)
    void virtualThreadsKeepAllPromises(Schedule schedule) throws Exception {
        ALL.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES, scheduler = SchedulerKind.PCT)
    void virtualThreadsKeepThemInSchedulesWithFewPriorityChanges(Schedule schedule) throws Exception {
        ALL.run(schedule);
    }

    @SimulationTest(
            schedules = SCHEDULES,
            faults = {
                Fault.STOPPED_THREADS,
                Fault.PAUSED_THREADS,
                Fault.LOST_COMPUTE_NODES,
                Fault.LOST_MEMORY_NODES,
                Fault.BROKEN_LANES,
                Fault.LATE_REQUESTS,
                Fault.DOWN_LINKS
            })
    void virtualThreadsKeepThemUnderFaults(Schedule schedule) throws Exception {
        ALL.run(schedule);
    }

    /** All threads add to one counter, over lanes that they share. */
    private static Scenario additions(UnaryOperator<Fabric> wrap) {
        return schedule -> {
            Set<Long> found = new HashSet<>();
            new SimulatedCluster(THREADS, schedule).over(wrap).run(ct -> {
                if (ct.id() == 0) {
                    ct.root().set(new RdmaPtr<>(ct.allocate(Long.BYTES)));
                    ct.write(ct.root().get().raw(), 0);
                }
                ct.barrier();
                found.add(ct.fetchAndAdd(ct.root().get().raw(), 1));
            });
            assertThat(found).containsExactlyInAnyOrder(0L, 1L, 2L, 3L);
        };
    }

    @Test
    void aRequestBehindADoorbellThatNoThreadRingsIsFound() {
        VirtualThreadsScenario silent = VirtualThreadsScenario.of(additions(SilentDoorbell::in));
        assertThat(Finding.first(silent, Schedule::random, 0, MAX_SCHEDULES))
                .get()
                .asString()
                .contains("dev.remus.node.BlockingLaneOperations");
    }

    @Test
    void withoutTheMistakeOrWithoutVirtualThreadsNothingIsFound() {
        assertThat(Finding.first(
                        VirtualThreadsScenario.of(additions(fabric -> fabric)), Schedule::random, 0, MAX_SCHEDULES))
                .isEmpty();
        assertThat(Finding.first(additions(SilentDoorbell::in), Schedule::random, 0, MAX_SCHEDULES))
                .isEmpty();
    }
}
