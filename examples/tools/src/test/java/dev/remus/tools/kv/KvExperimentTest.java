// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.progress.Progress;
import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.node.TestCluster;
import dev.remus.tools.harness.RunLength;
import dev.remus.tools.kv.KeyChoice.Distribution;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("any-jdk")
@Timeout(60)
class KvExperimentTest {
    private static final int RECORDS = 500;
    private static final long OPERATIONS = 1000;
    private static final int THREADS = 4;

    private static KvWorkload workload(KvMix mix, Distribution distribution) {
        return workload(KvMap.HASH, mix, distribution);
    }

    private static KvWorkload workload(KvMap map, KvMix mix, Distribution distribution) {
        return new KvWorkload(
                RunLength.ofOperations(OPERATIONS),
                0,
                map,
                RECORDS,
                Long.BYTES,
                mix,
                20,
                new KeyChoice(distribution, 0.99, 20, 80),
                0,
                7,
                true);
    }

    private static KvWorkload with(int valueBytes, RunLength length, long warmUpNanos, long rate, KvWorkload workload) {
        return new KvWorkload(
                length,
                warmUpNanos,
                workload.map(),
                workload.records(),
                valueBytes,
                workload.mix(),
                workload.scanLength(),
                workload.choice(),
                rate,
                workload.seed(),
                true);
    }

    private static KvResult run(KvWorkload workload, ClusterConfig.Builder cluster) throws Exception {
        KvExperiment experiment = new KvExperiment(workload, new Progress(), false);
        AtomicReference<KvResult> result = new AtomicReference<>();
        TestCluster.of(cluster.build()).run(ct -> experiment.run(ct).ifPresent(result::set));
        return result.get();
    }

    private static KvResult run(KvWorkload workload) throws Exception {
        return run(workload, TestCluster.config(1, 1, THREADS));
    }

    private static final KvMix ALL = new KvMix(20, 20, 20, 20);

    @ParameterizedTest
    @EnumSource(Distribution.class)
    void allKindsOfOperationsBalance(Distribution distribution) throws Exception {
        KvResult result = run(workload(ALL, distribution));
        assertThat(result.isBalanced()).as(result.books()).isTrue();
        assertThat(result.get(KvMetric.OP_COUNT)).isEqualTo(THREADS * OPERATIONS);
        assertHits(result, EnumSet.complementOf(EnumSet.of(KvOperationKind.SCAN)));
        assertThat(result.books()).startsWith("500 loaded + ").endsWith("their values add up: balanced");
        assertThat(result.get(KvMetric.READ)).isPositive();
    }

    private static void assertHits(KvResult result, Set<KvOperationKind> kinds) {
        for (KvOperationKind kind : kinds) {
            assertThat(result.get(kind.metric(true))).as(kind.toString()).isPositive();
            assertThat(result.latencies().summary(kind)).isPresent();
        }
    }

    private static final KvMix ALL_WITH_SCANS = new KvMix(15, 15, 15, 15, 20);

    @ParameterizedTest
    @EnumSource(Distribution.class)
    void allKindsOfOperationsOfAnOrderedMapBalance(Distribution distribution) throws Exception {
        KvResult result = run(workload(KvMap.TREE, ALL_WITH_SCANS, distribution));
        assertThat(result.isBalanced()).as(result.books()).isTrue();
        assertHits(result, EnumSet.allOf(KvOperationKind.class));
        assertThat(result.books()).startsWith("500 loaded + ").endsWith("their values add up: balanced");
        assertThat(result.toTable()).contains("LongLongTree, 500 records of 8 + 8 bytes");
    }

    @Test
    void allKindsOfOperationsOfAnOrderedMapOfRecordsBalance() throws Exception {
        KvWorkload longs = workload(KvMap.TREE, ALL_WITH_SCANS, Distribution.UNIFORM);
        KvResult result = run(with(100, longs.length(), 0, 0, longs));
        assertThat(result.isBalanced()).as(result.books()).isTrue();
        assertHits(result, EnumSet.allOf(KvOperationKind.class));
        assertThat(result.toTable()).contains("RemoteTreeMap, 500 records of 8 + 100 bytes");
    }

