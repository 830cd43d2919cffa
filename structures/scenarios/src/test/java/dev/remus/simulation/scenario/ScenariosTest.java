// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.sim.Fault;
import dev.remus.junit.SimulationTest;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.ScheduleMix;
import dev.remus.simulation.SchedulerKind;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The shipped barrier, locks, allocator and reclamation are right in the simulator, which finds each known mistake. */
@Tag("any-jdk")
class ScenariosTest {
    private static final int SCHEDULES = 50;
    private static final int MAX_SCHEDULES = 20_000;

    /** Shortly before the first schedule that finds the rarest mistake; once schedules change, it takes longer. */
    private static final int FIRST = 1_500;

    private static final BarrierScenario BARRIER = BarrierScenario.control(4, 4);
    private static final AllocatorScenario ALLOCATOR = AllocatorScenario.shipped(4, 10);
    private static final SharingScenario SHARING = new SharingScenario(4, 10);
    private static final UnevenScenario SHARING_UNEVEN = new UnevenScenario(4, 10);
    private static final ArenaScenario ARENAS = new ArenaScenario(4, 14);
    private static final AllocationEdgesScenario ALLOCATION_EDGES = new AllocationEdgesScenario(2, 8);
    private static final ReclamationScenario RECLAMATION = ReclamationScenario.afterBarrier(4, 9);

    private static final AsyncScenario ASYNC = AsyncScenario.shipped(4, 5);
    private static final HandoverScenario HANDOVER = new HandoverScenario(4, 4);
    private static final NamedRootsScenario NAMES = new NamedRootsScenario(4, 3);
    private static final BarrierLossScenario BARRIER_LOSS = new BarrierLossScenario(4, 4);
    private static final LockPatienceScenario LOCK_PATIENCE = new LockPatienceScenario(4, 3);
    private static final BarrierBreakScenario BARRIER_BREAK = new BarrierBreakScenario(4, 3);
    private static final LockFateScenario LOCK_FATE = new LockFateScenario(6, 2, LockFateScenario.Fate.LOST);
    private static final LockFateScenario LOCK_LATE = new LockFateScenario(6, 2, LockFateScenario.Fate.LATE);
    private static final FenceScenario FENCE = new FenceScenario(4, 5);
    private static final ReturnScenario RETURN = new ReturnScenario(4, 3);
    private static final FenceScenario SLOW_FENCE = FenceScenario.slow(4, 5);
    private static final ReturnScenario RETURN_AGAIN = ReturnScenario.again(4, 3);
    private static final SlowReturnScenario SLOW_RETURN = new SlowReturnScenario(4, 3);
    private static final RestartScenario RESTART = new RestartScenario(4, 4);
    private static final DeadMemoryScenario DEAD_MEMORY = new DeadMemoryScenario(4, 4);
    private static final ReleasesScenario RELEASES = new ReleasesScenario(4, 2, 10);
    private static final ReleasesScenario RELEASES_STUCK = ReleasesScenario.stuck(4, 2, 4);
    private static final PlacementScenario PLACING = new PlacementScenario(4, 6);
    private static final SlowReturnScenario RETURN_HALF = SlowReturnScenario.half(4, 4);
    private static final ReopenScenario REOPEN = new ReopenScenario(4, 5);
    private static final LockLossScenario LOCK_LOSS = new LockLossScenario(4, 6);
    private static final LockRecoveryScenario LOCK_RECOVERY = LockRecoveryScenario.remoteLock(4, 6);

    private static void isFoundAndFoundAgain(Scenario scenario) {
        isFoundAndFoundAgain(scenario, Schedule::random);
    }

    private static void isFoundAndFoundAgain(Scenario scenario, LongFunction<Schedule> schedule) {
        Optional<Finding> found = Finding.first(scenario, schedule, FIRST, MAX_SCHEDULES);
        assertThat(found).isPresent();
        assertThat(Finding.in(scenario, schedule.apply(found.get().seed())))
                .as("the same seed again")
                .isEqualTo(found);
    }

