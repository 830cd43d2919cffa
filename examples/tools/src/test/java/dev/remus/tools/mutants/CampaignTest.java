// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.simulation.ScheduleMix;
import dev.remus.tools.scenarios.ScenarioCatalogue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("any-jdk")
class CampaignTest {
    private static final int SCHEDULES = 200;

    /** For mistakes that show only if a thread dies at one of its steps. */
    private static final int MANY_SCHEDULES = 2_000;

    private static Campaign everything;

    @BeforeAll
    static void mutate() {
        everything = Campaign.ofEverything(ScenarioCatalogue.names(), ScheduleMix.DELAYS_AND_BREAKS::schedule);
    }

    @Test
    void aSurvivorWithoutAnExplanationIsSearchedForLongerOnlyWhereThatMayHelp() {
        assertThat(MutantsCommand.unexplained(500)).isEqualTo("not found in 500 schedules; try more, --schedules 2000");
        assertThat(MutantsCommand.unexplained(2_000)).isEqualTo("not found and not explained in survivors.txt");
    }

    @Test
    void namesOfMutantsAreTheSameInEveryRunAndDifferFromEachOther() {
        List<String> names = everything.mutants().stream().map(Mutant::name).toList();
        assertThat(names).doesNotHaveDuplicates();
        assertThat(names)
                .contains(
                        "LazyListSet.Node.acquire:tryAcquire-1:write-for-cas",
                        "LazyListSet.insert:store-1:unplaced",
                        "LazyListSet.insert:before-store-1:released-early",
                        "LazyListSet.unlink:schedReclaim-1:freed-early",
                        "RemoteLock.release:place-1:left-out");
        assertThat(
                        Campaign.ofEverything(ScenarioCatalogue.names(), ScheduleMix.DELAYS_AND_BREAKS::schedule)
                                .mutants()
                                .stream()
                                .map(Mutant::name))
                .isEqualTo(names);
    }

    @Test
    void everyExplanationBelongsToAMutantAndHasAKind() {
        Survivors survivors = Survivors.read();
        assertThat(survivors.unknown(everything.mutants())).isEmpty();
        for (Map.Entry<String, String> reason : survivors.reasons().entrySet()) {
            assertThat(Survivors.hasKind(reason.getValue())).as(reason.getKey()).isTrue();
        }
    }

    @Test
    void mistakesOfEachKindAreFoundInTheLazyListAndTheOriginalIsClean() throws Exception {
        Campaign campaign = new Campaign(
                ClassesUnderTest.names(),
                name -> name.matches("dev.remus.(structures.LazyListSet|node.SortedChain).*"),
                List.of("lazylist"),
                ScheduleMix.DELAYS_AND_BREAKS::schedule);
        assertThat(campaign.explore()).isEmpty();
        for (String name : List.of(
                "LazyListSet.Node.acquire:tryAcquire-1:write-for-cas",
                "LazyListSet.Node.release:release-1:write-for-cas",
                "LazyListSet.insert:validate-1:falls",
                "LazyListSet.insert:lock-1:left-out",
                "SortedChain.follow:isMarked-1:falls")) {
            Mutant mutant = campaign.mutants().stream()
                    .filter(m -> m.name().equals(name))
                    .findFirst()
                    .orElseThrow();
            MutantResult result = campaign.search(mutant, 1, SCHEDULES, 1);
            assertThat(result.isFound()).as(name).isTrue();
            assertThat(campaign.search(mutant, 1, SCHEDULES, 2).finding())
                    .as("the same seed with any number of jobs")
                    .isEqualTo(result.finding());
        }
        assertThat(campaign.explore()).as("the original is clean again").isEmpty();
    }

    private static void assertFound(Campaign campaign, int schedules, String... names) throws Exception {
        for (String name : names) {
            Mutant mutant = campaign.mutants().stream()
                    .filter(m -> m.name().equals(name))
                    .findFirst()
                    .orElseThrow();
            assertThat(campaign.search(mutant, 1, schedules, 1).isFound())
                    .as(name)
                    .isTrue();
        }
    }

