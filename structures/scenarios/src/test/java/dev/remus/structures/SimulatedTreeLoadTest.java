// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.junit.SimulationTest;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.ScheduleMix;
import dev.remus.simulation.SchedulerKind;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.FlawedTree.Flaw;
import dev.remus.structures.spec.MapOperation;
import dev.remus.structures.spec.TreeHandle;
import dev.remus.structures.spec.TreeLoadScenario;
import dev.remus.structures.spec.TreeScenario;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bulk loads of the ordered map are right in the simulator, which finds each known mistake. */
@Timeout(300)
@Tag("any-jdk")
class SimulatedTreeLoadTest {
    private static final int SCHEDULES = 60;
    private static final int MAX_SCHEDULES = 20_000;

    /** One mistake shows in one of thousands of schedules: begins shortly before that one. */
    private static final int FIRST = 6_900;

    private static final int KEYS = 7;

    /** A load of so many keys waits less often. */
    private static final int MOST_WAITS = 60;

    /** How often a mistake is sought with an end at each wait: requests that are outstanding then may be executed. */
    private static final int RUNS = 20;

    /** Five keys on leaves of two entries, below two levels. */
    private static final TreeScenario TREE = new TreeScenario(4, 6, 5, 2, TreeHandle::shipped);

    @SimulationTest(schedules = SCHEDULES)
    void aBulkLoadHappensAtOneMoment(Schedule schedule) throws Exception {
        new TreeLoadScenario(TREE).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES, scheduler = SchedulerKind.PCT)
    void aBulkLoadHappensAtOneMomentInSchedulesWithFewPriorityChanges(Schedule schedule) throws Exception {
        new TreeLoadScenario(TREE).run(schedule);
    }

    @SimulationTest(
            schedules = SCHEDULES,
            faults = {Fault.PAUSED_THREADS, Fault.LATE_REQUESTS, Fault.SLOW_NODES})
    void aBulkLoadHappensAtOneMomentWhenThreadsPause(Schedule schedule) throws Exception {
        new TreeLoadScenario(TREE).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aBulkLoadOfKeysOfSeveralWordsHappensAtOneMoment(Schedule schedule) throws Exception {
        new TreeLoadScenario(TREE.wide()).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theLoadWithoutAMistakeIsAccepted(Schedule schedule) throws Exception {
        with(Flaw.NONE).run(schedule);
    }

    @ParameterizedTest
    @EnumSource(names = {"LOAD_NOT_CHECKED_UNDER_THE_LOCK", "LINK_BEFORE_LOADED_NODES", "LINK_BEFORE_LOADED_ROOT"})
    void eachMistakeIsFoundAndFoundAgainWithTheSameSeed(Flaw flaw) {
        TreeLoadScenario scenario = with(flaw);
        Optional<Finding> found = Finding.first(scenario, ScheduleMix.DELAYS::schedule, FIRST, MAX_SCHEDULES);
        assertThat(found).as(flaw + " was found").isPresent();
        assertThat(Finding.in(scenario, ScheduleMix.DELAYS.schedule(found.get().seed())))
                .as("the same seed again")
                .isEqualTo(found);
    }

    private static TreeLoadScenario with(Flaw flaw) {
        return new TreeLoadScenario(TREE.of(flawed(flaw)));
    }

    private static TreeScenario.Opener flawed(Flaw flaw) {
        return (This, remembered, ct) -> FlawedTree.open(This, remembered, flaw, ct);
    }

    // ------------------------------------------------------------------------------------------------ ends on the way

    @ParameterizedTest
    @EnumSource(names = {"LOST_COMPUTE_NODES", "BROKEN_LANES"})
    void whereverALoadEndsTheMapHasAllEntriesOrNoneAndCanBeUsed(Fault fault) throws Exception {
        Set<Integer> sizes = new TreeSet<>();
        int ends = 0;
        for (int wait = 1; wait <= MOST_WAITS; wait++) {
            ends += endsAt(wait, Schedule.random(wait), fault, TreeHandle::shipped, sizes) ? 1 : 0;
        }
        assertThat(ends).isBetween(8, MOST_WAITS - 1);
        assertThat(sizes).containsExactly(0, KEYS);
    }

    @Test
    void aLoadThatSwapsTheRootFirstIsFoundWhenItEndsInBetween() {
        assertThatThrownBy(() -> {
                    for (int run = 1; run <= RUNS * MOST_WAITS; run++) {
                        endsAt(
                                1 + run % MOST_WAITS,
                                Schedule.random(run),
                                Fault.LOST_COMPUTE_NODES,
                                flawed(Flaw.LOADED_ROOT_BEFORE_THE_LINK),
                                new TreeSet<>());
                    }
                })
                .hasStackTraceContaining("what a new handle finds");
    }

    /**
     * Thread 0 loads a map on three levels, and dies or loses a lane at a step. Thread 1 looks at it through a handle
     * that remembers the empty map, and through a new one.
     *
     * @param sizes gets the number of entries that are there
     * @return whether the load was not completed
     */
    private static boolean endsAt(
            int wait, Schedule schedule, Fault fault, TreeScenario.Opener opener, Set<Integer> sizes) throws Exception {
        SortedMap<Long, Long> entries = new TreeMap<>();
        for (long key = 0; key < KEYS; key++) {
            entries.put(key, 10 + key);
        }
        Set<Integer> ended = new TreeSet<>();
        boolean[] isLoaded = {false};
        TreeHandle[] handles = new TreeHandle[2];
        new SimulatedCluster(
                        SimulatedCluster.small(2)
                                .threadsPerNode(1)
                                .onNodeLoss(OnNodeLoss.CONTINUE)
                                .build(),
                        schedule.withStrikes(new Strike(fault, 0, wait)))
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(LongLongTree.create(new TreeShape(2), ct));
                    }
                    ct.barrier();
                    handles[ct.id()] = opener.open(ct.root().get(), 16, ct);
                })
                .run(ct -> {
                    if (ct.id() == 0) {
                        isLoaded[0] = isLoaded(handles[0], entries, ct);
                    } else {
                        while (!ended.contains(0) && !ct.peers().isLost(0)) {
                            ct.pause();
                        }
                        SortedMap<Long, Long> found = content(handles[1], ct);
                        assertThat(found).isIn(entries, new TreeMap<Long, Long>());
                        assertThat(content(opener.open(ct.root().get(), 16, ct), ct))
                                .as("what a new handle finds")
                                .isEqualTo(found);
                        sizes.add(found.size());
                        for (long key = 0; key < KEYS; key++) {
                            handles[1].execute(MapOperation.put(key, 1L), ct);
                        }
                        assertThat(handles[1].checkedSize(ct)).isEqualTo(KEYS);
                    }
                    ended.add(ct.id());
                });
        assertThat(ended).as("threads that end, after a fault at wait " + wait).contains(1);
        return !isLoaded[0];
    }

    private static boolean isLoaded(TreeHandle handle, SortedMap<Long, Long> entries, ComputeThread ct) {
        try {
            handle.bulkLoad(entries, ct);
            return true;
        } catch (FabricException e) {
            return false;
        }
    }

    private static SortedMap<Long, Long> content(TreeHandle handle, ComputeThread ct) {
        SortedMap<Long, Long> content = new TreeMap<>();
        handle.scanSnapshot(Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, content::put, ct);
        return content;
    }
}
