// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.remus.config.AllocationPolicy;
import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.memory.OutOfRemoteMemoryException;
import dev.remus.node.ComputeNode;
import dev.remus.node.MemoryNode;
import dev.remus.node.TestCluster;
import dev.remus.structures.LongLazyListSet;
import dev.remus.tools.latency.LatencySummary;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
@Tag("any-jdk")
class IntSetExperimentTest {
    private static final IntSetFactory LIST = IntSetFactory.of("list", LongLazyListSet::create, LongLazyListSet::new);
    private static final IntSetWorkload WORKLOAD =
            IntSetWorkload.defaults().withOperations(300).withKeys(0, 199).withSeed(42);
    private static final int THREADS = 4;

    private static ClusterConfig.Builder withBarriers() {
        return OneJvm.cluster().reclaim(Reclamation.BARRIER);
    }

    @Test
    void theAuditOfARunBalances() throws Exception {
        IntSetResult result = OneJvm.run(LIST, WORKLOAD);
        assertThat(result.isBalanced()).isTrue();
        assertThat(result.get(Metric.PREFILLED)).isEqualTo(100);
        assertThat(result.get(Metric.OP_COUNT)).isEqualTo(300 * THREADS);
        assertThat(result.size()).isEqualTo(100 + result.get(Metric.INS_T) - result.get(Metric.RMV_T));
        assertThat(result.books()).endsWith(" found: balanced");
    }

    @Test
    void theOperationsAreDrawnInTheGivenProportions() throws Exception {
        IntSetResult result =
                OneJvm.run(LIST, WORKLOAD.withKeys(0, 19).withOperations(5000).withRatios(10, 20));
        double all = result.get(Metric.OP_COUNT);
        assertThat((result.get(Metric.INS_T) + result.get(Metric.INS_F)) / all).isBetween(0.085, 0.115);
        assertThat((result.get(Metric.RMV_T) + result.get(Metric.RMV_F)) / all).isBetween(0.18, 0.22);
        assertThat((result.get(Metric.GET_T) + result.get(Metric.GET_F)) / all).isBetween(0.67, 0.73);
        assertThat(all).isEqualTo(5000 * THREADS);
    }

    @Test
    void theLatencyOfEveryOperationOfEveryThreadIsRecorded() throws Exception {
        IntSetResult result = OneJvm.run(LIST, WORKLOAD.withRatios(20, 30));
        long inserts = result.get(Metric.INS_T) + result.get(Metric.INS_F);
        long removes = result.get(Metric.RMV_T) + result.get(Metric.RMV_F);
        long gets = result.get(Metric.GET_T) + result.get(Metric.GET_F);
        assertThat(result.latency(OperationKind.INSERT).orElseThrow().count()).isEqualTo(inserts);
        assertThat(result.latency(OperationKind.REMOVE).orElseThrow().count()).isEqualTo(removes);
        assertThat(result.latency(OperationKind.GET).orElseThrow().count()).isEqualTo(gets);
        LatencySummary get = result.latency(OperationKind.GET).orElseThrow();
        assertThat(List.copyOf(get.toMap().values())).isSorted().allMatch(nanos -> nanos > 0);
    }

    @Test
    void noLatenciesAreRecordedWhenSwitchedOff() throws Exception {
        IntSetResult result = OneJvm.run(LIST, WORKLOAD.withLatency(false));
        assertThat(result.latency(OperationKind.INSERT)).isEmpty();
        assertThat(new ResultTable(result).toString()).doesNotContain("latency");
    }

    @Test
    void aSetOfOneKeyWorks() throws Exception {
        IntSetResult result = OneJvm.run(LIST, WORKLOAD.withKeys(0, 0).withPrefill(100));
        assertThat(result.isBalanced()).isTrue();
        assertThat(result.get(Metric.PREFILLED)).isEqualTo(1);
        assertThat(result.size()).isBetween(0L, 1L);
    }

    @Test
    void aFullSetStaysFull() throws Exception {
        IntSetResult result = OneJvm.run(LIST, WORKLOAD.withPrefill(100).withRatios(100, 0));
        assertThat(result.get(Metric.INS_F)).isEqualTo(300 * THREADS);
        assertThat(result.size()).isEqualTo(200);
    }

    @Test
    void nothingCanBeRemovedFromAnEmptySet() throws Exception {
        IntSetResult result = OneJvm.run(LIST, WORKLOAD.withPrefill(0).withRatios(0, 100));
        assertThat(result.get(Metric.RMV_F)).isEqualTo(300 * THREADS);
        assertThat(result.size()).isZero();
    }