    @Test
    void mistakesInTheLockFreeListAreFoundAndTheOriginalIsClean() throws Exception {
        Campaign campaign = new Campaign(
                ClassesUnderTest.names(),
                name -> name.startsWith("dev.remus.structures.LockFreeList"),
                List.of("lockfreelist", "lockfreelist-churn", "lockfreemap"),
                ScheduleMix.DELAYS_AND_BREAKS::schedule);
        assertThat(campaign.explore()).isEmpty();
        assertFound(
                campaign,
                SCHEDULES,
                "LockFreeList.searchOn:isMarked-1:falls", // takes a removed node for one in the list
                "LockFreeList.unlink:compare-1:jumps", // retires a node although its swap has failed
                "LockFreeList.unlink:compare-1:falls", // retires no node
                "LockFreeList.publish:storeStaged-1:unplaced", // links a node before it is placed
                "LockFreeList.publish:compare-1:falls", // uses a block again that is linked
                "LockFreeList.remove:compareAndSet-1:write-for-cas");
    }

    @Test
    void mistakesInTheOrderedMapAreFoundAndTheOriginalIsClean() throws Exception {
        Campaign campaign = new Campaign(
                ClassesUnderTest.names(),
                name -> name.matches("dev.remus.structures.(LongLong)?Tree.*"),
                List.of("tree", "tree-merge", "tree-snapshot", "tree-load", "tree-loss", "tree-merge-loss"),
                ScheduleMix.DELAYS_AND_BREAKS::schedule);
        assertThat(campaign.explore()).isEmpty();
        assertFound(
                campaign,
                SCHEDULES,
                "LongLongTree.ceiling:compare-1:falls", // reports an entry that is not there
                "TreeCore.replace:compare-1:falls", // replaces any value
                "TreeRemoval.tryMark:isStillEmpty-1:falls", // removes a leaf that has entries
                "TreeTable.adopt:compare-1:jumps"); // takes a root that is not there
    }

    @Test
    void mistakesInTheOrderedMapThatLoseMemoryOrOneOfManyLeavesAreFound() throws Exception {
        Campaign campaign = new Campaign(
                ClassesUnderTest.names(),
                name -> name.matches("dev.remus.structures.(Tree|RemoteTreeMap).*"),
                List.of("tree-growth", "tree-churn", "tree-pairs", "tree-half", "tree-load-half", "treemap-long"),
                ScheduleMix.DELAYS_AND_BREAKS::schedule);
        assertThat(campaign.explore()).isEmpty();
        assertFound(
                campaign,
                SCHEDULES,
                "RemoteTreeMap.endWithRetired:compare-1:jumps", // forgets the block of an old value
                "RemoteTreeMap.clear:compare-1:falls", // retires the block of a key that another thread has removed
                "TreeCore.clearLeaf:isPresent-1:falls", // counts keys that are not there
                "TreeCore.grow:compare-2:falls", // forgets a root that was not needed
                "TreeLevels.free:compare-2:falls", // forgets inner nodes
                "TreeLoad.load:compare-1:falls", // loads no entries
                "TreeLoad.chainFrom:compare-1:falls", // writes a node to no block
                "TreeRemoval.tidy:isEmpty-1:jumps", // keeps empty leaves
                "TreeRemoval.remove:tryMark-1:falls", // forgets a node that is gone
                "TreeScan.readLeaves:compare-1:falls", // READs more leaves than it has room for
                "TreeValues.sizeOf:compare-1:falls"); // takes a long value for none
    }

    @Test
    void mistakesInTheHashMapAreFoundAndTheOriginalIsClean() throws Exception {
        Campaign campaign = new Campaign(
                ClassesUnderTest.names(),
                name -> name.matches("dev.remus.structures.Map.*"),
                List.of("map-full", "map-full-batches", "map-sections", "map-clear-full", "map-crowded", "map-left"),
                ScheduleMix.DELAYS_AND_BREAKS::schedule);
        assertThat(campaign.explore()).isEmpty();
        assertFound(
                campaign,
                SCHEDULES,
                "MapCore.clear:clearBucket-1:jumps", // leaves an entry that another thread has changed
                "MapCore.clearBucket:compare-1:jumps", // loses the blocks that it removes
                "MapDirectory.fillWithZeros:compare-2:jumps", // takes garbage for buckets
                "MapSplit.help:move-1:jumps", // opens a bucket whose entries have not moved
                "MapSplit.isInVain:compare-1:falls", // splits a bucket whose keys have one hash
                "MapSplit.takeSpare:compare-1:falls"); // loses a bucket
    }