    @ParameterizedTest
    @CsvSource({"8, BARRIER", "100, EPOCHS"})
    void allKindsOfOperationsOfAListBalance(int valueBytes, Reclamation reclaim) throws Exception {
        KvWorkload longs = workload(KvMap.LIST, ALL, Distribution.LATEST);
        KvResult result = run(
                with(valueBytes, longs.length(), 0, 0, longs),
                TestCluster.config(1, 2, 2).reclaim(reclaim).segmentSizeLog2(21));
        assertThat(result.isBalanced()).as(result.books()).isTrue();
        assertThat(result.toTable()).contains("LockFreeListMap, 500 records of 8 + " + valueBytes + " bytes");
    }

    @Test
    void scansFindAsManyEntriesAsTheirLengthsOnAverage() throws Exception {
        KvResult result = run(workload(KvMap.TREE, new KvMix(0, 5, 0, 0, 95), Distribution.UNIFORM));
        long scans = result.get(KvMetric.SCAN_T) + result.get(KvMetric.SCAN_F);
        double each = (double) result.get(KvMetric.SCANNED) / scans;
        assertThat(scans).isBetween(THREADS * OPERATIONS * 9 / 10, THREADS * OPERATIONS);
        assertThat(each).as("lengths from 1 to 20, some of which reach the end").isBetween(9.5, 11.0);
        assertThat(result.toTable())
                .containsPattern("scan +[0-9,]+ hits [0-9,]+ misses, (9|10|11)[.][0-9] entries each");
        assertThat(result.metrics()).containsEntry("scanned", result.get(KvMetric.SCANNED));
    }

    @ParameterizedTest
    @EnumSource
    void anOrderedMapMakesNoMistakeThatCheckedMemoryReports(Reclamation reclaim) throws Exception {
        KvResult result = run(
                workload(KvMap.TREE, ALL_WITH_SCANS, Distribution.ZIPFIAN),
                TestCluster.config(1, 2, 2).reclaim(reclaim).checkMemory(true).segmentSizeLog2(22));
        assertThat(result.isBalanced()).as(result.books()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"8, BARRIER", "8, EPOCHS", "9, BARRIER", "300, EPOCHS"})
    void valuesOfAnySizeBalanceHoweverMemoryIsReclaimed(int valueBytes, Reclamation reclaim) throws Exception {
        KvWorkload workload =
                with(valueBytes, RunLength.ofOperations(OPERATIONS), 0, 0, workload(ALL, Distribution.ZIPFIAN));
        KvResult result =
                run(workload, TestCluster.config(1, 2, 2).reclaim(reclaim).segmentSizeLog2(21));
        assertThat(result.isBalanced()).as(result.books()).isTrue();
        assertThat(result.toTable()).contains("records of 8 + " + valueBytes + " bytes");
    }

    @ParameterizedTest
    @EnumSource
    void theMapMakesNoMistakeThatCheckedMemoryReports(Reclamation reclaim) throws Exception {
        KvWorkload workload = with(20, RunLength.ofOperations(OPERATIONS), 0, 0, workload(ALL, Distribution.ZIPFIAN));
        KvResult result = run(
                workload,
                TestCluster.config(1, 2, 2).reclaim(reclaim).checkMemory(true).segmentSizeLog2(22));
        assertThat(result.isBalanced()).as(result.books()).isTrue();
    }

    @Test
    void everyYcsbWorkloadHasItsMix() throws Exception {
        for (YcsbWorkload ycsb : YcsbWorkload.values()) {
            KvMap map = ycsb == YcsbWorkload.E ? KvMap.TREE : KvMap.HASH;
            KvResult result = run(workload(map, ycsb.mix(), ycsb.distribution()));
            assertThat(result.isBalanced()).as(result.books()).isTrue();
            double reads = (double) (result.get(KvMetric.READ_T) + result.get(KvMetric.READ_F));
            assertThat(reads / result.get(KvMetric.OP_COUNT) * 100)
                    .as(ycsb.toString())
                    .isBetween(ycsb.mix().read() - 5.0, ycsb.mix().read() + 5.0);
        }
    }