    @Test
    void nothingIsFoundInAnEmptySetAndOnlyTheOperationsThemselvesAreCounted() throws Exception {
        IntSetResult result = OneJvm.run(
                withBarriers().build(),
                LIST,
                WORKLOAD.withPrefill(0).withRatios(0, 0).withReclaimEvery(10));
        assertThat(result.get(Metric.GET_F)).isEqualTo(300 * THREADS);
        // Head, tail and the head's link; READs of the barriers do not count.
        assertThat(result.get(Metric.READ)).isEqualTo(3 * 300 * THREADS);
        assertThat(result.get(Metric.BYTES_READ)).isEqualTo(8 * 3 * 300 * THREADS);
        assertThat(result.get(Metric.ROUND_TRIPS)).isEqualTo(3 * 300 * THREADS);
        assertThat(result.get(Metric.WRITE)).isZero();
        assertThat(result.get(Metric.CAS)).isZero();
        assertThat(result.get(Metric.FAA)).isZero();
    }

    @Test
    void keysOfTheWholeRangeOfLongsWork() throws Exception {
        IntSetResult result = OneJvm.run(
                LIST, WORKLOAD.withKeys(Long.MIN_VALUE, Long.MAX_VALUE).withPrefill(0));
        assertThat(result.isBalanced()).isTrue();
        assertThat(result.get(Metric.INS_T)).isPositive();
    }

    @Test
    void negativeKeysWork() throws Exception {
        IntSetResult result = OneJvm.run(LIST, WORKLOAD.withKeys(-300, -101));
        assertThat(result.isBalanced()).isTrue();
        assertThat(result.get(Metric.PREFILLED)).isEqualTo(100);
    }

    @Test
    void fewerKeysThanThreadsCanBePrefilled() throws Exception {
        IntSetResult result =
                OneJvm.run(LIST, WORKLOAD.withKeys(0, 2).withPrefill(100).withOperations(0));
        assertThat(result.get(Metric.PREFILLED)).isEqualTo(3);
        assertThat(result.size()).isEqualTo(3);
        assertThat(result.throughput()).isZero();
    }

    @Test
    void aTimedRunCountsItsOperationsAndBalances() throws Exception {
        RunLength time = RunLength.ofNanos(200_000_000);
        IntSetResult result = OneJvm.run(LIST, WORKLOAD.with(time));
        assertThat(result.isBalanced()).isTrue();
        assertThat(result.micros()).isGreaterThanOrEqualTo(200_000);
        assertThat(result.get(Metric.OP_COUNT))
                .isPositive()
                .isEqualTo(result.get(Metric.INS_T)
                        + result.get(Metric.INS_F)
                        + result.get(Metric.RMV_T)
                        + result.get(Metric.RMV_F));
    }

    @Test
    void aRunWithATimeAndANumberOfOperationsEndsAtWhicheverComesFirst() throws Exception {
        long hour = 3_600_000_000_000L;
        IntSetResult counted = OneJvm.run(LIST, WORKLOAD.with(new RunLength(120, hour)));
        assertThat(counted.get(Metric.OP_COUNT)).isEqualTo(120 * THREADS);
        IntSetResult timed = OneJvm.run(LIST, WORKLOAD.with(new RunLength(RunLength.UNLIMITED - 1, 1_000_000)));
        assertThat(timed.isBalanced()).isTrue();
        assertThat(timed.get(Metric.OP_COUNT)).isLessThan(RunLength.UNLIMITED);
    }

    @Test
    void threadsWithABarrierAfterEachOperationEndATimedRunTogether() throws Exception {
        for (int run = 0; run < 20; run++) {
            RunLength time = RunLength.ofNanos(2_000_000);
            IntSetResult result =
                    OneJvm.run(withBarriers().build(), LIST, WORKLOAD.with(time).withReclaimEvery(1));
            assertThat(result.isBalanced()).isTrue();
        }
    }

    @Test
    void keysAreChosenByTheRoundTripTimeAndTheChoiceIsReported() throws Exception {
        List<String> notices = new CopyOnWriteArrayList<>();
        IntSetWorkload open = new IntSetWorkload(
                RunLength.ofNanos(1_000_000), 50, 50, 50, new KeyRange(0, 1L << 40), true, 0, 1, true);
        ClusterConfig config = OneJvm.cluster().segmentSizeLog2(26).build();
        IntSetResult result = OneJvm.run(config, LIST, open.withPrefill(0), notices::add);
        assertThat(result.isBalanced()).isTrue();
        assertThat(result.workload().keys().ub()).isBetween(64L, 1L << 40);
        assertThat(notices).hasSize(1);
        assertThat(notices.get(0))
                .startsWith("a round trip takes ")
                .contains(
                        "the keys " + result.workload().keys() + " for 0.001 s",
                        "; to change this, set --key-ub, --run-time or --num-ops");
    }

