// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.NodeLostException;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class NodeLossTest {
    private static final class Mine extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private static void assertLost(Throwable thrown, int node) {
        assertThat(thrown)
                .isInstanceOfSatisfying(
                        NodeLostException.class, e -> assertThat(e.node()).isEqualTo(node))
                .message()
                .containsIgnoringCase("Node " + node);
    }

    @ParameterizedTest
    @EnumSource
    void underAbortABodyThatThrowsEndsTheRunOfAllOthersWhichNameIt(FabricKind kind) throws Exception {
        ClusterConfig config = TestCluster.config(2, 3, 2).build();
        Map<Integer, Throwable> thrown = new ConcurrentHashMap<>();
        try (TestCluster cluster = kind.cluster(config).start()) {
            assertThatThrownBy(() -> cluster.runThreads(ct -> {
                        if (ct.id() == 2) {
                            ct.barrier();
                            throw new Mine();
                        }
                        Throwable e = catchThrowable(() -> {
                            ct.barrier();
                            if (ct.id() % 2 == 0) {
                                ct.barrier();
                            } else {
                                readForever(ct);
                            }
                        });
                        thrown.put(ct.id(), e);
                        if (e instanceof NodeLostException lost) {
                            throw lost; // so that this node gives up too, which must not hide the reason
                        }
                    }))
                    .isInstanceOf(Mine.class);
            assertThat(thrown).hasSize(5);
            thrown.forEach((id, e) -> assertLost(e, 3));

            for (int node = 2; node <= 4; node++) {
                cluster.computeNode(node).close();
            }
            for (int node = 0; node < 2; node++) {
                assertLost(catchThrowable(cluster.memoryNode(node)::awaitFinished), 3);
            }
        }
    }

    private static void readForever(ComputeThread ct) {
        while (true) {
            ct.read(RdmaPtr.raw(0, 0, 64));
        }
    }

    @ParameterizedTest
    @EnumSource
    void underContinueOnlyWaitsForTheLostNodeEndAndBarriersDoWithoutIt(FabricKind kind) throws Exception {
        ClusterConfig config =
                TestCluster.config(1, 3, 1).onNodeLoss(OnNodeLoss.CONTINUE).build();
        try (TestCluster cluster = kind.cluster(config).start()) {
            assertThatThrownBy(() -> cluster.runThreads(ct -> {
                        ct.barrier();
                        if (ct.id() == 2) {
                            throw new Mine();
                        }
                        assertLost(catchThrowable(() -> pauseForever(ct, 2)), 3);
                        ct.barrier();
                        ct.barrier();
                        long block = ct.allocate(64);
                        ct.write(block, 5);
                        ct.pause();
                        ct.pauseFor(1 - ct.id());
                        assertThat(ct.fetchAndAdd(block, 1)).isEqualTo(5);
                        ct.free(block, 64);
                    }))
                    .isInstanceOf(Mine.class)
                    .satisfies(e -> assertThat(e.getSuppressed()).isEmpty());
            for (int node = 1; node <= 3; node++) {
                cluster.computeNode(node).close();
            }
            assertThatThrownBy(cluster.memoryNode(0)::awaitFinished)
                    .as("a node that fails by itself is not tolerated")
                    .hasMessage("Compute Node 3 failed: Compute Thread 0: " + Mine.class.getName());
        }
    }

    @ParameterizedTest
    @EnumSource
    void underContinueEveryNodeThatGivesUpIsNoticedNotOnlyTheFirst(FabricKind kind) throws Exception {
        ClusterConfig config =
                TestCluster.config(1, 3, 1).onNodeLoss(OnNodeLoss.CONTINUE).build();
        try (TestCluster cluster = kind.cluster(config).start()) {
            cluster.computeNode(1).abort("a first test");
            cluster.computeNode(1).close();
            cluster.computeNode(2).abort("a second test");
            cluster.computeNode(2).close();
            ComputeThread ct = cluster.computeNode(3).openThread(0);
            assertLost(catchThrowable(() -> pauseForever(ct, 0)), 1);
            assertLost(catchThrowable(() -> pauseForever(ct, 1)), 2);
            ct.close();
        }
    }

    private static void pauseForever(ComputeThread ct, int thread) {
        while (true) {
            ct.pauseFor(thread);
        }
    }

    @ParameterizedTest
    @EnumSource
    void underAbortAMemoryNodeThatIsClosedBeforeItsComputeNodesIsNamed(FabricKind kind) throws Exception {
        ClusterConfig config = TestCluster.config(2, 2, 1).build();
        try (TestCluster cluster = kind.cluster(config).start()) {
            assertThatThrownBy(() -> cluster.runThreads(ct -> {
                        ct.barrier();
                        if (ct.id() == 0) {
                            cluster.memoryNode(1).close();
                            ct.barrier();
                        } else {
                            while (true) {
                                ct.read(RdmaPtr.raw(1, 0, 64));
                            }
                        }
                    }))
                    .satisfies(e -> assertLost(e, 1));
            cluster.computeNode(2).close();
            cluster.computeNode(3).close();
            assertLost(catchThrowable(cluster.memoryNode(0)::awaitFinished), 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void underContinueTheOtherMemoryNodesStayUsable(FabricKind kind) throws Exception {
        ClusterConfig config =
                TestCluster.config(2, 2, 1).onNodeLoss(OnNodeLoss.CONTINUE).build();
        try (TestCluster cluster = kind.cluster(config).start()) {
            cluster.runThreads(ct -> {
                // The second thread may still be in the barrier when the first one closes the Memory Node.
                Throwable loss = catchThrowable(() -> {
                    ct.barrier();
                    if (ct.id() == 0) {
                        cluster.memoryNode(0).close();
                    }
                    readForever(ct);
                });
                assertLost(loss, 0);
                long word = RdmaPtr.raw(1, 0, 64 + 64L * ct.id());
                ct.write(word, 7);
                assertThat(ct.read(word)).isEqualTo(7);
            });
            cluster.computeNode(2).close();
            cluster.computeNode(3).close();
            cluster.memoryNode(1).awaitFinished();
        }
    }

    @ParameterizedTest
    @EnumSource
    void underContinueALossIsNoticedEvenAfterTheFirstMemoryNodeIsGoneAndEndsTheLostNodeIfItStillRuns(FabricKind kind)
            throws Exception {
        ClusterConfig config =
                TestCluster.config(2, 2, 1).onNodeLoss(OnNodeLoss.CONTINUE).build();
        CountDownLatch noticed = new CountDownLatch(1);
        try (TestCluster cluster = kind.cluster(config).start()) {
            assertThatThrownBy(() -> cluster.runThreads(ct -> {
                        ct.barrier();
                        if (ct.id() == 0) {
                            cluster.memoryNode(0).close();
                            assertLost(catchThrowable(() -> readForever(ct)), 0);
                            noticed.await();
                            long word = new SegmentLayout(config).membership(1, 3);
                            ct.parts.checked.compareAndSwapHeader(word, 1, 3); // as Memory Node 1 writes it
                            assertLost(catchThrowable(() -> pauseForever(ct, 1)), 3);
                        } else {
                            assertLost(catchThrowable(() -> readForever(ct)), 0);
                            noticed.countDown();
                            while (true) {
                                ct.write(RdmaPtr.raw(1, 0, 64), 7);
                            }
                        }
                    }))
                    .satisfies(e -> assertLost(e, 3))
                    .hasMessageContaining("this node, was declared lost by Memory Node 1");
        }
    }
}
