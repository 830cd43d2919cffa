// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.NodeLostException;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentLayout;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How the remaining nodes learn of a loss, and how Memory Nodes end. */
@Timeout(120)
class EndsTest {
    private static ClusterConfig.Builder config(int computeNodes, OnNodeLoss onLoss) {
        return TestCluster.config(1, computeNodes, 1).onNodeLoss(onLoss);
    }

    private static NodeLostException lost(Throwable thrown, int node, LossKind kind) {
        assertThat(thrown).isInstanceOf(NodeLostException.class);
        NodeLostException e = (NodeLostException) thrown;
        assertThat(e.node()).isEqualTo(node);
        assertThat(e.kind()).isEqualTo(kind);
        return e;
    }

    private static void pauseForever(ComputeThread ct, int thread) {
        while (true) {
            ct.pauseFor(thread);
        }
    }

    @ParameterizedTest
    @EnumSource
    void underContinueAMemoryNodeWhoseComputeNodesNeverJoinFailsAndNamesThem(FabricKind kind) {
        ClusterConfig config = config(2, OnNodeLoss.CONTINUE)
                .connectTimeout(Duration.ofSeconds(1))
                .build();
        try (TestCluster cluster = kind.cluster(config)) {
            MemoryNode memory = cluster.startMemoryNode(0);
            assertThatThrownBy(memory::awaitFinished)
                    .satisfies(e -> lost(e, 1, LossKind.NEVER_JOINED))
                    .hasMessage(
                            "Compute Nodes 1, 2 never joined: they were not there within 1 s: connectTimeout (--connect-timeout)");
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachComputeNodeThatNeverJoinedIsAmongTheLosses(FabricKind kind) {
        ClusterConfig config = config(3, OnNodeLoss.CONTINUE)
                .connectTimeout(Duration.ofSeconds(1))
                .build();
        try (TestCluster cluster = kind.cluster(config)) {
            MemoryNode memory = cluster.startMemoryNode(0);
            assertThatThrownBy(memory::awaitFinished).satisfies(e -> lost(e, 1, LossKind.NEVER_JOINED));
            assertThat(memory.losses()).extracting(NodeLostException::node).containsExactly(1, 2, 3);
            assertThat(memory.losses()).extracting(NodeLostException::kind).containsOnly(LossKind.NEVER_JOINED);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aComputeNodeThatNeverJoinedIsReportedAsSuchAndRefusedWhenItJoinsTooLate(FabricKind kind) throws Exception {
        ClusterConfig config = config(2, OnNodeLoss.CONTINUE)
                .connectTimeout(Duration.ofSeconds(1))
                .build();
        try (TestCluster cluster = kind.cluster(config)) {
            cluster.startMemoryNode(0);
            cluster.connect(1);
            cluster.runThreads(ct -> {
                Throwable thrown = catchThrowable(() -> pauseForever(ct, 1));
                assertThat(lost(thrown, 2, LossKind.NEVER_JOINED))
                        .hasMessage(
                                "Compute Node 2 never joined: it was not there within connectTimeout (--connect-timeout)");
            });
            assertThatThrownBy(() -> cluster.connect(2))
                    .hasMessageStartingWith("Compute Node 2 joined too late: ")
                    .hasMessageContaining("had given it up");
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyNodeLearnsTheReasonOfAFailure(FabricKind kind) throws Exception {
        ClusterConfig config = config(3, OnNodeLoss.ABORT).build();
        String message = "Compute Node 3 failed: Compute Thread 0: java.lang.IllegalStateException: no more milk";
        try (TestCluster cluster = kind.cluster(config).start()) {
            Throwable thrown = catchThrowable(() -> cluster.runThreads(ct -> {
                if (ct.id() == 2) {
                    throw new IllegalStateException("no more milk");
                }
                Throwable e = catchThrowable(ct::barrier);
                assertThat(lost(e, 3, LossKind.FAILED)).hasMessage(message);
            }));
            assertThat(thrown).hasMessage("no more milk");
            assertThat(thrown.getSuppressed()).isEmpty();
            for (int node = 1; node <= 3; node++) {
                cluster.computeNode(node).close();
            }
            assertThatThrownBy(cluster.memoryNode(0)::awaitFinished).hasMessage(message);
        }
    }

    @ParameterizedTest
    @EnumSource
    void underContinueTheReasonOfEveryFailureIsReportedNotOnlyOfTheFirst(FabricKind kind) throws Exception {
        ClusterConfig config = config(3, OnNodeLoss.CONTINUE).build();
        try (TestCluster cluster = kind.cluster(config).start()) {
            cluster.computeNode(1).abort("the first reason");
            cluster.computeNode(1).close();
            cluster.computeNode(2).abort("the second reason");
            cluster.computeNode(2).close();
            try (ComputeThread ct = cluster.computeNode(3).openThread(0)) {
                assertThat(catchThrowable(() -> pauseForever(ct, 0)))
                        .hasMessage("Compute Node 1 failed: the first reason");
                assertThat(catchThrowable(() -> pauseForever(ct, 1)))
                        .hasMessage("Compute Node 2 failed: the second reason");
            }
            cluster.computeNode(3).close();
            MemoryNode memory = cluster.memoryNode(0);
            assertThatThrownBy(memory::awaitFinished).hasMessage("Compute Node 1 failed: the first reason");
            assertThat(memory.losses())
                    .extracting(Throwable::getMessage)
                    .containsExactly(
                            "Compute Node 1 failed: the first reason", "Compute Node 2 failed: the second reason");
        }
    }

    @ParameterizedTest
    @EnumSource
    void underContinueTheLossOfAMemoryNodeIsToleratedAndReported(FabricKind kind) throws Exception {
        ClusterConfig config =
                TestCluster.config(2, 1, 1).onNodeLoss(OnNodeLoss.CONTINUE).build();
        try (TestCluster cluster = kind.cluster(config).start()) {
            cluster.runThreads(ct -> {
                cluster.memoryNode(1).close();
                Throwable thrown = null;
                while (thrown == null || thrown.getMessage().contains("outcome is unknown")) {
                    thrown = catchThrowable(() -> ct.read(RdmaPtr.raw(1, 0, 64))); // until the node has noticed
                }
                assertThat(lost(thrown, 1, LossKind.ENDED)).hasMessage("Memory Node 1 is lost: its process has ended");
            });
            cluster.computeNode(2).close();
            MemoryNode memory = cluster.memoryNode(0);
            memory.awaitFinished();
            assertThat(memory.losses())
                    .extracting(Throwable::getMessage)
                    .containsExactly("Memory Node 1 is lost: its process has ended");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aMembershipWordEncodesHowANodeWasLost(FabricKind kind) throws Exception {
        ClusterConfig config =
                TestCluster.config(1, 2, 1).onNodeLoss(OnNodeLoss.CONTINUE).build();
        try (TestCluster cluster = kind.cluster(config).start()) {
            long word = new SegmentLayout(config).membership(0, 2);
            try (ComputeThread ct = cluster.computeNode(1).openThread(0)) {
                ct.parts.checked.compareAndSwapHeader(
                        word, 1, 3 | (long) LossKind.UNREACHABLE.ordinal() << 2); // as a Memory Node writes it
                NodeLostException e = catchThrowableOfType(NodeLostException.class, () -> pauseForever(ct, 1));
                assertThat(lost(e, 2, LossKind.UNREACHABLE))
                        .hasMessage(
                                "Compute Node 2 is lost: it was unreachable for 10 s, so its machine or the network has failed: lossTimeout (--loss-timeout)");
            }
        }
    }
}
