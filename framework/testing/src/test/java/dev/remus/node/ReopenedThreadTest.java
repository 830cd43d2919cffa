// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.config.Reclamation;
import dev.remus.fabric.FabricException;
import dev.remus.lock.RemoteLock;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compute Threads that are closed, and opened again by the threads of a pool. */
@Tag("oldest-jdk")
@Timeout(120)
class ReopenedThreadTest {
    /** After so many openings, each of which retires a block of 64 bytes, the epoch has moved on. */
    private static final int UNTIL_EPOCHS_MOVE = 150;

    private final ExecutorService pool = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        pool.shutdownNow();
    }

    /** Calls it in another thread. */
    private <T> T elsewhere(Callable<T> call) throws Exception {
        try {
            return pool.submit(call).get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** Opens Compute Thread 0 in a thread of its own, and closes it again. */
    private void open(ComputeNode node, Consumer<ComputeThread> work) throws Exception {
        elsewhere(() -> {
            try (ComputeThread ct = node.openThread(0)) {
                work.accept(ct);
                return ct;
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void anyThreadOpensAClosedThreadAgainWhichGoesOnWithItsIdAndCounts(FabricKind kind) throws Exception {
        try (TestCluster cluster = kind.cluster(config(1, 1).build()).start()) {
            ComputeNode node = cluster.computeNode(1);
            List<ComputeThread> opened = new ArrayList<>();
            for (int i = 1; i <= 3; i++) {
                int times = i;
                open(node, ct -> {
                    long block = ct.allocate(64);
                    ct.write(block, times);
                    ct.postFetchAndAdd(block, 10);
                    ct.place();
                    assertThat(ct.read(block)).isEqualTo(times + 10);
                    assertThat(ct.id()).isZero();
                    ct.barrier();
                    assertThat(ct.metrics().barriers()).isEqualTo(times);
                    ct.free(block, 64);
                    opened.add(ct);
                });
            }
            assertThat(opened).containsOnly(opened.get(0));
            assertThat(node.metrics(0))
                    .hasValueSatisfying(m -> assertThat(m.barriers()).isEqualTo(3));
            node.close();
            cluster.memoryNode(0).awaitFinished();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anOperationThatTheFormerOwnerDidNotAwaitIsAwaitedByTheNext(FabricKind kind) throws Exception {
        try (TestCluster cluster = kind.cluster(config(1, 1).build()).start()) {
            List<RemoteFuture> futures = new ArrayList<>();
            open(cluster.computeNode(1), ct -> {
                long block = ct.allocate(64);
                ct.write(block, 7);
                futures.add(ct.async().read(block));
                assertThat(ct.async().read(block).await()).isEqualTo(7);
            });
            open(cluster.computeNode(1), ct -> {
                assertThat(futures.get(0).await()).isEqualTo(7);
                assertThat(ct.async().fetchAndAdd(ct.allocate(64), 0)).isNotNull();
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void theFormerOwnerIsRefused(FabricKind kind) throws Exception {
        try (TestCluster cluster = kind.cluster(config(1, 1).build()).start()) {
            ComputeNode node = cluster.computeNode(1);
            ComputeThread former = node.openThread(0);
            former.close();
            open(node, ct -> {
                assertThatThrownBy(() -> elsewhere(() -> former.allocate(64)))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("belongs to another thread");
                assertThatThrownBy(() -> elsewhere(() -> node.openThread(0)))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("is open already");
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void ofManyThreadsThatOpenItAtOnceOneSucceeds(FabricKind kind) throws Exception {
        try (TestCluster cluster = kind.cluster(config(1, 1).build()).start()) {
            ComputeNode node = cluster.computeNode(1);
            open(node, ct -> {});
            AtomicInteger inside = new AtomicInteger();
            AtomicInteger opened = new AtomicInteger();
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                all.add(pool.submit(() -> {
                    for (int attempt = 0; attempt < 50; attempt++) {
                        try (ComputeThread ct = node.openThread(0)) {
                            assertThat(inside.incrementAndGet()).isOne();
                            ct.allocate(64);
                            opened.incrementAndGet();
                            inside.decrementAndGet();
                        } catch (IllegalStateException e) {
                            assertThat(e).hasMessageContaining("is open already");
                        }
                    }
                }));
            }
            for (Future<?> one : all) {
                one.get(60, TimeUnit.SECONDS);
            }
            assertThat(opened).hasPositiveValue();
            node.close();
            cluster.memoryNode(0).awaitFinished();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aNodeThatIsClosedWhileAThreadIsOpenAgainCountsAsLost(FabricKind kind) throws Exception {
        try (TestCluster cluster = kind.cluster(config(1, 1).build()).start()) {
            ComputeNode node = cluster.computeNode(1);
            open(node, ct -> {});
            node.openThread(0);
            node.close();
            assertThatThrownBy(cluster.memoryNode(0)::awaitFinished)
                    .hasMessageContaining("it was closed while 1 of its Compute Threads were open");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aThreadWhoseCloseHasFailedIsNotOpenedAgain(FabricKind kind) throws Exception {
        try (TestCluster cluster = kind.cluster(config(1, 1).build()).start()) {
            ComputeNode node = cluster.computeNode(1);
            ComputeThread ct = node.openThread(0);
            RemoteLock lock = new RemoteLock(ct.threads());
            lock.allocate(ct);
            lock.init(ct);
            lock.acquire(ct);
            assertThatThrownBy(ct::close).hasMessageContaining("without releasing the lock");
            assertThatThrownBy(() -> node.openThread(0))
                    .isInstanceOf(FabricException.class)
                    .hasMessageContaining("without releasing the lock");
        }
    }

    @ParameterizedTest
    @EnumSource
    void afterALossNoThreadIsOpenedAgain(FabricKind kind) throws Exception {
        for (OnNodeLoss onNodeLoss : OnNodeLoss.values()) {
            ClusterConfig config = config(1, 2).onNodeLoss(onNodeLoss).build();
            try (TestCluster cluster = kind.cluster(config).start()) {
                ComputeNode node = cluster.computeNode(1);
                open(node, ct -> {});
                ComputeThread still = node.openThread(1);
                node.abort("no more milk");
                still.close();
                for (int index = 0; index < 2; index++) {
                    int closed = index;
                    assertThatThrownBy(() -> node.openThread(closed))
                            .isInstanceOf(FabricException.class)
                            .hasMessageContaining("no more milk");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void openingAThreadAgainAndAgainTakesNoMoreMemory(FabricKind kind) throws Exception {
        for (Reclamation reclaim : Reclamation.values()) {
            ClusterConfig config = config(1, 2).reclaim(reclaim).build();
            try (TestCluster cluster = kind.cluster(config).start()) {
                ComputeNode node = cluster.computeNode(1);
                long used = 0;
                for (int i = 0; i < 300; i++) {
                    long[] now = new long[1];
                    open(node, ct -> {
                        ct.schedReclaim(ct.allocate(64), 64);
                        ct.free(ct.allocate(128), 128);
                        ct.quiescent();
                        if (reclaim == Reclamation.BARRIER) {
                            ct.reclaimDeferred();
                        }
                        for (int s = 0; s < config.segmentsPerNode(); s++) {
                            now[0] += ct.parts.checked.readHeader(SegmentLayout.header(0, s, SegmentHeader.ALLOCATED));
                        }
                    });
                    used = i < UNTIL_EPOCHS_MOVE ? now[0] : used;
                    assertThat(now[0]).as("%s, opening %s", reclaim, i).isEqualTo(used);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void underAbortAThreadThatIsOpenAgainArrivesAtTheNextBarrier(FabricKind kind) throws Exception {
        try (TestCluster cluster =
                kind.cluster(config(2, 1).onNodeLoss(OnNodeLoss.ABORT).build()).start()) {
            ComputeNode first = cluster.computeNode(1);
            open(first, ct -> {});
            CountDownLatch isOpenAgain = new CountDownLatch(1);
            Future<?> other = pool.submit(() -> {
                try (ComputeThread ct = cluster.computeNode(2).openThread(0)) {
                    assertThat(isOpenAgain.await(60, TimeUnit.SECONDS)).isTrue();
                    ct.barrier();
                    ct.barrier();
                }
                return null;
            });
            open(first, ct -> {
                isOpenAgain.countDown();
                ct.barrier();
                ct.barrier();
            });
            other.get(60, TimeUnit.SECONDS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBarrierInWhichNoThreadTookPartHasNoLeaderAndTheNextOneHas(FabricKind kind) throws Exception {
        ClusterConfig config = config(1, 1).onNodeLoss(OnNodeLoss.CONTINUE).build();
        try (TestCluster cluster = kind.cluster(config).start()) {
            ComputeNode node = cluster.computeNode(1);
            open(node, ct -> {
                ct.barrier();
                assertThat(ct.peers().leader()).isZero();
            });
            open(node, ct -> {
                ct.barrier();
                assertThat(ct.peers().tookPart(0)).isFalse();
                assertThat(ct.peers().leader()).isEqualTo(-1);
                ct.barrier();
                assertThat(ct.peers().tookPart(0)).isTrue();
                assertThat(ct.peers().leader()).isZero();
            });
        }
    }

    private static ClusterConfig.Builder config(int computeNodes, int threads) {
        return TestCluster.config(1, computeNodes, threads);
    }
}
