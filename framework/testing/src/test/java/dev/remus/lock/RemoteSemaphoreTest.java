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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class RemoteSemaphoreTest {
    private static final long LONG = TimeUnit.MINUTES.toNanos(1);
    private static final long NOT_AT_ALL = 0;

    private static final class Dies extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private interface Body {
        void run(RemoteSemaphore semaphore, ComputeThread ct) throws Exception;
    }

    /** Runs a body in all threads, each with a handle of its own of one semaphore. */
    private static ComputeNode.Body withSemaphore(int permits, Body body) {
        return ct -> {
            if (ct.id() == 0) {
                ct.root().set(RemoteSemaphore.create(permits, ct));
            }
            ct.barrier();
            body.run(new RemoteSemaphore(ct.root().get(), ct), ct);
        };
    }

    private static void run(int permits, int threads, Body body) throws Exception {
        TestCluster.of(TestCluster.config(2, 1, threads).checkMemory(true).build())
                .run(withSemaphore(permits, body));
    }

    @Test
    void itCostsTheRoundTripsOfTheClassComment() throws Exception {
        run(5, 1, (semaphore, ct) -> {
            for (int i = 0; i < 3; i++) {
                long before = ct.metrics().roundTrips();
                semaphore.acquire(ct);
                assertThat(ct.metrics().roundTrips() - before).isEqualTo(2);
                semaphore.release(ct);
                assertThat(ct.metrics().roundTrips() - before).isEqualTo(3);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void noMoreThreadsAreInsideThanThereArePermits(int permits) throws Exception {
        AtomicInteger inside = new AtomicInteger();
        run(permits, 4, (semaphore, ct) -> {
            for (int i = 0; i < 200; i++) {
                semaphore.acquire(ct);
                assertThat(inside.incrementAndGet()).isBetween(1, permits);
                inside.decrementAndGet();
                semaphore.release(ct);
            }
            ct.barrier();
            assertThat(semaphore.available(ct)).isEqualTo(permits);
        });
    }

    @Test
    void aThreadMayHoldSeveralPermitsAndOthersGiveUpOrWaitMeanwhile() throws Exception {
        run(3, 2, (semaphore, ct) -> {
            assertThat(semaphore.permits()).isEqualTo(3);
            if (ct.id() == 0) {
                for (int i = 0; i < 3; i++) {
                    assertThat(semaphore.available(ct)).isEqualTo(3 - i);
                    assertThat(semaphore.tryAcquire(NOT_AT_ALL, ct)).isTrue();
                }
                assertThatThrownBy(() -> semaphore.acquire(ct))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("holds all permits");
            }
            ct.barrier();
            if (ct.id() == 1) {
                assertThat(semaphore.tryAcquire(NOT_AT_ALL, ct)).isFalse();
                assertThat(semaphore.tryAcquire(1_000_000, ct)).isFalse();
            }
            ct.barrier();
            if (ct.id() == 0) {
                for (int i = 0; i < 3; i++) {
                    semaphore.release(ct);
                }
            } else {
                assertThat(semaphore.tryAcquire(LONG, ct)).isTrue();
                semaphore.release(ct);
            }
            assertThatThrownBy(() -> semaphore.release(ct)).isInstanceOf(IllegalStateException.class);
        });
    }

    @Test
    void aNumberOfPermitsThatIsOutOfRangeIsReported() throws Exception {
        run(1, 1, (semaphore, ct) -> {
            for (int permits : new int[] {-1, 0, RemoteSemaphore.MOST_PERMITS + 1}) {
                assertThatThrownBy(() -> RemoteSemaphore.create(permits, ct))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("1 to 4096 permits");
            }
            RdmaPtr<RemoteSemaphore> largest = RemoteSemaphore.create(RemoteSemaphore.MOST_PERMITS, ct);
            RemoteSemaphore another = new RemoteSemaphore(largest, ct);
            another.acquire(ct);
            assertThat(another.available(ct)).isEqualTo(RemoteSemaphore.MOST_PERMITS - 1);
            another.release(ct);
            another.destroy(ct);
        });
    }

    /** Thread 1, which holds all permits, ends in some way; then the other acquires them. */
    private static void returnThemAfter(Runnable end, Class<? extends Exception> failure) throws Exception {
        ClusterConfig config =
                TestCluster.config(1, 2, 1).onNodeLoss(OnNodeLoss.CONTINUE).build();
        try (TestCluster cluster = TestCluster.of(config).start()) {
            assertThatThrownBy(() -> cluster.runThreads(withSemaphore(2, (semaphore, ct) -> {
                        if (ct.id() == 1) {
                            semaphore.acquire(ct);
                            semaphore.acquire(ct);
                        }
                        ct.barrier();
                        if (ct.id() == 1) {
                            end.run();
                            return;
                        }
                        semaphore.acquire(ct);
                        assertThat(ct.peers().isLost(1)).isTrue();
                        assertThat(semaphore.available(ct)).isEqualTo(1);
                        assertThat(semaphore.tryAcquire(NOT_AT_ALL, ct)).isTrue();
                        semaphore.release(ct);
                        semaphore.release(ct);
                        assertThat(semaphore.available(ct)).isEqualTo(2);
                    })))
                    .isInstanceOf(failure);
        }
    }

    @Test
    void thePermitsOfALostThreadReturnOnceItIsCutOff() throws Exception {
        returnThemAfter(
                () -> {
                    throw new Dies();
                },
                Dies.class);
    }

    @Test
    void aThreadThatEndsWithPermitsFailsItsNodeAndTheyReturn() throws Exception {
        returnThemAfter(() -> {}, IllegalStateException.class);
    }
}
