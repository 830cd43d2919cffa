// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RemoteLatchTest {
    private static final long LONG = TimeUnit.MINUTES.toNanos(1);
    private static final long NOT_AT_ALL = 0;

    private static final class Dies extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private interface Body {
        void run(RemoteLatch latch, ComputeThread ct) throws Exception;
    }

    /** Runs a body in all threads of one node, each with a handle of its own of one latch. */
    private static void run(int[] counts, int threads, Body body) throws Exception {
        TestCluster.of(TestCluster.config(2, 1, threads).checkMemory(true).build())
                .run(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(RemoteLatch.create(counts, ct));
                    }
                    ct.barrier();
                    body.run(new RemoteLatch(ct.root().get(), ct), ct);
                });
    }

    @Test
    void itCostsTheRoundTripsOfTheClassComment() throws Exception {
        run(new int[] {1, 1}, 2, (latch, ct) -> {
            ct.barrier();
            long before = ct.metrics().roundTrips();
            latch.countDown(ct);
            assertThat(ct.metrics().roundTrips() - before).isEqualTo(1);
            ct.barrier();
            before = ct.metrics().roundTrips();
            assertThat(latch.await(ct)).isEqualTo(Countdown.COMPLETE);
            assertThat(ct.metrics().roundTrips() - before).isEqualTo(1);
        });
    }

    @Test
    void itOpensWhenAllHaveCountedAndStaysOpen() throws Exception {
        run(new int[] {2, 0, 1}, 4, (latch, ct) -> {
            assertThat(latch.tryAwait(NOT_AT_ALL, ct)).isEqualTo(Countdown.TIMED_OUT);
            ct.barrier();
            if (ct.id() == 0) {
                latch.countDown(ct);
                latch.countDown(ct);
            }
            ct.barrier();
            assertThat(latch.tryAwait(NOT_AT_ALL, ct)).isEqualTo(Countdown.TIMED_OUT);
            assertThat(latch.owed(2)).isEqualTo(1);
            assertThat(latch.owed(3)).isZero();
            ct.barrier();
            if (ct.id() == 2) {
                latch.countDown(ct);
            }
            assertThat(ct.id() % 2 == 0 ? latch.await(ct) : latch.tryAwait(LONG, ct))
                    .isEqualTo(Countdown.COMPLETE);
            assertThat(latch.tryAwait(NOT_AT_ALL, ct)).isEqualTo(Countdown.COMPLETE);
        });
    }

    @Test
    void countingMoreOftenThanAThreadHasToIsReported() throws Exception {
        run(new int[] {1, 0}, 3, (latch, ct) -> {
            if (ct.id() == 0) {
                latch.countDown(ct);
            }
            assertThatThrownBy(() -> latch.countDown(ct))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("more often than it has to");
        });
    }

    @Test
    void aNegativeCountIsReported() throws Exception {
        run(new int[] {1}, 1, (latch, ct) -> {
            assertThatThrownBy(() -> RemoteLatch.create(new int[] {1, -1}, ct))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> RemoteLatch.create(0, ct)).isInstanceOf(IllegalArgumentException.class);
            RdmaPtr<RemoteLatch> another = RemoteLatch.create(ct.threads(), ct);
            RemoteLatch latchOfAll = new RemoteLatch(another, ct);
            latchOfAll.countDown(ct);
            assertThat(latchOfAll.await(ct)).isEqualTo(Countdown.COMPLETE);
            latchOfAll.destroy(ct);
        });
    }

    @Test
    void aThreadThatIsLostBeforeItHasCountedIsNotWaitedForOnceItIsCutOff() throws Exception {
        ClusterConfig config =
                TestCluster.config(1, 3, 1).onNodeLoss(OnNodeLoss.CONTINUE).build();
        try (TestCluster cluster = TestCluster.of(config).start()) {
            assertThatThrownBy(() -> cluster.runThreads(ct -> {
                        if (ct.id() == 0) {
                            ct.root().set(RemoteLatch.create(ct.threads(), ct));
                        }
                        ct.barrier();
                        if (ct.id() == 2) {
                            throw new Dies();
                        }
                        RemoteLatch latch = new RemoteLatch(ct.root().get(), ct);
                        latch.countDown(ct);
                        assertThat(latch.await(ct)).isEqualTo(Countdown.WITHOUT_LOST);
                        assertThat(ct.peers().isLost(2)).isTrue();
                        assertThat(latch.owed(1)).isZero();
                        assertThat(latch.owed(2)).isEqualTo(1);
                        assertThat(latch.tryAwait(NOT_AT_ALL, ct).isOpen()).isTrue();
                    }))
                    .isInstanceOf(Dies.class)
                    .satisfies(e -> assertThat(e.getSuppressed()).isEmpty());
        }
    }
}