    @Test
    void mistakesInSemaphoresLatchesAndLeaderSlotsAreFoundAndTheOriginalsAreClean() throws Exception {
        Campaign campaign = new Campaign(
                ClassesUnderTest.names(),
                name -> name.matches("dev.remus.lock.(RemoteSemaphore|RemoteLatch|LeaderSlot).*"),
                List.of("semaphore", "latch", "leader"),
                ScheduleMix.DELAYS_AND_BREAKS::schedule);
        assertThat(campaign.explore()).isEmpty();
        assertFound(
                campaign,
                SCHEDULES,
                "RemoteSemaphore.isTaken:canAcquire-1:falls", // takes a permit that another thread holds
                "RemoteSemaphore.isTaken:tryAcquire-1:write-for-cas",
                "RemoteSemaphore.release:place-1:left-out", // passes a permit on before its WRITEs are placed
                "RemoteSemaphore.release:release-1:write-for-cas",
                "RemoteLatch.countDown:place-1:left-out", // counts before its WRITEs are placed
                "RemoteLatch.tryAwait:isLost-1:falls", // waits for a lost thread
                "RemoteLatch.tryAwait:hasCounted-1:jumps", // does not wait
                "RemoteLatch.tryAwait:compare-3:jumps", // does not report a lost thread
                "LeaderSlot.isFree:isLost-1:jumps", // does not replace a lost leader
                "LeaderSlot.isFree:isLost-1:falls", // replaces a leader that is alive
                "LeaderSlot.tryLead:compare-1:falls", // leads although its swap has failed
                "LeaderSlot.resign:place-1:left-out", // resigns before its WRITEs are placed
                "LeaderSlot.swap:compareAndExchange-1:write-for-cas");
    }

    @Test
    void mistakesInTheSuccessionOfTheLocksAreFoundAndTheOriginalsAreClean() throws Exception {
        Campaign campaign = new Campaign(
                ClassesUnderTest.names(),
                name -> name.matches("dev.remus.lock.(Succession|QueueLine|RemoteQueueLock|WaiterWord).*"),
                List.of("lock-heirs", "queuelock-heirs", "queuelock-views"),
                ScheduleMix.DELAYS_AND_BREAKS::schedule);
        assertThat(campaign.explore()).isEmpty();
        assertFound(
                campaign,
                SCHEDULES,
                "Succession.grantUnlessSkipped:isPassed-1:falls", // grants a ticket that a lost holder has skipped
                "QueueLine.first:compare-1:falls", // passes tickets by before the turn has come
                "QueueLine.endLost:compare-2:jumps", // takes a holder that was lost as it released for a waiter
                "RemoteQueueLock.resume:compare-1:jumps", // loses its place after a time-out
                "RemoteQueueLock.resume:compare-2:jumps", // resumes the ticket of another lock
                "WaiterWord.open:compare-2:falls"); // makes a new word for each ticket
    }

    @Test
    void mistakesInLocksThatAreMovedToOrThatManyWaitForAreFoundAndTheOriginalsAreClean() throws Exception {
        Campaign campaign = new Campaign(
                ClassesUnderTest.names(),
                name -> name.matches("dev.remus.lock.(RemoteLock|Succession|TicketLine|TicketState|RemoteQueueLock).*"),
                List.of("lock-full", "lock-slow", "lock-moves", "queuelock-moves", "queuelock-patience"),
                ScheduleMix.DELAYS_AND_BREAKS::schedule);
        assertThat(campaign.explore()).isEmpty();
        assertFound(
                campaign,
                SCHEDULES,
                "RemoteLock.init:storeStaged-1:unplaced", // shows words of the lock that had the block before
                "RemoteLock.draw:drawNext-1:falls", // claims a ticket of the lock from which the view has moved
                "TicketLine.findBefore:compare-4:falls", // gives up a ticket in the place of an earlier one
                "Succession.grant:isPassed-1:jumps", // takes a turn back that it has passed on
                "Succession.afterPassing:isLost-1:falls", // gives the turn to a thread that it knows to be lost
                "RemoteQueueLock.await:awaitUnclaimed-1:falls", // does not give up behind an unclaimed ticket
                "RemoteQueueLock.awaitUnclaimed:isOverdue-1:jumps"); // takes a slow thread for a lost one
    }

