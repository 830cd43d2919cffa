// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.progress.Progress;
import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.node.TestCluster;
import dev.remus.tools.harness.RunLength;
import dev.remus.tools.queue.QueueWorkload.Pattern;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("oldest-jdk")
@Timeout(60)
class QueueRunTimeTest {
    private static final long NANOS = 50_000_000;

    /** In the pattern of producers and consumers, most threads wait for others when the time is over. */
    @ParameterizedTest
    @CsvSource({
        "BUFFERED, RANDOM",
        "BUFFERED, PRODUCER_CONSUMER",
        "ND, RANDOM",
        "ND, PRODUCER_CONSUMER",
        "BD, PRODUCER_CONSUMER"
    })
    void aTimedRunCountsItsOperationsAndBalances(QueueKind kind, Pattern pattern) throws Exception {
        QueueRunResult result = run(new QueueWorkload(kind, pattern, RunLength.ofNanos(NANOS), 20, 7, true));
        assertThat(result.isBalanced()).as(result.books()).isTrue();
        assertThat(result.get(QueueMetric.OP_COUNT)).isPositive();
        assertThat(result.get(QueueMetric.OP_COUNT) / result.throughput()).isGreaterThanOrEqualTo(NANOS / 1e9);
    }

    @ParameterizedTest
    @CsvSource({"BUFFERED, PRODUCER_CONSUMER", "ND, RANDOM"})
    void aRunWithATimeAndANumberOfOperationsEndsAtWhicheverComesFirst(QueueKind kind, Pattern pattern)
            throws Exception {
        RunLength length = new RunLength(30, 3_600_000_000_000L);
        QueueRunResult result = run(new QueueWorkload(kind, pattern, length, 20, 7, true));
        assertThat(result.isBalanced()).as(result.books()).isTrue();
        assertThat(result.get(QueueMetric.OP_COUNT)).isEqualTo(kind == QueueKind.ND ? 4 * 30 : 2 * 3 * 30);
    }

    @ParameterizedTest
    @EnumSource
    void noBarrierIsBetweenTheFirstAndTheLastOperation(QueueKind kind) throws Exception {
        assertThat(barriers(kind, 300)).isEqualTo(barriers(kind, 1));
    }

    /** How often the first thread passes a barrier in a run. */
    private static long barriers(QueueKind kind, long operations) throws Exception {
        QueueExperiment experiment = new QueueExperiment(
                new QueueWorkload(kind, Pattern.RANDOM, RunLength.ofOperations(operations), 20, 7, true),
                new Progress());
        AtomicLong barriers = new AtomicLong();
        ClusterConfig config =
                TestCluster.config(1, 1, 2).reclaim(Reclamation.EPOCHS).build();
        TestCluster.of(config).run(ct -> {
            experiment.run(ct);
            if (ct.id() == 0) {
                barriers.set(ct.metrics().barriers());
            }
        });
        return barriers.get();
    }

    private static QueueRunResult run(QueueWorkload workload) throws Exception {
        ClusterConfig config = TestCluster.config(1, 1, 4).build();
        QueueExperiment experiment = new QueueExperiment(workload, new Progress());
        AtomicReference<QueueRunResult> result = new AtomicReference<>();
        TestCluster.of(config).run(ct -> experiment.run(ct).ifPresent(result::set));
        return result.get();
    }
}
