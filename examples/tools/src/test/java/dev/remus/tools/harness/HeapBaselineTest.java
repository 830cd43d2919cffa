// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.progress.Progress;
import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeNode;
import dev.remus.node.MemoryNode;
import dev.remus.structures.LongLazyListSet;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class HeapBaselineTest {
    private static final IntSetFactory LIST = IntSetFactory.of("list", LongLazyListSet::create, LongLazyListSet::new);
    private static final IntSetWorkload WORKLOAD = IntSetWorkload.defaults()
            .withOperations(3000)
            .withRatios(20, 30)
            .withKeys(-50, 49)
            .withSeed(42);

    private static IntSetResult run(int threads, IntSetWorkload workload) throws Exception {
        ClusterConfig config =
                OneJvm.cluster().computeNodes(1, 1).threadsPerNode(threads).build();
        AtomicReference<IntSetResult> result = new AtomicReference<>();
        try (MemoryNode memory = MemoryNode.start(config, 0)) {
            try (ComputeNode node = ComputeNode.connect(config, 1)) {
                node.runThreads(ct -> {
                    var run = new IntSetExperiment(LIST, workload).run(ct);
                    if (run.isPresent()) {
                        BaselineResult heap = new HeapBaseline(run.get(), new Progress()).run(ct);
                        result.set(run.get().withBaseline(heap));
                    }
                });
            }
            memory.awaitFinished();
        }
        return result.get();
    }

    @Test
    void oneThreadRepeatsExactlyTheOperationsOfTheComputeThread() throws Exception {
        IntSetResult result = run(1, WORKLOAD);
        BaselineResult heap = result.baseline().orElseThrow();
        for (Metric metric : new Metric[] {
            Metric.GET_T, Metric.GET_F, Metric.INS_T, Metric.INS_F, Metric.RMV_T, Metric.RMV_F, Metric.OP_COUNT
        }) {
            assertThat(heap.get(metric)).as(metric.key()).isEqualTo(result.get(metric));
        }
    }

    @Test
    void asManyThreadsAsTheClusterHasRepeatTheWorkloadAndTheTableShowsBoth() throws Exception {
        IntSetResult result = run(4, WORKLOAD);
        BaselineResult heap = result.baseline().orElseThrow();
        assertThat(heap.get(Metric.OP_COUNT)).isEqualTo(4 * 3000);
        assertThat(heap.throughput()).isPositive();
        assertThat(new ResultTable(result).toString())
                .contains(String.format(
                        Locale.ROOT,
                        "  on the heap  %,.0f op/s, %.2f times as many",
                        heap.throughput(),
                        heap.throughput() / result.throughput()))
                .containsPattern("get latency    p50 .*, p99 .*, p99.9 .*, max .*\n  on the heap  p50 ");
        assertThat(new MetricsFiles(result).metrics()).containsKeys("heap_duration", "heap_remove_p999_ns");
    }

    @Test
    void withoutLatenciesNoneAreShown() throws Exception {
        assertThat(new ResultTable(run(2, WORKLOAD.withLatency(false))).toString())
                .contains("  on the heap  ")
                .doesNotContain("latency");
    }
}
