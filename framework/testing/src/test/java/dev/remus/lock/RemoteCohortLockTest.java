// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class RemoteCohortLockTest {
    private static final long LONG = TimeUnit.MINUTES.toNanos(1);
    private static final long NOT_AT_ALL = 0;

    private interface Body {
        void run(RemoteCohortLock lock, ComputeThread ct) throws Exception;
    }

    private static final class Dies extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Runs a body in all threads, each with a view of its own of one lock. */
    private static ComputeNode.Body withLock(Body body) {
        return ct -> {
            if (ct.id() == 0) {
                RemoteCohortLock lock = new RemoteCohortLock(ct.threads());
                lock.allocate(ct);
                lock.init(ct);
                ct.root().set(new RdmaPtr<>(lock.pointer()));
            }
            ct.barrier();
            body.run(view(ct), ct);
        };
    }

    private static RemoteCohortLock view(ComputeThread ct) {
        RemoteCohortLock lock = new RemoteCohortLock(ct.threads());
        lock.at(ct.root().get());
        return lock;
    }

    private static void run(int computeNodes, int threads, Body body) throws Exception {
        ClusterConfig config =
                TestCluster.config(2, computeNodes, threads).checkMemory(true).build();
        TestCluster.of(config).run(withLock(body));
    }

    @Test
    void aloneItCostsTheRoundTripsOfAQueueLock() throws Exception {
        run(1, 1, (lock, ct) -> {
            for (int i = 0; i < 50; i++) {
                assertThat(trips(() -> lock.acquire(ct), ct)).isEqualTo(2);
                assertThat(trips(() -> lock.release(ct), ct)).isEqualTo(1);
            }
        });
    }

    private static long trips(Runnable action, ComputeThread ct) {
        long before = ct.metrics().roundTrips();
        action.run();
        return ct.metrics().roundTrips() - before;
    }

    @Test
    void theNumbersOfItsHoldersRiseAndANodeKeepsItForALimitedNumberOfTurns() throws Exception {
        int rounds = 2 * RemoteCohortLock.MOST_TURNS;
        List<Long> tickets = Collections.synchronizedList(new ArrayList<>());
        run(1, 3, (lock, ct) -> {
            for (int i = 0; i < rounds; i++) {
                lock.acquire(ct);
                tickets.add(lock.ticket());
                lock.release(ct);
            }
        });
        assertThat(tickets).hasSize(3 * rounds).isSorted().doesNotHaveDuplicates();
        assertThat(tickets.stream()
                        .map(ticket -> ticket / RemoteCohortLock.MOST_TURNS)
                        .distinct())
                .as("turns of the node")
                .hasSizeGreaterThanOrEqualTo(3 * rounds / RemoteCohortLock.MOST_TURNS);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void incrementsUnderTheLockAreNotLost(int threads) throws Exception {
        int rounds = 300;
        run(2, threads, (lock, ct) -> {
            long counter = RdmaPtr.raw(1, 0, 64);
            if (ct.id() == 0) {
                ct.write(counter, 0);
            }
            ct.barrier();
            for (int i = 0; i < rounds; i++) {
                lock.acquireConsistent(ct);
                ct.post(counter, ct.read(counter) + 1);
                lock.release(ct);
            }
            ct.barrier();
            assertThat(ct.read(counter)).isEqualTo((long) rounds * ct.threads());
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aThreadThatGivesUpLeavesNothingBehind(int nodes) throws Exception {
        run(nodes, 2 / nodes, (lock, ct) -> {
            if (ct.id() == 0) {
                lock.acquire(ct);
            }
            ct.barrier();
            if (ct.id() == 1) {
                assertThat(lock.tryAcquire(NOT_AT_ALL, ct)).isEqualTo(Acquisition.TIMED_OUT);
                assertThat(lock.tryAcquire(1_000_000, ct)).isEqualTo(Acquisition.TIMED_OUT);
            }
            ct.barrier();
            if (ct.id() == 0) {
                lock.release(ct);
                assertThat(lock.tryAcquire(LONG, ct)).isEqualTo(Acquisition.NORMAL);
                lock.release(ct);
            }
            ct.barrier();
            assertThat(lock.tryAcquire(LONG, ct)).isEqualTo(Acquisition.NORMAL);
            lock.release(ct);
        });
    }

    @Test
    void acquiringItTwiceIsReportedAndDoesNoHarm() throws Exception {
        run(1, 2, (lock, ct) -> {
            if (ct.id() == 0) {
                lock.acquire(ct);
                for (RemoteCohortLock through : new RemoteCohortLock[] {lock, view(ct)}) {
                    assertThatThrownBy(() -> through.acquire(ct))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("not reentrant");
                }
                lock.release(ct);
            }
            ct.barrier();
            assertThat(lock.tryAcquire(LONG, ct)).isEqualTo(Acquisition.NORMAL);
            lock.release(ct);
        });
    }

    @Test
    void releasingALockThatTheThreadDoesNotHoldIsReported() throws Exception {
        run(1, 1, (lock, ct) -> {
            assertThatThrownBy(() -> lock.release(ct)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(lock::makeConsistent).isInstanceOf(IllegalStateException.class);
            lock.acquire(ct);
            assertThatThrownBy(() -> view(ct).release(ct)).isInstanceOf(IllegalStateException.class);
            lock.release(ct);
            assertThatThrownBy(() -> lock.release(ct)).isInstanceOf(IllegalStateException.class);
        });
    }

    @Test
    void afterADeathEachHolderLearnsOfItAlsoWithinANodeUntilOneHasRepairedTheData() throws Exception {
        ClusterConfig config =
                TestCluster.config(1, 2, 2).onNodeLoss(OnNodeLoss.CONTINUE).build();
        try (TestCluster cluster = TestCluster.of(config).start()) {
            assertThatThrownBy(() -> cluster.runThreads(withLock((lock, ct) -> {
                        if (ct.id() == 2) {
                            lock.acquire(ct);
                        }
                        ct.barrier();
                        if (ct.id() == 2) {
                            throw new Dies();
                        } else if (ct.id() < 2) {
                            for (int i = 0; i < 3; i++) {
                                assertThat(lock.acquire(ct)).isEqualTo(Acquisition.HOLDER_DIED);
                                lock.release(ct);
                            }
                            assertThatThrownBy(() -> lock.acquireConsistent(ct))
                                    .isInstanceOf(LostHolderException.class);
                            ct.barrier();
                            if (ct.id() == 0) {
                                assertThat(lock.acquire(ct)).isEqualTo(Acquisition.HOLDER_DIED);
                                lock.makeConsistent();
                                lock.release(ct);
                            }
                            ct.barrier();
                            assertThat(lock.acquire(ct)).isEqualTo(Acquisition.NORMAL);
                            lock.release(ct);
                        }
                    })))
                    .isInstanceOf(Dies.class);
        }
    }
}
