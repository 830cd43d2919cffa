package dev.remus.tools.kv;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.progress.Progress;
import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.node.TestCluster;
import dev.remus.tools.harness.RunLength;
import dev.remus.tools.kv.KeyChoice.Distribution;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class KvExperimentTest {
    private static final int RECORDS = 500;
    private static final long OPERATIONS = 1000;
    private static final int THREADS = 4;

    private static KvWorkload workload(KvMix mix, Distribution distribution) {
        return new KvWorkload(
                RunLength.ofOperations(OPERATIONS),
                0,
                RECORDS,
                Long.BYTES,
                mix,
                new KeyChoice(distribution, 0.99, 20, 80),
                0,
                7,
                true);
    }

    private static KvWorkload with(int valueBytes, RunLength length, long warmUpNanos, long rate, KvWorkload workload) {
        return new KvWorkload(
                length,
                warmUpNanos,
                workload.records(),
                valueBytes,
                workload.mix(),
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
        for (KvOperationKind kind : KvOperationKind.values()) {
            assertThat(result.get(kind.metric(true))).as(kind.toString()).isPositive();
            assertThat(result.latencies().summary(kind)).isPresent();
        }
        assertThat(result.books()).startsWith("500 loaded + ").endsWith("their values add up: balanced");
        assertThat(result.get(KvMetric.READ)).isPositive();
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
            KvResult result = run(workload(ycsb.mix(), ycsb.distribution()));
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
        assertThat(one.fingerprint()).isEqualTo(one.withSeed(8).fingerprint());
    }
}
