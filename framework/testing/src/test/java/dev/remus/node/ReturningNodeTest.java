// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.config.Reclamation;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.PeerState;
import dev.remus.lock.Acquisition;
import dev.remus.lock.RemoteLock;
import dev.remus.memory.OutOfRemoteMemoryException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** With {@code --returns}, a Compute Node that was lost or has left comes back. */
@Tag("oldest-jdk")
@Timeout(120)
class ReturningNodeTest {
    private static final int VICTIM = 3;

    /** Two Memory Nodes, and the Compute Nodes 2 and 3 with one thread each. */
    private static ClusterConfig.Builder config(int returns) {
        return TestCluster.config(2, 2, 1).onNodeLoss(OnNodeLoss.CONTINUE).returns(returns);
    }

    /** A thread of its own for each Compute Thread, which may pause in the middle of its work. */
    private final class Opened {
        final ExecutorService thread = Executors.newSingleThreadExecutor();
        final ComputeThread ct;

        Opened(ComputeNode node) {
            executors.add(thread);
            this.ct = start(thread, () -> node.openThread(0)).join();
        }

        <T> CompletableFuture<T> begin(Function<ComputeThread, T> work) {
            return start(thread, () -> work.apply(ct));
        }

        <T> T run(Function<ComputeThread, T> work) {
            return begin(work).orTimeout(60, TimeUnit.SECONDS).join();
        }

        int barrier() {
            return run(ct -> {
                ct.barrier();
                return ct.id();
            });
        }
    }

    private final List<ExecutorService> executors = new CopyOnWriteArrayList<>();

