// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.cli.progress.Progress;
import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import dev.remus.structures.Dequeued;
import dev.remus.structures.RemoteQueue;
import dev.remus.tools.harness.RunLength;
import dev.remus.tools.queue.QueueWorkload.Pattern;
import dev.remus.tools.verify.Verification;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code --verify} of the experiment with queues. */
@Timeout(120)
@Tag("any-jdk")
class VerifiedQueueTest {
    /** Of about 250 dequeues of a thread, so many: not those of the audit, which empties the queue at the end. */
    private static final int HASTY_DEQUEUES = 150;

    @TempDir
    private Path folder;

    private static QueueRunResult verify(QueueWorkload workload) throws Exception {
        return verify(workload, TestCluster.config(1, 1, 4).build());
    }

    private static QueueRunResult verify(QueueWorkload workload, ClusterConfig config) throws Exception {
        return verify(workload, config, UnaryOperator.identity());
    }

    private static QueueRunResult verify(
            QueueWorkload workload, ClusterConfig config, UnaryOperator<RemoteQueue<Long>> usage) throws Exception {
        QueueExperiment experiment = new QueueExperiment(workload, new Progress(), true, usage);
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

    /** A queue as a thread uses it that at first finds it empty each third time, without a look. */
    private static RemoteQueue<Long> hasty(RemoteQueue<Long> queue) {
        return new RemoteQueue<>() {
            private int dequeues;

            @Override
            public boolean tryEnqueue(Long item, ComputeThread ct) {
                return queue.tryEnqueue(item, ct);
            }

            @Override
            public Dequeued<Long> tryDequeue(ComputeThread ct) {
                return ++dequeues <= HASTY_DEQUEUES && dequeues % 3 == 0 ? Dequeued.empty() : queue.tryDequeue(ct);
            }

            @Override
            public void destroy(ComputeThread ct) {
                queue.destroy(ct);
            }
        };
    }

    @ParameterizedTest
    @EnumSource(names = {"ND", "SCALABLE", "BC"})
    void aQueueThatIsFoundEmptyWithoutALookBalancesItsBooksAndIsFound(QueueKind kind) throws Exception {
        QueueWorkload workload = new QueueWorkload(kind, Pattern.RANDOM, RunLength.ofOperations(500), 1_000, 7, true);
        QueueRunResult result = verify(workload, TestCluster.config(1, 1, 4).build(), VerifiedQueueTest::hasty);
        assertThat(result.isBalanced()).as(result.toTable()).isTrue();
        Verification verification = result.verification().orElseThrow();
        assertThat(verification.line()).endsWith(" operations: NOT LINEARIZABLE");
        assertThat(verification.write(folder).orElseThrow())
                .hasFileName("history.txt")
                .content(UTF_8)
                .contains("thread ", "dequeue(", "\u25c4", "not linearizable");
        assertThat(folder.resolve("history.csv"))
                .content(UTF_8)
                .startsWith("thread,operation,result,called_ns,returned_ns\n");
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
