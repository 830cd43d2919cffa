// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.junit.SimulationTest;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.ScheduleMix;
import dev.remus.simulation.SchedulerKind;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.FlawedHashMap.Flaw;
import dev.remus.structures.spec.HashMapClearScenario;
import dev.remus.structures.spec.HashMapCrowdedScenario;
import dev.remus.structures.spec.HashMapFullScenario;
import dev.remus.structures.spec.HashMapHandle;
import dev.remus.structures.spec.HashMapLeftScenario;
import dev.remus.structures.spec.HashMapLossScenario;
import dev.remus.structures.spec.HashMapScenario;
import dev.remus.structures.spec.HashMapToggleScenario;
import dev.remus.structures.spec.HashMapWalkScenario;
import dev.remus.structures.spec.MapOperation;
import dev.remus.structures.spec.MapSpecification;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The hash map is right in the simulator, which finds each known mistake, whatever happens while buckets are split. */
@Tag("any-jdk")
@Timeout(300)
class SimulatedHashMapTest {
    private static final int SCHEDULES = 40;
    private static final int MAX_SCHEDULES = 3_000;
    private static final int AT_A_TIME = 50;

    private static final HashMapScenario GROWING = HashMapScenario.growing(4, 8, 6, true);
    private static final HashMapScenario COLLIDING = HashMapScenario.colliding(4, 8, 3, true);
    private static final HashMapScenario BATCHES = HashMapScenario.batches(4, 8, 4, true);
    private static final HashMapWalkScenario WALKING = HashMapWalkScenario.walking(4, 12, 2);
    private static final HashMapWalkScenario CLEARING = HashMapWalkScenario.clearing(4, 12, 2);
    private static final Set<Flaw> FLAWS_OF_WALKS =
            EnumSet.range(Flaw.WALK_BY_INDICES, Flaw.CLEARED_BLOCK_RETIRED_TWICE);
    private static final HashMapScenario TEXTS = HashMapScenario.texts(4, 8, 6, true);