    @SimulationTest(schedules = SCHEDULES)
    void noThreadLeavesTheControlBarrierBeforeAllHaveArrivedAndPlacedTheirWrites(Schedule schedule) throws Exception {
        BARRIER.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aControlBarrierThatIsUsedWronglyFailsForAllThreadsFromThenOn(Schedule schedule) throws Exception {
        new BarrierMisuseScenario(4, 3).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theAllocatorHandsOutNoBlockTwiceAndIsExhaustedOnlyWhenItIsFull(Schedule schedule) throws Exception {
        ALLOCATOR.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void noBlockIsLostInTheSharedListsOrTakenFromThemTwice(Schedule schedule) throws Exception {
        SHARING.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void memoryDoesNotFillUpWhileSomeThreadsAllocateAndOthersFree(Schedule schedule) throws Exception {
        SHARING_UNEVEN.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void threadsThatEndLeaveTheRestOfTheirRunsAndTheirFreeBlocksToTheOthers(Schedule schedule) throws Exception {
        ARENAS.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void threadsGetTheLargeLeftAndSharedBlocksAgainAndTheRestOfFullSegments(Schedule schedule) throws Exception {
        ALLOCATION_EDGES.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void deferredBlocksComeBackAfterABarrierAndNotBefore(Schedule schedule) throws Exception {
        RECLAMATION.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void asynchronousOperationsCompleteOnceAndNoWaitEndsEarlyLateOrTwice(Schedule schedule) throws Exception {
        ASYNC.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void postedWritesAreHandedOverAndABlockIsFreedOnce(Schedule schedule) throws Exception {
        HANDOVER.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aNameHasOneRootHoweverManyThreadsAddIt(Schedule schedule) throws Exception {
        NAMES.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aBarrierOfAllThreadsDoesWithoutLostAndFinishedOnesAndAllAgreeOnWhoTookPart(Schedule schedule)
            throws Exception {
        BARRIER_LOSS.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aThreadThatGivesUpALockHasWaitedForItsTimeLimitAndKeepsItsPlace(Schedule schedule) throws Exception {
        LOCK_PATIENCE.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aThreadThatWaitsForALockGetsItAlsoIfTheHolderIsLost(Schedule schedule) throws Exception {
        LOCK_LOSS.run(schedule);
    }

    @SimulationTest(schedules = 2 * SCHEDULES)
    void lostHoldersLeaveTheLockToTheNextInLineWhoLearnsOfTheirDeath(Schedule schedule) throws Exception {
        LOCK_RECOVERY.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void nothingOfALostNodeArrivesOnceTheOthersMayTakeOverAndAZombieEndsWithThatReason(Schedule schedule)
            throws Exception {
        FENCE.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aNodeThatComesBackMeetsTheOthersAndNothingOfItsEarlierLifeArrivesSince(Schedule schedule) throws Exception {
        RETURN.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theOthersWaitForTheSlowestMemoryNodeToCutOffALostNodeAndLearnThatItMayBeInVain(Schedule schedule)
            throws Exception {
        SLOW_FENCE.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aNodeComesBackThatHasDiedWhileItJoinedOrThatTheOthersHaveGivenUp(Schedule schedule) throws Exception {
        RETURN_AGAIN.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aNodeComesBackWhileMemoryNodesStandStillAndNothingOfAnEarlierLifeSucceedsAfterItsLoss(Schedule schedule)
            throws Exception {
        SLOW_RETURN.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aNodeThatStartsAgainBeforeAMemoryNodeHasLookedIsCutOffWhenItIsLost(Schedule schedule) throws Exception {
        RESTART.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aLostNodeIsCutOffByTheOtherMemoryNodesIfOneHasDied(Schedule schedule) throws Exception {
        DEAD_MEMORY.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void locksThatAreReleasedTogetherAreFreeEvenIfLanesBreakAndTheThreadOnlyPauses(Schedule schedule) throws Exception {
        RELEASES.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void locksThatAreReleasedAreFreeEvenIfTheLaneCannotBeConnectedForAWhile(Schedule schedule) throws Exception {
        RELEASES_STUCK.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void placedWordsAreThereAndADeadMemoryNodeFailsOnlyWhatWasPostedToIt(Schedule schedule) throws Exception {
        PLACING.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aNodeComesBackAfterLivesThatOnlyOneMemoryNodeHasLetIn(Schedule schedule) throws Exception {
        RETURN_HALF.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void threadsThatAreOpenedAgainMeetTheOthersAtTheBarriersThatBeginLater(Schedule schedule) throws Exception {
        REOPEN.run(schedule);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void everyMistakeOfABarrierWhoseThreadsComeBackIsFound(FlawedReopening.Flaw flaw) {
        isFoundAndFoundAgain(
                new ReopenScenario(4, 5, (shared, cluster) -> new FlawedReopening(shared, flaw)),
                ScheduleMix.DELAYS::schedule); // a thread must be delayed while others meet twice
    }

    /** A scheduler with priorities lets a node connect again long before the Memory Nodes look. */
    @Test
    void nothingOfAnEarlierLifeArrivesEvenIfTheNextOneConnectsBeforeItIsCutOff() {
        assertThat(Finding.first(new ReturnScenario(2, 1), seed -> Schedule.pct(seed, 3, 1_000), 0, 300))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"ACKNOWLEDGED_BEFORE_IT_IS_UP", "UP_AT_THE_FIRST_MEMORY_NODE_ONLY", "NEVER_ACKNOWLEDGED"})
    void aNodeThatComesBackBeforeItsEarlierLifeIsCutOffIsFound(FlawedFence flaw) {
        isFoundAndFoundAgain(new ReturnScenario(4, 3, flaw));
    }

    @ParameterizedTest
    @EnumSource(names = {"ACKNOWLEDGED_BEFORE_IT_IS_UP", "UP_AT_THE_FIRST_MEMORY_NODE_ONLY"})
    void aSlowMemoryNodeThatAcknowledgesTooEarlyIsFound(FlawedFence flaw) {
        isFoundAndFoundAgain(new FenceScenario(4, 5, true, flaw));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void everyMistakeOfAFenceIsFound(FlawedFence flaw) {
        isFoundAndFoundAgain(new FenceScenario(4, 5, flaw));
    }

    /** The owner of ticket 5, behind four abandoned tickets, did not notice that the holder of ticket 0 was lost. */
    @Test
    void aLostHolderIsNoticedEvenBehindAsManyAbandonedTicketsAsThereAreEntries() throws Exception {
        for (long seed = 1; seed <= 100; seed++) {
            assertThat(Finding.in(new LockLossScenario(4, 2), Schedule.random(seed)))
                    .isEmpty();
        }
    }

    @SimulationTest(schedules = SCHEDULES, scheduler = SchedulerKind.PCT)
    void allHoldInSchedulesWithFewPriorityChanges(Schedule schedule) throws Exception {
        oneOfThem(schedule).run(schedule);
    }

    @SimulationTest(
            schedules = 4 * SCHEDULES,
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
        List<Scenario> all = List.of(
                BARRIER,
                ALLOCATOR,
                SHARING,
                ARENAS,
                ALLOCATION_EDGES,
                RECLAMATION,
                HANDOVER,
                NAMES,
                ASYNC,
                BARRIER_LOSS,
                BARRIER_BREAK,
                LOCK_PATIENCE,
                FENCE,
                REOPEN,
                LOCK_LOSS,
                LOCK_RECOVERY,
                LOCK_FATE,
                LOCK_LATE);
        return all.get(Math.floorMod(schedule.seed(), all.size()));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void everyMistakeOfABarrierIsFound(FlawedBarrier.Flaw flaw) {
        isFoundAndFoundAgain(new BarrierScenario(4, 4, shared -> new FlawedBarrier(shared, flaw)));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void everyMistakeOfABarrierThatDoesWithoutLostThreadsIsFound(FlawedLivingBarrier.Flaw flaw) {
        isFoundAndFoundAgain(new BarrierLossScenario(4, 4, shared -> new FlawedLivingBarrier(shared, flaw)));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void everyMistakeOfAWaitForAsynchronousOperationsIsFound(FlawedWaiting flaw) {
        isFoundAndFoundAgain(new AsyncScenario(4, 5, flaw));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void everyMistakeOfAnAllocatorIsFound(FlawedBlocks.Flaw flaw) {
        isFoundAndFoundAgain(
                new AllocatorScenario(4, 12, FlawedBlocks.SIZE, FlawedBlocks.factory(flaw)),
                ScheduleMix.DELAYS::schedule); // a thread must be delayed while others do several operations
    }

    @Test
    void reclaimingWithoutABarrierIsFound() {
        isFoundAndFoundAgain(new ReclamationScenario(4, 9, (reclaim, ct) -> reclaim.run()));
    }

    @Test
    void reclaimingBeforeTheBarrierIsFound() {
        isFoundAndFoundAgain(new ReclamationScenario(4, 9, (reclaim, ct) -> {
            reclaim.run();
            ct.barrier();
        }));
    }

    @SimulationTest(schedules = SCHEDULES)
    void scenariosAcceptCodeWithoutAMistake(Schedule schedule) throws Exception {
        List<Scenario> all = List.of(
                new BarrierScenario(4, 4, shared -> new FlawedBarrier(shared, FlawedBarrier.Flaw.NONE)),
                new BarrierLossScenario(4, 4, shared -> new FlawedLivingBarrier(shared, FlawedLivingBarrier.Flaw.NONE)),
                new AllocatorScenario(4, 9, FlawedBlocks.SIZE, FlawedBlocks.factory(FlawedBlocks.Flaw.NONE)),
                new AsyncScenario(4, 5, FlawedWaiting.NONE),
                new FenceScenario(4, 5, FlawedFence.NONE),
                new ReopenScenario(4, 5, (shared, cluster) -> new FlawedReopening(shared, FlawedReopening.Flaw.NONE)),
                new ReclamationScenario(4, 9, ReclaimInTurn::meet));
        all.get(Math.floorMod(schedule.seed(), all.size())).run(schedule);
    }

    /** Reclaims in one thread while the others wait, which is slow and right. */
    private static final class ReclaimInTurn {
        static void meet(Runnable reclaim, ComputeThread ct) {
            for (int turn = 0; turn < ct.threads(); turn++) {
                ct.barrier();
                if (turn == ct.id()) {
                    reclaim.run();
                }
            }
        }
    }
}