    @Test
    void mistakesInTheRepairOfTheLockBasedQueuesAreFoundAndTheOriginalsAreClean() throws Exception {
        Campaign campaign = new Campaign(
                ClassesUnderTest.names(),
                name -> name.contains("LockQueue"),
                List.of("bc-loss", "bd-loss", "bd-late"),
                ScheduleMix.DELAYS_AND_BREAKS::schedule);
        assertThat(campaign.explore()).isEmpty();
        assertFound(
                campaign,
                MANY_SCHEDULES,
                "CentralizedLockQueue.repair:compare-1:jumps", // forgets that there are elements
                "CentralizedLockQueue.repair:compare-1:falls", // keeps the tail of an enqueue that is not done
                "CentralizedLockQueue.repair:compare-3:jumps", // does not move the tail to the new element
                "CentralizedLockQueue.repair:compare-3:falls", // moves it behind the last element
                "DecentralizedLockQueue.repairElement:compare-2:falls"); // takes no element for whole
    }

    @Test
    void mistakesInTheClaimsOfTheBufferedQueuesAreFoundAndTheOriginalsAreClean() throws Exception {
        Campaign campaign = new Campaign(
                ClassesUnderTest.names(),
                name -> name.startsWith("dev.remus.structures.OpenClaim"),
                List.of("buffered-loss", "buffered-relaxed-loss", "buffered-stuck"),
                ScheduleMix.DELAYS_AND_BREAKS::schedule);
        assertThat(campaign.explore()).isEmpty();
        assertFound(
                campaign,
                SCHEDULES,
                "OpenClaim.mayFill:compare-2:jumps", // takes a later claim for an earlier one
                "OpenClaim.take:execute-1:unplaced", // reads its position before that is taken
                "OpenClaim.moveTo:compare-1:jumps", // waits for room without a claim that is up to date
                "OpenClaim.fill:execute-1:unplaced", // ends before the item is there
                "OpenClaim.giveUp:compare-1:jumps", // leaves the claim of an attempt in vain
                "OpenClaim.giveUp:isRefused-1:falls", // leaves the claim after a failure
                "OpenClaim.tryGiveUp:place-1:left-out", // gives up while an item may still arrive
                "OpenClaims.areOver:mayFill-1:falls", // does not wait for a slow producer
                "OpenClaims.areOver:isLost-1:falls", // waits for a lost one
                "OpenClaims.isBlockOpen:compare-1:falls"); // takes a block that a producer has taken
    }

    @Test
    void mistakesInTheBatchesOfTheRelaxedBufferedQueueAreFoundAndTheOriginalIsClean() throws Exception {
        Campaign campaign = new Campaign(
                ClassesUnderTest.names(),
                name -> name.startsWith("dev.remus.structures.RelaxedBufferedQueue"),
                List.of("buffered-relaxed-batches"),
                ScheduleMix.DELAYS_AND_BREAKS::schedule);
        assertThat(campaign.explore()).isEmpty();
        assertFound(
                campaign,
                SCHEDULES,
                "RelaxedBufferedQueue.takeAtOnce:execute-1:unplaced", // reads its positions before they are there
                "RelaxedBufferedQueue.takeAtOnce:compare-1:jumps", // tries again for items that have got a block
                "RelaxedBufferedQueue.takeAtOnce:compare-1:falls", // enqueues items that have got none
                "RelaxedBufferedQueue.takeFree:isTaken-1:jumps", // forgets items that have got none
                "RelaxedBufferedQueue.takeFree:isTaken-1:falls", // tries again for items that have got one
                "RelaxedBufferedQueue.isTaken:compare-1:jumps", // does not enqueue an item that has got a block
                "RelaxedBufferedQueue.isTaken:isFree-1:falls"); // takes a block that is not free
    }

