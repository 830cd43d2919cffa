// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.node.SegmentUse;
import dev.remus.node.TestCluster;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import dev.remus.options.UsageException;
import dev.remus.structures.RemoteQueue;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class QueueCapacityTest {
    private static final Map<String, String> TWO_NODES = Map.of(
            "--node-id", "0",
            "--first-mn-id", "0",
            "--last-mn-id", "0",
            "--first-cn-id", "1",
            "--last-cn-id", "2",
            "--mn-port", "18515");

    @ParameterizedTest
    @EnumSource
    void aQueueOfTheDefaultCapacityTakesAtMostHalfOfTheMemoryAndALittle(QueueKind queue) throws Exception {
        ClusterConfig config =
                TestCluster.config(1, 2, 16).reclaim(Reclamation.EPOCHS).build();
        int capacity = QueueOptions.fittingCapacity(queue, config);
        AtomicReference<List<SegmentUse>> uses = new AtomicReference<>();
        TestCluster.of(config).run(ct -> {
            if (ct.id() == 0) {
                ct.root().set(queue.create(capacity, ct));
            }
            ct.barrier();
            RemoteQueue<Long> own = queue.open(ct.root().get(), ct);
            if (!queue.hasOneConsumer() || ct.id() == 0) {
                own.tryEnqueue(1L, ct); // allocates what this thread needs
            }
            ct.barrier();
            if (ct.id() == 0) {
                uses.set(SegmentUse.of(ct));
            }
        });
        long used = uses.get().stream().mapToLong(SegmentUse::used).sum();
        long bytes = uses.get().stream().mapToLong(SegmentUse::bytes).sum();
        assertThat(used).isLessThan(bytes * 6 / 10);
        if (capacity < 1000) {
            assertThat(used).isGreaterThan(bytes * 3 / 10);
        }
    }

    @Test
    void theDefaultCapacityIs1000WhereItFits() {
        assertThat(capacity("--cn-threads", "8", "--queue", "buffered")).isEqualTo(1000);
        assertThat(capacity("--cn-threads", "8", "--queue", "bd")).isBetween(100, 999);
        assertThat(capacity("--cn-threads", "8", "--queue", "bd", "--seg-size", "24"))
                .isEqualTo(1000);
        assertThat(capacity("--cn-threads", "64", "--queue", "bd", "--seg-size", "12"))
                .isEqualTo(1);
    }

    @Test
    void aCapacityThatDoesNotFitIsRefusedBeforeTheRun() {
        assertThat(capacity("--cn-threads", "2", "--queue", "bd", "--capacity", "2000"))
                .isEqualTo(2000);
        assertThatThrownBy(() -> capacity("--cn-threads", "2", "--queue", "bd", "--capacity", "20000"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--capacity: got '20000', needs at most 5957 in the memory of this cluster");
    }

    private static int capacity(String... words) {
        return QueueOptions.workload(new OptionSet("test", "A test.")
                        .include(RemusOptions.groups())
                        .include(QueueOptions.group())
                        .parse(TWO_NODES, words))
                .capacity();
    }
}
