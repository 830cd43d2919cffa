// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.NodeLostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class ShutdownTest {
    private static CompletableFuture<Void> awaitFinished(MemoryNode node) {
        return CompletableFuture.runAsync(node::awaitFinished, task -> new Thread(task, "await " + node).start());
    }

    @ParameterizedTest
    @EnumSource
    void aMemoryNodeWaitsForAllThreadsAndForAllNodesToDisconnect(FabricKind kind) throws Exception {
        try (TestCluster cluster =
                kind.cluster(TestCluster.config(1, 2, 1).build()).start()) {
            CompletableFuture<Void> finished = awaitFinished(cluster.memoryNode(0));
            cluster.runThreads(ct -> ct.allocate(64));
            cluster.computeNode(1).close();
            assertThatThrownBy(() -> finished.get(250, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            cluster.computeNode(2).close();
            finished.get(60, TimeUnit.SECONDS);
            assertThat(cluster.memoryNode(0).allocated(0)
                            + cluster.memoryNode(0).allocated(1))
                    .isEqualTo(64 + 64 + 2 * 64);
        }
    }

    @ParameterizedTest
    @EnumSource
    void threadsThatWereNeverOpenedCountAsFinished(FabricKind kind) throws Exception {
        try (TestCluster cluster =
                kind.cluster(TestCluster.config(2, 2, 3).build()).start()) {
            CompletableFuture<Void> finished = awaitFinished(cluster.memoryNode(1));
            cluster.computeNode(2).close();
            try (ComputeThread ct = cluster.computeNode(3).openThread(1)) {
                ct.allocate(64);
            }
            cluster.computeNode(3).close();
            finished.get(60, TimeUnit.SECONDS);
            cluster.memoryNode(0).awaitFinished();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aNodeThatIsClosedWithAnOpenThreadCountsAsLost(FabricKind kind) throws Exception {
        try (TestCluster cluster =
                kind.cluster(TestCluster.config(1, 1, 2).build()).start()) {
            CompletableFuture<Void> finished = awaitFinished(cluster.memoryNode(0));
            cluster.computeNode(1).openThread(0);
            cluster.computeNode(1).close();
            assertThatThrownBy(() -> finished.get(60, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            NodeLostException.class, e -> assertThat(e.node()).isEqualTo(1));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aComputeNodeThatNeverJoinsIsReportedAfterTheConnectTimeout(FabricKind kind) throws Exception {
        ClusterConfig config = TestCluster.config(1, 2, 1)
                .connectTimeout(Duration.ofSeconds(1))
                .build();
        try (TestCluster cluster = kind.cluster(config)) {
            cluster.startMemoryNode(0);
            cluster.connect(1);
            CompletableFuture<Void> finished = awaitFinished(cluster.memoryNode(0));
            assertThatThrownBy(() -> cluster.runThreads(ComputeThread::barrier))
                    .isInstanceOfSatisfying(
                            NodeLostException.class, e -> assertThat(e.node()).isEqualTo(2));
            cluster.computeNode(1).close();
            assertThatThrownBy(() -> finished.get(60, TimeUnit.SECONDS))
                    .cause()
                    .hasMessage(
                            "Compute Node 2 never joined: it was not there within 1 s: connectTimeout (--connect-timeout)");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWaitForAMemoryNodeThatIsClosedMeanwhileThrows(FabricKind kind) {
        for (OnNodeLoss onLoss : OnNodeLoss.values()) {
            try (TestCluster cluster =
                    kind.cluster(TestCluster.config(1, 1, 1).onNodeLoss(onLoss).build())) {
                MemoryNode node = cluster.startMemoryNode(0);
                CompletableFuture<Void> finished = awaitFinished(node);
                node.close();
                node.close();
                assertThatThrownBy(() -> finished.get(60, TimeUnit.SECONDS))
                        .cause()
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("closed");
            }
        }
    }
}
