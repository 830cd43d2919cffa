// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentLayout;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Under {@code --on-node-loss continue}, the barrier of all threads counts those that can still arrive. */
@Tag("oldest-jdk")
@Timeout(120)
class LivingBarrierTest {
    private static ClusterConfig config(int memoryNodes, int computeNodes, int threads) {
        return TestCluster.config(memoryNodes, computeNodes, threads)
                .onNodeLoss(OnNodeLoss.CONTINUE)
                .build();
    }

    private static int[] participants(ComputeThread ct) {
        return IntStream.range(0, ct.threads()).filter(ct.peers()::tookPart).toArray();
    }

    @ParameterizedTest
    @EnumSource
    void afterEachRoundTheWritesOfAllThreadsAreVisibleToAllWhichTookPart(FabricKind kind) throws Exception {
        int rounds = kind == FabricKind.DIRECT ? 300 : 40;
        kind.run(config(2, 4, 2), ct -> {
            int n = ct.threads();
            assertThat(participants(ct)).as("before the first barrier").hasSize(n);
            if (ct.id() == ct.peers().leader()) {
                ct.root().set(new RdmaPtr<>(ct.allocate(8L * n)));
            }
            ct.barrier();
            long words = ct.root().get().raw();
            for (long round = 1; round <= rounds; round++) {
                ct.post(words + 8L * ct.id(), round);
                ct.barrier();
                for (int i = 0; i < n; i++) {
                    assertThat(ct.read(words + 8L * i)).isEqualTo(round);
                }
                assertThat(participants(ct)).hasSize(n);
                ct.barrier(n);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void theOthersMeetWithoutALostNodeAndAgreeOnTheLowestThreadThatIsLeft(FabricKind kind) throws Exception {
        try (TestCluster cluster = kind.cluster(config(1, 3, 1)).start()) {
            assertThatThrownBy(() -> cluster.runThreads(ct -> {
                        ct.barrier();
                        assertThat(ct.peers().leader()).isZero();
                        if (ct.id() == 0) {
                            throw new IllegalStateException("no more milk");
                        }
                        for (int round = 0; round < 3; round++) {
                            ct.barrier();
                            assertThat(participants(ct)).containsExactly(1, 2);
                            assertThat(ct.peers().leader()).isEqualTo(1);
                        }
                    }))
                    .hasMessage("no more milk")
                    .satisfies(e -> assertThat(e.getSuppressed()).isEmpty());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aThreadDoesNotWaitForThoseThatAreClosedOrWereNeverOpened(FabricKind kind) throws Exception {
        try (TestCluster cluster = kind.cluster(config(1, 2, 2)).start()) {
            try (ComputeThread ct = cluster.computeNode(1).openThread(0)) {
                cluster.computeNode(2).close();
                Thread other = new Thread(() -> {
                    try (ComputeThread early = cluster.computeNode(1).openThread(1)) {
                        early.barrier();
                    }
                });
                other.start();
                ct.barrier();
                assertThat(participants(ct))
                        .as("with one that has closed since")
                        .containsExactly(0, 1);
                other.join();
                ct.barrier();
                assertThat(participants(ct)).containsExactly(0);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aThreadThatIsOpenedAgainTakesPartInTheBarriersThatBeginLater(FabricKind kind) throws Exception {
        try (TestCluster cluster = kind.cluster(config(1, 1, 2)).start()) {
            ComputeNode node = cluster.computeNode(1);
            try (ComputeThread ct = node.openThread(0)) {
                meetIn(node, ct, other -> other.barrier(), () -> {
                    ct.barrier();
                    assertThat(participants(ct)).containsExactly(0, 1);
                });
                ct.barrier();
                assertThat(participants(ct)).containsExactly(0);
                meetIn(
                        node,
                        ct,
                        other -> {
                            assertThat(participants(other)).containsExactly(0);
                            other.barrier();
                            assertThat(participants(other))
                                    .as("the one that was under way")
                                    .containsExactly(0);
                            other.barrier();
                            assertThat(participants(other)).containsExactly(0, 1);
                        },
                        () -> {
                            while (ct.root().get().isNull()) {
                                ct.pause(); // until the other thread is open
                            }
                            ct.barrier();
                            assertThat(participants(ct)).containsExactly(0);
                            ct.barrier();
                            assertThat(participants(ct)).containsExactly(0, 1);
                        });
            }
        }
    }

    /** Opens Compute Thread 1 in a thread of its own, which sets the root and works, while this one works too. */
    private static void meetIn(ComputeNode node, ComputeThread ct, Consumer<ComputeThread> there, Runnable here)
            throws Exception {
        ct.root().set(RdmaPtr.nullPointer());
        CompletableFuture<Void> done = CompletableFuture.runAsync(() -> {
            try (ComputeThread other = node.openThread(1)) {
                other.root().set(RdmaPtr.of(0, 0, 64));
                there.accept(other);
            }
        });
        here.run();
        done.get(60, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @EnumSource
    void onlyTheLossOfTheFirstMemoryNodeEndsTheBarrier(FabricKind kind) throws Exception {
        try (TestCluster cluster = kind.cluster(config(2, 1, 1)).start()) {
            cluster.runThreads(ct -> {
                cluster.memoryNode(1).close();
                while (!ct.peers().isAnyNodeLost()) {
                    ct.pause();
                }
                ct.barrier();
                cluster.memoryNode(0).close();
                assertThatThrownBy(() -> {
                            while (true) {
                                ct.barrier();
                            }
                        })
                        .isInstanceOfSatisfying(
                                NodeLostException.class,
                                e -> assertThat(e.node()).isZero());
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void someOfTheThreadsMeetAtTheCountingBarrierWhichALossBreaks(FabricKind kind) throws Exception {
        try (TestCluster cluster = kind.cluster(config(1, 3, 1)).start()) {
            assertThatThrownBy(() -> cluster.runThreads(ct -> {
                        if (ct.id() < 2) {
                            ct.barrier(2);
                        }
                        ct.barrier();
                        if (ct.id() == 2) {
                            throw new IllegalStateException("no more milk");
                        }
                        ct.barrier();
                        assertThatThrownBy(() -> {
                                    while (true) {
                                        ct.barrier(2);
                                    }
                                })
                                .isInstanceOf(FabricException.class);
                    }))
                    .hasMessage("no more milk");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aThreadThatIsInterruptedWhileItWaitsWaitsForTheSameBarrierWhenItComesBack(FabricKind kind) throws Exception {
        ClusterConfig config = config(1, 1, 2);
        kind.run(config, ct -> {
            if (ct.id() == 0) {
                Thread.currentThread().interrupt();
                assertThatThrownBy(ct::barrier)
                        .isInstanceOf(FabricException.class)
                        .hasMessageContaining("interrupted");
                assertThat(Thread.interrupted()).isTrue();
                ct.root().set(RdmaPtr.of(0, 0, 64));
            } else {
                while (ct.root().get().isNull()) {
                    ct.pause();
                }
            }
            ct.barrier();
            ct.barrier();
            assertThat(ct.parts.checked.readHeader(new SegmentLayout(config).barrier()))
                    .isEqualTo(2);
        });
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT")
    void aThreadThatIsTheLastToArriveMakesFourRoundTrips(FabricKind kind) throws Exception {
        kind.run(config(1, 1, 1), ct -> {
            long before = ct.metrics().roundTrips();
            ct.barrier();
            assertThat(ct.metrics().roundTrips() - before).isEqualTo(4);
        });
    }
}
