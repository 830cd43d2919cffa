// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.memory.OutOfRemoteMemoryException;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Retired blocks return by epochs, on every fabric. */
@Tag("oldest-jdk")
class EpochsTest {
    private static final int CALLS = 64;
    private static final int ROUNDS = 1_000;
    private static final int MOST_OF_TINY = 35;

    private static ClusterConfig config(int threads, boolean checkMemory) {
        return TestCluster.config(1, 1, threads)
                .reclaim(Reclamation.EPOCHS)
                .checkMemory(checkMemory)
                .segmentSizeLog2(13)
                .build();
    }

    /** One segment, with room for fewer than two times {@link #MOST_OF_TINY} blocks. */
    private static ClusterConfig.Builder tiny(int threads) {
        return TestCluster.config(1, 1, threads)
                .reclaim(Reclamation.EPOCHS)
                .segmentsPerNode(1)
                .segmentSizeLog2(12);
    }

    private static void pass(ComputeThread ct) {
        for (int i = 0; i < CALLS; i++) {
            ct.quiescent();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aThreadReusesAFewBlocksForEverWithoutABarrier(FabricKind kind) throws Exception {
        kind.run(config(1, false), ct -> {
            for (int i = 0; i < ROUNDS; i++) {
                ct.schedReclaim(ct.allocate(64), 64);
                pass(ct);
            }
            assertThat(ct.metrics().retiredMost()).isLessThan(10);
            assertThat(ct.metrics().epochs()).isGreaterThan(ROUNDS / 2);
            assertThat(ct.metrics().reclamationRoundTrips()).isLessThan(3L * ROUNDS + 10);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aThreadInsideAnOperationHoldsEveryBlockUpAndOneThatIsOfflineHoldsNone(FabricKind kind) throws Exception {
        kind.run(config(2, false), ct -> {
            if (ct.id() == 1) {
                ct.root().set(new RdmaPtr<>(ct.allocate(64))); // inside an operation from here on
                while (!ct.root().get().isNull()) {
                    ct.pause();
                }
                ct.offline(() -> awaitEnd(ct));
            } else {
                while (ct.root().get().isNull()) {
                    ct.pause();
                }
                ct.schedReclaim(ct.allocate(64), 64);
                for (int i = 0; i < 20; i++) {
                    pass(ct);
                }
                assertThat(ct.metrics().retired()).isOne();
                ct.root().set(RdmaPtr.nullPointer());
                for (int i = 0; i < ROUNDS && ct.metrics().retired() > 0; i++) {
                    pass(ct);
                    ct.pause();
                }
                assertThat(ct.metrics().retired()).isZero();
            }
        });
    }

    private static void awaitEnd(ComputeThread ct) {
        long end = ct.nanoTime() + 20_000_000;
        while (ct.nanoTime() - end < 0) {
            ct.pause();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aThreadAloneReusesTheFewBlocksOfTinyMemory(FabricKind kind) throws Exception {
        kind.run(tiny(1).build(), ct -> {
            for (int i = 0; i < ROUNDS; i++) {
                ct.schedReclaim(ct.allocate(64), 64);
                ct.quiescent();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aThreadThatWaitsBetweenOperationsLetsAnotherOneReuseTinyMemory(FabricKind kind) throws Exception {
        kind.run(tiny(2).build(), ct -> {
            if (ct.id() == 1) {
                ct.root().set(new RdmaPtr<>(ct.allocate(64)));
                while (!ct.root().get().isNull()) {
                    ct.quiescent();
                    ct.pause();
                }
            } else {
                while (ct.root().get().isNull()) {
                    ct.pause();
                }
                for (int i = 0; i < 5 * MOST_OF_TINY; i++) {
                    ct.schedReclaim(ct.allocate(64), 64);
                    ct.quiescent();
                }
                ct.root().set(RdmaPtr.nullPointer());
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void threadsThatAllWaitBetweenOperationsReclaimWhatTheyHaveRetired(FabricKind kind) throws Exception {
        kind.run(config(2, false), ct -> {
            for (int i = 0; i < 5; i++) {
                ct.schedReclaim(ct.allocate(64), 64);
            }
            while (ct.metrics().retired() > 0) {
                ct.quiescent();
                ct.pause();
            }
            assertThat(ct.metrics().retiredMost()).isEqualTo(5);
            assertThat(ct.metrics().retiredInEpochMost()).isEqualTo(5);
            ct.barrier();
        });
    }

    @ParameterizedTest
    @EnumSource
    void fullMemoryIsReportedWithTheThreadThatHoldsTheEpochUp(FabricKind kind) throws Exception {
        kind.run(tiny(2).allocationWait(Duration.ofSeconds(1)).build(), ct -> {
            if (ct.id() == 1) {
                ct.root().set(new RdmaPtr<>(ct.allocate(64))); // inside an operation from here on
                while (!ct.root().get().isNull()) {
                    ct.pause();
                }
            } else {
                while (ct.root().get().isNull()) {
                    ct.pause();
                }
                ct.allocate(64);
                assertThatThrownBy(() -> retireForEver(ct))
                        .isInstanceOf(OutOfRemoteMemoryException.class)
                        .hasMessageContaining("Compute Thread 1 of Compute Node 1 has announced no quiescent state for")
                        .hasMessageContaining("allocationWait (--alloc-wait) 1 s");
                ct.root().set(RdmaPtr.nullPointer());
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void fullMemoryIsReportedWithTheThreadThatHeldTheEpochUpBeforeTheOperation(FabricKind kind) throws Exception {
        kind.run(tiny(2).allocationWait(Duration.ofSeconds(1)).build(), ct -> {
            if (ct.id() == 1) {
                ct.root().set(new RdmaPtr<>(ct.allocate(64))); // inside an operation from here on
                while (!ct.root().get().isNull()) {
                    ct.pause();
                }
            } else {
                while (ct.root().get().isNull()) {
                    ct.pause();
                }
                long start;
                do {
                    ct.schedReclaim(ct.allocate(64), 64);
                    start = ct.nanoTime();
                    ct.quiescent();
                } while (ct.nanoTime() - start < 1_000_000_000);
                ct.root().set(RdmaPtr.nullPointer()); // the other thread closes
                assertThatThrownBy(() -> retireForEver(ct))
                        .isInstanceOf(OutOfRemoteMemoryException.class)
                        .hasMessageContaining("after the last one Compute Thread 1 of Compute Node 1 has announced no");
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aThreadThatIsAloneDoesNotWaitForMemoryThatNobodyCanFree(FabricKind kind) throws Exception {
        for (boolean passesQuiescentStates : new boolean[] {false, true}) {
            kind.run(
                    tiny(1).allocationWait(Duration.ofHours(1)).build(),
                    ct -> assertThatThrownBy(() -> {
                                while (true) {
                                    ct.allocate(64);
                                    if (passesQuiescentStates) {
                                        ct.quiescent();
                                    }
                                }
                            })
                            .isInstanceOf(OutOfRemoteMemoryException.class)
                            .hasMessageContaining("there is no other thread that could free any"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aThreadThatOnlyReadsDoesNotWaitForMemoryWhenItIsFull(FabricKind kind) throws Exception {
        ClusterConfig config = tiny(2).allocationWait(Duration.ofHours(1)).build();
        ExecutorService reader = Executors.newSingleThreadExecutor();
        try (TestCluster cluster = kind.cluster(config).start()) {
            ComputeNode node = cluster.computeNode(config.firstComputeNode());
            ComputeThread full = node.openThread(0);
            long block = full.allocate(64);
            full.write(block, 7);
            while (full.parts.checked.readHeader(SegmentLayout.header(0, 0, SegmentHeader.ALLOCATED))
                    < new SegmentLayout(config).end(0)) {
                full.allocate(64);
            }
            Future<Long> read = reader.submit(() -> {
                try (ComputeThread ct = node.openThread(1)) {
                    ct.quiescent();
                    ct.offline(() -> {});
                    return ct.read(block);
                }
            });
            assertThat(read.get(60, TimeUnit.SECONDS)).isEqualTo(7);
            full.close();
        } finally {
            reader.shutdownNow();
        }
    }

    private static void retireForEver(ComputeThread ct) {
        while (true) {
            ct.schedReclaim(ct.allocate(64), 64); // inside one operation: it passes no quiescent state
        }
    }

    @ParameterizedTest
    @EnumSource
    void theRetiredBlocksOfAClosedThreadReturnThroughItsNode(FabricKind kind) throws Exception {
        kind.run(tiny(2).build(), ct -> {
            if (ct.id() == 1) {
                for (int i = 0; i < MOST_OF_TINY; i++) {
                    ct.schedReclaim(ct.allocate(64), 64);
                }
                ct.root().set(new RdmaPtr<>(ct.allocate(64)));
                ct.close();
            } else {
                while (ct.root().get().isNull()) {
                    ct.pause();
                }
                for (int i = 0; i < MOST_OF_TINY; i++) {
                    ct.allocate(64);
                    ct.quiescent();
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void retiredBlocksReturnIfTheirThreadsAreOfflineAfterEachOperation(FabricKind kind) throws Exception {
        int operations = 1000;
        ClusterConfig config = TestCluster.config(1, 1, 1)
                .reclaim(Reclamation.EPOCHS)
                .segmentsPerNode(1)
                .segmentSizeLog2(17)
                .build();
        try (TestCluster cluster = kind.cluster(config).start()) {
            long before = cluster.memoryNode(0).allocated(0);
            cluster.runThreads(ct -> {
                for (int i = 0; i < operations; i++) {
                    ct.schedReclaim(ct.allocate(64), 64);
                    ct.quiescent();
                    ct.offline(() -> {});
                }
            });
            assertThat(cluster.memoryNode(0).allocated(0) - before).isLessThan(operations * 64L / 4);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anAccessWhileOfflineIsRefusedIfMemoryIsChecked(FabricKind kind) throws Exception {
        kind.run(config(1, true), ct -> {
            long block = ct.allocate(64);
            ct.offline(() -> assertThatThrownBy(() -> ct.read(block))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("offline"));
            ct.write(block, 7);
            assertThat(ct.read(block)).isEqualTo(7);
        });
    }

    @ParameterizedTest
    @EnumSource
    void keptPointersAreStaleWhenABarrierOrAnEpochHasPassed(FabricKind kind) throws Exception {
        kind.run(config(1, false), ct -> {
            long first = ct.reclamationEpoch();
            ct.quiescent();
            assertThat(ct.reclamationEpoch()).as("nothing is announced").isEqualTo(first);
            ct.schedReclaim(ct.allocate(64), 64);
            pass(ct);
            pass(ct);
            long second = ct.reclamationEpoch();
            assertThat(second).isNotEqualTo(first);
            ct.barrier();
            assertThat(ct.reclamationEpoch()).isNotEqualTo(second);
        });
    }
}
