package dev.remus.tools.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.cli.progress.Progress;
import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.node.TestCluster;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import dev.remus.tools.harness.RunLength;
import dev.remus.tools.queue.QueueWorkload.Pattern;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code --verify} of the experiment with queues. */
@Timeout(120)
class VerifiedQueueTest {
    private static QueueRunResult verify(QueueWorkload workload) throws Exception {
        return verify(workload, TestCluster.config(1, 1, 4).build());
    }

    private static QueueRunResult verify(QueueWorkload workload, ClusterConfig config) throws Exception {
        QueueExperiment experiment = new QueueExperiment(workload, new Progress(), true);
        AtomicReference<QueueRunResult> result = new AtomicReference<>();
        TestCluster.of(config).run(ct -> experiment.run(ct).ifPresent(result::set));
        return result.get();
    }

    private static String promise(QueueKind kind) {
        return switch (kind) {
            case BUFFERED_RELAXED -> ": quiescently consistent";
            case SHARDED -> ": each shard linearizable";
            default -> ": linearizable";
        };
    }

    @ParameterizedTest
    @EnumSource
    void theQueuesKeepTheirPromises(QueueKind kind) throws Exception {
        QueueWorkload workload = new QueueWorkload(kind, Pattern.RANDOM, RunLength.ofOperations(500), 1_000, 7, true);
        QueueRunResult result = verify(workload);
        assertThat(result.toTable()).containsPattern("verified [0-9,]+ operations" + promise(kind));
        long withdrawn = result.verification().orElseThrow().withdrawn();
        assertThat(withdrawn).isEqualTo(result.get(QueueMetric.FULL) + result.get(QueueMetric.NOT_READY));
        assertThat(result.verification().orElseThrow().verdict().operations())
                .isEqualTo(4 * 500 - Math.toIntExact(withdrawn));
    }

    /** But for the published one, which WRITEs words that other threads swap. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ND_PUBLISHED")
    void theQueuesMakeNoMistakeThatCheckedMemoryReports(QueueKind kind) throws Exception {
        QueueWorkload workload = new QueueWorkload(kind, Pattern.RANDOM, RunLength.ofOperations(300), 1_000, 7, true);
        for (Reclamation reclaim : Reclamation.values()) {
            ClusterConfig config = TestCluster.config(1, 2, 2)
                    .reclaim(reclaim)
                    .checkMemory(true)
                    .build();
            assertThat(verify(workload, config).toTable()).contains(promise(kind));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BUFFERED", "ND"})
    void ofConsumersThatWaitOnlyTheFirstLookAtAnEmptyQueueIsRecorded(QueueKind kind) throws Exception {
        QueueWorkload workload =
                new QueueWorkload(kind, Pattern.PRODUCER_CONSUMER, RunLength.ofOperations(200), 8, 7, true);
        QueueRunResult result = verify(workload);
        assertThat(result.toTable()).containsPattern("verified [0-9,]+ operations" + promise(kind));
        long dequeued = result.get(QueueMetric.DEQUEUED);
        assertThat(result.verification().orElseThrow().verdict().operations())
                .isBetween((int) (2 * dequeued), (int) (3 * dequeued + 2));
    }

    @Test
    void moreOperationsThanFitIntoMemoryAreRejected() {
        assertThat(verifies("--verify", "--num-ops", "500000")).isTrue();
        assertThat(verifies("--num-ops", "500001")).isFalse();
        assertThatThrownBy(() -> verifies("--verify", "--num-ops", "500001"))
                .hasMessageContaining("all threads together may record 2,000,000 operations, and might make 2,000,004");
    }

    private static boolean verifies(String... words) {
        Arguments arguments = new OptionSet("test", "A test.")
                .include(RemusOptions.groups())
                .include(QueueOptions.group())
                .parse(
                        Map.of(
                                "--node-id", "0",
                                "--first-mn-id", "0",
                                "--last-mn-id", "0",
                                "--first-cn-id", "1",
                                "--last-cn-id", "2",
                                "--mn-port", "18515",
                                "--cn-threads", "2"),
                        words);
        return QueueOptions.verifies(arguments, QueueOptions.workload(arguments));
    }
}