    @Test
    void threeNodesWithBothRolesAndIdsFrom5OnWork() throws Exception {
        ClusterConfig config = OneJvm.cluster()
                .memoryNodes(5, 7)
                .computeNodes(5, 7)
                .allocationPolicy(AllocationPolicy.LOCAL_RR)
                .build();
        assertThat(OneJvm.run(config, LIST, WORKLOAD).isBalanced()).isTrue();
    }

    @Test
    void sixteenThreadsWork() throws Exception {
        ClusterConfig config = OneJvm.cluster().threadsPerNode(8).build();
        IntSetResult result = OneJvm.run(config, LIST, WORKLOAD);
        assertThat(result.isBalanced()).isTrue();
        assertThat(result.get(Metric.OP_COUNT)).isEqualTo(300 * 16);
    }

    @Test
    void manyMoreRemovalsThanTheMemoryHoldsAreReclaimedInTime() throws Exception {
        ClusterConfig config =
                withBarriers().segmentSizeLog2(14).segmentsPerNode(1).build(); // 255 blocks
        IntSetResult result = OneJvm.run(
                config, LIST, WORKLOAD.withKeys(0, 19).withOperations(2000).withReclaimEvery(8));
        assertThat(result.isBalanced()).isTrue();
        assertThat(result.get(Metric.INS_T)).isGreaterThan(1000);
    }

    @Test
    void theSameSeedGivesTheSameCountsWithOneThread() throws Exception {
        IntSetResult first = OneJvm.run(oneThread(), LIST, WORKLOAD);
        IntSetResult second = OneJvm.run(oneThread(), LIST, WORKLOAD);
        IntSetResult other = OneJvm.run(oneThread(), LIST, WORKLOAD.withSeed(43));
        assertThat(first.hitsAndMisses(Metric.INS_T, Metric.INS_F))
                .isEqualTo(second.hitsAndMisses(Metric.INS_T, Metric.INS_F))
                .isNotEqualTo(other.hitsAndMisses(Metric.INS_T, Metric.INS_F));
    }

    private static ClusterConfig oneThread() {
        return OneJvm.cluster().computeNodes(1, 1).threadsPerNode(1).build();
    }

    @Test
    void allMemoryIsFreed() throws Exception {
        // There is room for one set of 200 keys, and not for a second one.
        ClusterConfig config =
                oneThread().toBuilder().segmentSizeLog2(14).segmentsPerNode(1).build();
        IntSetWorkload full = WORKLOAD.withPrefill(100).withRatios(0, 50);
        try (MemoryNode memory = MemoryNode.start(config, 0)) {
            try (ComputeNode node = ComputeNode.connect(config, 1)) {
                node.runThreads(ct -> {
                    for (int i = 0; i < 5; i++) {
                        assertThat(new IntSetExperiment(LIST, full).run(ct)).isPresent();
                    }
                });
            }
            memory.awaitFinished();
        }
    }

    @ParameterizedTest
    @EnumSource
    void theSetsMakeNoMistakeThatCheckedMemoryReports(Reclamation reclaim) throws Exception {
        for (String set : IntSetNames.all()) {
            ClusterConfig config =
                    OneJvm.cluster().reclaim(reclaim).checkMemory(true).build();
            IntSetFactory factory = IntSetClass.named(IntSetNames.className(set));
            assertThat(OneJvm.run(config, factory, WORKLOAD.withReclaimEvery(100))
                            .isBalanced())
                    .as(set)
                    .isTrue();
        }
    }

    @Test
    void aSetThatLosesAKeyFailsTheAuditWithAllFigures() {
        UnbalancedException e = catchThrowableOfType(
                UnbalancedException.class, () -> OneJvm.run(IntSetClass.named(LossySet.class.getName()), WORKLOAD));
        assertThat(e)
                .hasMessageContaining("the books do not balance")
                .hasMessageContaining("prefilled + ")
                .hasMessageContaining("NOT BALANCED")
                .hasMessageContaining("seed 42");
        assertThat(e.result().isBalanced()).isFalse();
        assertThat(e.result().size()).isLessThan(e.result().expectedSize());
    }

    @Test
    void aDamagedSetFailsTheAuditWithAllFigures() {
        assertThatThrownBy(() -> OneJvm.run(IntSetClass.named(DamagedSet.class.getName()), WORKLOAD))
                .isInstanceOf(UnbalancedException.class)
                .hasMessageContaining("the set is damaged: a mark was left")
                .hasMessageContaining("cannot be counted: NOT BALANCED");
    }

    @Test
    void noBarrierIsBetweenTheFirstAndTheLastOperation() throws Exception {
        ClusterConfig epochs = OneJvm.cluster().build();
        assertThat(barriers(epochs, 300, 0)).isEqualTo(barriers(epochs, 1, 0));
        ClusterConfig barriers = withBarriers().build();
        assertThat(barriers(barriers, 300, 10) - barriers(barriers, 1, 10)).isEqualTo(29);
    }