    @Test
    void mistakesInTheLayersBelowTheStructuresAreFound() throws Exception {
        Campaign campaign = new Campaign(
                ClassesUnderTest.names(),
                name -> ClassesUnderTest.area(name).equals(Optional.of(Area.LAYERS)),
                List.of("cache", "sequences", "versioned"),
                ScheduleMix.DELAYS_AND_BREAKS::schedule);
        assertThat(campaign.explore()).isEmpty();
        assertFound(
                campaign,
                SCHEDULES,
                "Placement.placeAll:place-1:left-out",
                "RecordCache.find:compare-1:falls",
                "SharedLane.postUnsignalled:tryPostUnsignalled-1:jumps",
                "UnplacedLanes.add:test-1:jumps",
                "VersionedRecord.fetchConsistent:compare-1:falls");
    }

    @Test
    void mistakesInReclamationByEpochsAreFoundAndTheOriginalIsClean() throws Exception {
        Campaign campaign = new Campaign(
                ClassesUnderTest.names(),
                name -> name.startsWith("dev.remus.node.Epoch") || name.startsWith("dev.remus.node.Retired"),
                List.of("epochs", "epochs-loss", "epochs-full", "epochs-garbage"),
                ScheduleMix.DELAYS_AND_BREAKS::schedule);
        assertThat(campaign.explore()).isEmpty();
        assertFound(
                campaign,
                SCHEDULES,
                "EpochReclaimer.observe:reclaimUpTo-1:one-late",
                "EpochReclaimer.straggler:compare-2:falls", // waits for threads that are offline
                "EpochReclaimer.straggler:isLost-1:falls", // waits for threads of a lost node
                "EpochReclaimer.observe:isEmpty-1:jumps", // leaves to nobody what an offline thread has retired
                "RetiredBlocks.date:compare-1:falls");
    }

    @Test
    void mistakesInTheBarrierThatDoesWithoutLostNodesAndInTheFenceAreFound() throws Exception {
        Campaign campaign = new Campaign(
                ClassesUnderTest.names(),
                name -> name.matches("dev.remus.node.(Attendance|BarrierTable|Fence|L(iving|ost)\\w+)"),
                List.of("barrier-loss", "fence"),
                ScheduleMix.DELAYS_AND_BREAKS::schedule);
        assertThat(campaign.explore()).isEmpty();
        assertFound(
                campaign,
                SCHEDULES,
                "Attendance.record:test-1:jumps", // forgets who took part
                "BarrierTable.isClosed:compare-1:jumps", // waits for threads that are closed
                "LivingBarrier.awaited:isLost-1:falls", // waits for threads of a lost node
                "LostComputeNodes.ask:test-7:jumps"); // does not have a lost node cut off
    }

    @Test
    void mistakesThatShowWhileMemoryNodesStandStillOrAreDeadOrReleasesAreLostAreFound() throws Exception {
        Campaign campaign = new Campaign(
                ClassesUnderTest.names(),
                name -> name.matches("dev.remus.node.(Fence|LostComputeNodes|PostedReleases)"),
                List.of("return-slow", "restart", "fence-dead", "releases"),
                ScheduleMix.DELAYS_AND_BREAKS::schedule);
        assertThat(campaign.explore()).isEmpty();
        assertFound(
                campaign,
                SCHEDULES,
                "Fence.admit:isUp-1:jumps", // lets in a life that others have given up
                "Fence.isReplaced:compare-2:jumps", // does not notice that a node has started again
                "LostComputeNodes.ask:isKnown-1:jumps", // asks nobody to cut off a lost node
                "PostedReleases.mayAnyBeLost:test-2:jumps"); // does not repeat a release that is lost
    }

    @Test
    void noMutantAccessesMemoryThatIsNotMappedByAnAddress() {
        assertThat(everything.mutants())
                .extracting(Mutant::name)
                .contains("StampedArray.fetch:compare-1:falls")
                .noneMatch(name -> name.startsWith("ComputeThread.read:") || name.startsWith("StampedArray.store:"));
    }

    @Test
    void everyScenarioCanBeCreatedByName() {
        ScenarioCatalogue catalogue = new ScenarioCatalogue();
        assertThat(ScenarioCatalogue.names())
                .contains("lazylist", "handover")
                .allSatisfy(name -> assertThat(catalogue.apply(name)).isNotNull());
    }
}