    @Test
    void loadingPrintsHowLongItTookAndHowMuchMemory() throws Exception {
        KvWorkload workload = workload(ALL, Distribution.UNIFORM);
        KvResult result = run(with(300, workload.length(), 0, 0, workload));
        double block = 384; // for 16 + 8 + 300 bytes
        assertThat(result.load().bytesPerRecord(RECORDS)).isBetween(block, 1.5 * block);
        assertThat(result.toTable())
                .containsPattern("loading +[0-9.]+ s, [0-9.]+ bytes of remote memory for each record");
        assertThat(result.metrics().get("load_bytes")).isEqualTo(result.load().bytes());
        assertThat(result.metrics().get("load_duration")).isPositive();
    }

    @Test
    void aWarmUpCountsInTheBooksOnly() throws Exception {
        KvMix removesAndAddsAgain = new KvMix(30, 0, 0, 30);
        KvWorkload workload = with(
                Long.BYTES,
                RunLength.ofOperations(1),
                300_000_000,
                0,
                workload(removesAndAddsAgain, Distribution.UNIFORM));
        KvResult result = run(workload);
        assertThat(result.isBalanced()).as(result.books()).isTrue();
        assertThat(result.get(KvMetric.OP_COUNT)).isEqualTo(THREADS);
        assertThat(result.get(KvMetric.ADDED)).isGreaterThan(THREADS);
    }

    @Test
    void anOpenLoopBeginsItsOperationsAtTheirTimes() throws Exception {
        RunLength length = RunLength.ofNanos(100_000_000);
        KvResult result = run(with(Long.BYTES, length, 0, 1000, workload(ALL, Distribution.UNIFORM)));
        assertThat(result.isBalanced()).as(result.books()).isTrue();
        assertThat(result.get(KvMetric.OP_COUNT)).isBetween(1L, 100L);
        assertThat(result.toTable()).contains("1,000 op/s requested");
    }

    @Test
    void aTimedRunOfAnOrderedMapThatInsertsEndsWhenMemoryIsFull() throws Exception {
        RunLength length = RunLength.ofNanos(50_000_000_000L);
        KvMix inserts = new KvMix(0, 50, 0, 0);
        KvResult result = run(with(Long.BYTES, length, 0, 0, workload(KvMap.TREE, inserts, Distribution.UNIFORM)));
        assertThat(result.isBalanced()).as(result.books()).isTrue();
        assertThat(result.get(KvMetric.INSERT_T)).isGreaterThan(10_000);
        assertThat(result.toTable()).contains(": no room for more records; raise --seg-size");
    }

    @Test
    void aTimedRunThatInsertsEndsWhenMemoryIsFull() throws Exception {
        RunLength length = RunLength.ofNanos(50_000_000_000L);
        KvResult result = run(with(Long.BYTES, length, 0, 0, workload(new KvMix(0, 50, 0, 0), Distribution.LATEST)));
        assertThat(result.isBalanced()).as(result.books()).isTrue();
        assertThat(result.get(KvMetric.INSERT_T)).isGreaterThan(10_000);
        assertThat(result.toTable()).contains(": no room for more records; raise --seg-size");
    }

    @Test
    void nodesWithDifferentWorkloadsAreRefused() {
        KvWorkload one = workload(ALL, Distribution.UNIFORM);
        assertThat(one.fingerprint())
                .isNotEqualTo(workload(ALL, Distribution.LATEST).fingerprint());
        assertThat(one.fingerprint())
                .isNotEqualTo(workload(KvMap.TREE, ALL, Distribution.UNIFORM).fingerprint());
        assertThat(one.fingerprint()).isEqualTo(one.withSeed(8).fingerprint());
    }
}