    private static <T> CompletableFuture<T> start(ExecutorService thread, Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, thread);
    }

    @AfterEach
    void endThreads() {
        executors.forEach(ExecutorService::shutdownNow);
    }

    private static void lose(TestCluster cluster, int node) {
        cluster.computeNode(node).abort("no more milk");
        cluster.computeNode(node).close();
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private static int[] participants(ComputeThread ct) {
        return IntStream.range(0, ct.threads()).filter(ct.peers()::tookPart).toArray();
    }

    @ParameterizedTest
    @EnumSource
    void itsThreadsHaveNewIdsAndTheOldOnesStayLost(FabricKind kind) throws Exception {
        try (TestCluster cluster = kind.cluster(config(2).build()).start()) {
            Opened other = new Opened(cluster.computeNode(2));
            assertThat(new Opened(cluster.computeNode(VICTIM)).ct.id()).isEqualTo(1);
            for (int life = 1; life <= 2; life++) {
                lose(cluster, VICTIM);
                Opened back = new Opened(cluster.connect(VICTIM));
                int id = back.ct.id();
                assertThat(id).isEqualTo(1 + 2 * life);
                assertThat(back.ct.peers().nodeOf(id)).isEqualTo(VICTIM);
                await(() -> other.ct.peers().isLost(id - 2));
                for (int earlier = 1; earlier < id; earlier += 2) {
                    assertThat(other.ct.peers().isLost(earlier)).isTrue();
                    assertThat(back.ct.peers().isLost(earlier)).isTrue();
                }
                assertThat(other.ct.peers().isLost(id)).isFalse();
                assertThat(back.ct.peers().isLost(id)).isFalse();
            }
            lose(cluster, VICTIM);
            assertThatThrownBy(() -> cluster.connect(VICTIM))
                    .isInstanceOf(FabricException.class)
                    .hasMessageContaining("has come back to cluster")
                    .hasMessageContaining("2 times and cannot do so again: returns (--returns)");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aNodeThatHasLeftInGoodOrderComesBackToo(FabricKind kind) throws Exception {
        try (TestCluster cluster = kind.cluster(config(2).build()).start()) {
            Opened other = new Opened(cluster.computeNode(2));
            Opened leaves = new Opened(cluster.computeNode(VICTIM));
            for (int life = 1; life <= 2; life++) {
                long word = leaves.run(ct -> {
                    long allocated = ct.allocate(64);
                    ct.write(allocated, ct.id());
                    ct.close();
                    return allocated;
                });
                cluster.computeNode(VICTIM).close();
                await(() -> cluster.memoryNode(0).count(PeerState.FINISHED) == 1);
                await(() -> cluster.memoryNode(1).count(PeerState.FINISHED) == 1);
                leaves = new Opened(cluster.connect(VICTIM));
                int id = leaves.ct.id();
                assertThat(id).isEqualTo(1 + 2 * life);
                await(() -> other.ct.peers().isLost(id - 2));
                long kept = other.run(ct -> ct.read(word));
                assertThat(kept).isEqualTo(id - 2);
                assertThat(other.ct.peers().isLost(id)).isFalse();
            }
            assertThat(cluster.memoryNode(0).losses()).isEmpty();
            leaves.run(ct -> {
                ct.close();
                return 0;
            });
            cluster.computeNode(VICTIM).close();
            assertThatThrownBy(() -> cluster.connect(VICTIM))
                    .isInstanceOf(FabricException.class)
                    .hasMessageContaining("2 times and cannot do so again: returns (--returns)");
        }
    }

    @ParameterizedTest
    @EnumSource
    void theBarriersThatBeginFromThenOnWaitForIt(FabricKind kind) throws Exception {
        try (TestCluster cluster = kind.cluster(config(1).build()).start()) {
            Opened other = new Opened(cluster.computeNode(2));
            Opened victim = new Opened(cluster.computeNode(VICTIM));
            CompletableFuture<Integer> first = victim.begin(ct -> {
                ct.barrier();
                return ct.id();
            });
            other.barrier();
            assertThat(first.join()).isEqualTo(1);
            lose(cluster, VICTIM);
            Opened back = new Opened(cluster.connect(VICTIM));
            assertThat(participants(back.ct)).as("of the last barrier").containsExactly(0, 1);
            other.barrier(); // it was under way
            assertThat(participants(other.ct)).containsExactly(0);
            assertThat(back.ct.peers().meetings()).isEqualTo(1);
            back.barrier();
            assertThat(participants(back.ct))
                    .as("of the one that was under way")
                    .containsExactly(0);
            for (int round = 0; round < 3; round++) {
                CompletableFuture<Integer> waits = other.begin(ct -> {
                    ct.barrier();
                    return ct.id();
                });
                Thread.sleep(100);
                assertThat(waits).isNotDone();
                assertThat(back.barrier()).isEqualTo(3);
                waits.join();
                assertThat(participants(other.ct)).containsExactly(0, 3);
                assertThat(participants(back.ct)).containsExactly(0, 3);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void itGetsALockThatItHeldInItsEarlierLifeAndLearnsOfItsDeath(FabricKind kind) throws Exception {
        try (TestCluster cluster = kind.cluster(config(1).build()).start()) {
            long lock = new Opened(cluster.computeNode(VICTIM)).run(ct -> {
                RemoteLock created = new RemoteLock(ct.threads());
                created.allocate(ct);
                created.init(ct);
                created.acquire(ct);
                return created.pointer();
            });
            lose(cluster, VICTIM);
            Opened back = new Opened(cluster.connect(VICTIM));
            assertThat(acquire(lock, back)).isEqualTo(Acquisition.HOLDER_DIED);
            assertThat(acquire(lock, new Opened(cluster.computeNode(2)))).isEqualTo(Acquisition.NORMAL);
            assertThat(acquire(lock, back)).isEqualTo(Acquisition.NORMAL);
        }
    }

    private static Acquisition acquire(long pointer, Opened thread) {
        return thread.run(ct -> {
            RemoteLock lock = new RemoteLock(ct.threads());
            lock.at(pointer);
            Acquisition how = lock.acquire(ct);
            lock.makeConsistent();
            lock.release(ct);
            return how;
        });
    }

    @ParameterizedTest
    @EnumSource
    void theEpochMovesOnWithItsNewThreadAndWithoutItsOldOne(FabricKind kind) throws Exception {
        ClusterConfig config = config(1)
                .reclaim(Reclamation.EPOCHS)
                .allocationWait(Duration.ofSeconds(1))
                .segmentSizeLog2(14)
                .build();
        try (TestCluster cluster = kind.cluster(config).start()) {
            Opened other = new Opened(cluster.computeNode(2));
            new Opened(cluster.computeNode(VICTIM));
            lose(cluster, VICTIM);
            Opened back = new Opened(cluster.connect(VICTIM));
            assertThatThrownBy(() -> reuseMemory(other))
                    .as("the thread that has come back is online, and stands still")
                    .hasCauseInstanceOf(OutOfRemoteMemoryException.class)
                    .hasMessageContaining("Compute Thread 0 of Compute Node " + VICTIM);
            AtomicBoolean isOver = new AtomicBoolean();
            CompletableFuture<Integer> rests = back.begin(ct -> {
                while (!isOver.get()) {
                    ct.quiescent();
                    ct.pause();
                }
                return ct.id();
            });
            other.run(ct -> {
                while (ct.metrics().retired() > 0) {
                    ct.quiescent();
                    ct.pause();
                }
                return ct.id();
            });
            reuseMemory(other);
            isOver.set(true);
            rests.join();
        }
    }

    /** Uses more memory than there is, one block at a time. */
    private static void reuseMemory(Opened thread) {
        thread.run(ct -> {
            for (int i = 0; i < 2000; i++) {
                ct.quiescent();
                ct.schedReclaim(ct.allocate(64), 64);
            }
            return ct.id();
        });
    }

    @ParameterizedTest
    @EnumSource
    void aNodeThatStartsAfterTheTimeOutOfTheOthersIsLetInToo(FabricKind kind) throws Exception {
        ClusterConfig config = config(1).connectTimeout(Duration.ofSeconds(2)).build();
        try (TestCluster cluster = kind.cluster(config)) {
            cluster.startMemoryNode(0);
            cluster.startMemoryNode(1);
            Opened other = new Opened(cluster.connect(2));
            await(() -> other.ct.peers().isLost(1));
            Opened late = new Opened(cluster.connect(VICTIM));
            assertThat(late.ct.id()).isEqualTo(3);
            other.barrier();
            CompletableFuture<Integer> waits = other.begin(ct -> {
                ct.barrier();
                return ct.id();
            });
            late.barrier(); // the one that was under way
            assertThat(waits).isNotDone();
            late.barrier();
            waits.join();
            for (Opened thread : List.of(other, late)) {
                thread.run(ct -> {
                    ct.close();
                    return 0;
                });
            }
            cluster.computeNode(2).close();
            cluster.computeNode(VICTIM).close();
            cluster.memoryNode(0).awaitFinished();
            cluster.memoryNode(1).awaitFinished();
            assertThat(cluster.memoryNode(0).losses()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void withoutTheOptionItCannotComeBack(FabricKind kind) throws Exception {
        try (TestCluster cluster = kind.cluster(config(0).build()).start()) {
            Opened other = new Opened(cluster.computeNode(2));
            lose(cluster, VICTIM);
            await(() -> other.ct.peers().isLost(1));
            assertThatThrownBy(() -> cluster.connect(VICTIM))
                    .isInstanceOf(FabricException.class)
                    .isNotInstanceOf(NodeLostException.class)
                    .hasMessageContaining("it cannot join again");
        }
    }
}