    /** How often the first thread passes a barrier in a run. */
    private static long barriers(ClusterConfig config, long operations, long reclaimEvery) throws Exception {
        IntSetExperiment experiment =
                new IntSetExperiment(LIST, WORKLOAD.withOperations(operations).withReclaimEvery(reclaimEvery));
        AtomicLong barriers = new AtomicLong();
        TestCluster.of(config).run(ct -> {
            experiment.run(ct);
            if (ct.id() == 0) {
                barriers.set(ct.metrics().barriers());
            }
        });
        return barriers.get();
    }

    @Test
    void withEpochsMemoryForAFewKeysServesEachSetForEverAndTheResultShowsIt() throws Exception {
        for (String set : IntSetNames.all()) {
            ClusterConfig config =
                    OneJvm.cluster().segmentSizeLog2(14).segmentsPerNode(1).build();
            IntSetFactory factory = IntSetClass.named(IntSetNames.className(set));
            IntSetResult result = OneJvm.run(
                    config,
                    factory,
                    WORKLOAD.withKeys(0, 15).withOperations(5_000).withRatios(50, 50));
            assertThat(result.isBalanced()).isTrue();
            assertThat(new ResultTable(result).toString())
                    .containsPattern(
                            "reclamation +[0-9,]+ epochs, [0-9,]+ blocks retired, at most [0-9,]+ of a thread at a"
                                    + " time \\(within 3 times [0-9,]+, the most in an epoch\\), [0-9.]+ round trips"
                                    + " per operation\n");
        }
    }

    @Test
    void aCacheKeepsNineTenthsOfItsHitsWhileMemoryIsReusedByEpochsAndTheResultShowsThem() throws Exception {
        IntSetFactory factory = IntSetClass.named(IntSetNames.className("cached"));
        IntSetWorkload workload = WORKLOAD.withKeys(0, 63)
                .withOperations(10_000)
                .withRatios(25, 25)
                .withReclaimEvery(0);
        IntSetResult never = OneJvm.run(OneJvm.cluster().segmentSizeLog2(24).build(), factory, workload);
        ClusterConfig small = OneJvm.cluster()
                .segmentSizeLog2(14)
                .segmentsPerNode(1)
                .reclaim(Reclamation.EPOCHS)
                .build();
        IntSetResult reused = OneJvm.run(small, factory, workload);
        assertThat(reused.get(Metric.RETIREMENTS) * 64)
                .as("the memory was reused several times")
                .isGreaterThan(4 * small.segmentBytes());
        assertThat(share(Metric.CACHE_HITS, reused)).isGreaterThanOrEqualTo(0.9 * share(Metric.CACHE_HITS, never));
        assertThat(new ResultTable(reused).toString())
                .containsPattern("cache +[0-9.]+ hits, [0-9.]+ misses per operation, [0-9.]+ % hits\n");
    }

    private static double share(Metric metric, IntSetResult result) {
        return (double) result.get(metric) / result.get(Metric.OP_COUNT);
    }

    @Test
    void aFullMemoryEndsTheRun() {
        ClusterConfig config = OneJvm.cluster()
                .segmentSizeLog2(12)
                .segmentsPerNode(1)
                .allocationWait(Duration.ZERO)
                .build();
        assertThatThrownBy(
                        () -> OneJvm.run(config, LIST, WORKLOAD.withPrefill(0).withRatios(100, 0)))
                .isInstanceOf(OutOfRemoteMemoryException.class);
    }

    @Test
    void workloadsThatDifferHaveDifferentFingerprints() {
        IntSetFactory other = IntSetClass.named(OwnSet.class.getName());
        assertThat(WORKLOAD.fingerprint(LIST))
                .isNotEqualTo(WORKLOAD.fingerprint(other))
                .isNotEqualTo(WORKLOAD.withOperations(301).fingerprint(LIST))
                .isNotEqualTo(WORKLOAD.with(new RunLength(300, 1)).fingerprint(LIST))
                .isNotEqualTo(WORKLOAD.withPrefill(51).fingerprint(LIST))
                .isNotEqualTo(WORKLOAD.withRatios(1, 2).fingerprint(LIST))
                .isNotEqualTo(WORKLOAD.withReclaimEvery(17).fingerprint(LIST))
                .isNotEqualTo(WORKLOAD.withLatency(false).fingerprint(LIST))
                .isNotEqualTo(WORKLOAD.withKeys(1, 199).fingerprint(LIST))
                .isNotEqualTo(WORKLOAD.withKeys(0, 198).fingerprint(LIST))
                .isEqualTo(WORKLOAD.withSeed(7).fingerprint(LIST));
    }
}