    @SimulationTest(schedules = SCHEDULES)
    void aMapThatGrowsIsLinearizable(Schedule schedule) throws Exception {
        GROWING.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aMapWhoseKeysAllHaveTheSameHashIsLinearizable(Schedule schedule) throws Exception {
        COLLIDING.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aMapOfTextsOfDifferentLengthsIsLinearizable(Schedule schedule) throws Exception {
        TEXTS.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aMapIsLinearizableWhoseValuesAreSetInBatches(Schedule schedule) throws Exception {
        BATCHES.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES, scheduler = SchedulerKind.PCT)
    void aMapThatGrowsIsLinearizableInSchedulesWithFewPriorityChanges(Schedule schedule) throws Exception {
        GROWING.run(schedule);
    }

    @SimulationTest(
            schedules = SCHEDULES,
            faults = {Fault.STOPPED_THREADS, Fault.PAUSED_THREADS, Fault.LATE_REQUESTS, Fault.SLOW_NODES})
    void aMapThatGrowsIsLinearizableWhenThreadsStop(Schedule schedule) throws Exception {
        GROWING.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aLostNodeOrABrokenLaneBlocksNoThreadOfAMapThatGrows(Schedule schedule) throws Exception {
        new HashMapLossScenario(HashMapScenario.growing(4, 8, 6, false)).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aLostNodeOrABrokenLaneBlocksNoThreadOfAMapWithOneHash(Schedule schedule) throws Exception {
        new HashMapLossScenario(HashMapScenario.colliding(4, 8, 3, false)).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aWalkThroughAMapThatGrowsSeesWhatItPromises(Schedule schedule) throws Exception {
        WALKING.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aMapThatIsClearedWhileOthersChangeItLosesWhatItPromises(Schedule schedule) throws Exception {
        CLEARING.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aWalkComesOnceToAKeyThatIsRemovedAndPutAgainMeanwhile(Schedule schedule) throws Exception {
        new HashMapToggleScenario(2, 16).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void threadsThatSplitOneBucketTogetherLoseNoKeyAndNoBlock(Schedule schedule) throws Exception {
        HashMapFullScenario.splitting(4, 2, 4).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void threadsThatSplitOneBucketByBatchesLoseNoKeyAndNoBlock(Schedule schedule) throws Exception {
        HashMapFullScenario.batches(4, 3, 4).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void threadsThatMakeADirectoryTogetherLoseNoPartOfIt(Schedule schedule) throws Exception {
        HashMapFullScenario.sections(4, 4, 12).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void threadsThatInsertOneKeyIntoAFullBucketInsertItOnce(Schedule schedule) throws Exception {
        HashMapFullScenario.sameKey(4, 4, 4).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aWalkComesOnceToEachKeyWhileFullBucketsAreSplit(Schedule schedule) throws Exception {
        HashMapFullScenario.walks(4, 3, 7).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void keysOfManyCommonBitsAreFoundAlthoughPartsOfTheDirectoryAreMissing(Schedule schedule) throws Exception {
        HashMapFullScenario.deep(4, 3, 6).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aFullBucketIsClearedWhileOthersSplitIt(Schedule schedule) throws Exception {
        new HashMapClearScenario(4, 4, 6).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aKeyIsRejectedIfTheBucketOfItsHashIsFullAndOnlyThen(Schedule schedule) throws Exception {
        new HashMapCrowdedScenario(4, 8).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aSplitOfALostThreadBlocksNoChangeOfAnEntry(Schedule schedule) throws Exception {
        new HashMapLeftScenario(4, 6, 2).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theWalkWithoutAMistakeIsAccepted(Schedule schedule) throws Exception {
        with(Flaw.NONE, CLEARING).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theMapWithoutAMistakeIsAccepted(Schedule schedule) throws Exception {
        with(Flaw.NONE, GROWING).run(schedule);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void eachMistakeIsFoundAndFoundAgainWithTheSameSeed(Flaw flaw) {
        List<Scenario> flawed = flawed(flaw);
        for (long first = 1; first <= MAX_SCHEDULES; first += AT_A_TIME) {
            for (Scenario scenario : flawed) {
                Optional<Finding> found = Finding.first(scenario, ScheduleMix.DELAYS::schedule, first, AT_A_TIME);
                if (found.isPresent()) {
                    assertThat(Finding.in(
                                    scenario,
                                    ScheduleMix.DELAYS.schedule(found.get().seed())))
                            .as("the same seed again")
                            .isEqualTo(found);
                    return;
                }
            }
        }
        throw new AssertionError(flaw + " was not found");
    }

    private static List<Scenario> flawed(Flaw flaw) {
        if (flaw == Flaw.WALK_READS_SLOTS_ONCE) {
            return List.of(
                    new HashMapToggleScenario(2, 16, (This, remembered, ct) -> new FlawedHashMap(This, flaw, ct)));
        }
        if (FLAWS_OF_WALKS.contains(flaw)) {
            return List.of(with(flaw, WALKING), with(flaw, CLEARING));
        }
        return flaw == Flaw.BATCH_FILLS_TWO_SLOTS
                ? List.of(with(flaw, BATCHES))
                : List.of(
                        with(flaw, HashMapScenario.growing(4, 12, 6, true)),
                        with(flaw, HashMapScenario.colliding(4, 12, 3, true)));
    }

    private static HashMapWalkScenario with(Flaw flaw, HashMapWalkScenario scenario) {
        return scenario.of((This, remembered, ct) -> new FlawedHashMap(This, flaw, ct));
    }

    private static HashMapScenario with(Flaw flaw, HashMapScenario scenario) {
        return scenario.of((This, remembered, ct) -> new FlawedHashMap(This, flaw, ct));
    }

    /**
     * Thread 0 fills two buckets of two entries and then more, and dies at a step; the other finds all that is there.
     */
    @Test
    void whereverAThreadDiesInASplitAnotherFinishesIt() throws Exception {
        int waits = 1;
        while (diesAt(waits)) {
            waits++;
        }
        assertThat(waits).isGreaterThan(40);
    }

    private static boolean diesAt(int wait) throws Exception {
        int keys = 7;
        Recorder<MapOperation<Long, Long>, Optional<Long>> recorder = new Recorder<>();
        Set<Integer> ended = new TreeSet<>();
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(2)
                        .threadsPerNode(1)
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .build(),
                Schedule.random(wait).withStrikes(new Strike(Fault.LOST_COMPUTE_NODES, 0, wait)));
        HashMapHandle[] handles = new HashMapHandle[2];
        cluster.prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(RemoteHashMap.create(new MapShape(2, -1), ct));
                    }
                    ct.barrier();
                    RdmaPtr<?> map = ct.root().get();
                    handles[ct.id()] = HashMapHandle.longs(map, 16, ct);
                })
                .run(ct -> {
                    HashMapHandle map = handles[ct.id()];
                    while (ct.id() == 1 && !ended.contains(0) && !ct.peers().isLost(0)) {
                        ct.pause();
                    }
                    for (long key = 0; key < keys; key++) {
                        record(MapOperation.put(key, 10L + ct.id()), map, recorder, ct);
                    }
                    for (long key = 0; key < keys; key++) {
                        record(MapOperation.get(key), map, recorder, ct);
                        record(MapOperation.remove(key), map, recorder, ct);
                        record(MapOperation.put(key, 20L + ct.id()), map, recorder, ct);
                    }
                    ended.add(ct.id());
                });
        if (!ended.contains(1)) {
            throw new AssertionError("the thread that is left waits for the one that died at its wait " + wait);
        }
        new LinearizabilityChecker<>(new MapSpecification<Long, Long>()).judge(recorder.history());
        return !ended.contains(0);
    }

    private static void record(
            MapOperation<Long, Long> operation,
            HashMapHandle map,
            Recorder<MapOperation<Long, Long>, Optional<Long>> recorder,
            ComputeThread ct) {
        recorder.record(ct.id(), operation, () -> map.execute(operation, ct));
    }
}
