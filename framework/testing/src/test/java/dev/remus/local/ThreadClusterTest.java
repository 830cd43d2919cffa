// SPDX-License-Identifier: Apache-2.0
package dev.remus.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.NodeLostException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ThreadClusterTest {
    private final ClusterConfig config = LocalConfig.of(2, 2, 2).build();
    private final ThreadCluster cluster = new ThreadCluster(config);

    @AfterEach
    void nothingIsLeft() throws Exception {
        Leftovers.assertNone(config);
    }

    @Test
    void theBodyRunsInEveryComputeThreadOfEachRun() throws Exception {
        for (int run = 0; run < 2; run++) {
            Set<Integer> seen = ConcurrentHashMap.newKeySet();
            cluster.run(ct -> {
                seen.add(ct.id());
                ct.barrier();
                assertThat(seen).containsExactlyInAnyOrder(0, 1, 2, 3);
            });
            assertThat(seen).hasSize(4);
        }
    }

    @Test
    void noBodyBeginsBeforeAllNodesHaveConnected() throws Exception {
        AtomicReference<List<String>> atFirst = new AtomicReference<>();
        cluster.run(ct -> {
            Thread[] threads = new Thread[100];
            int found = Thread.currentThread().getThreadGroup().enumerate(threads);
            List<String> names =
                    Stream.of(threads).limit(found).map(Thread::getName).toList();
            atFirst.compareAndSet(null, names);
        });
        assertThat(atFirst.get()).contains("remus-watch-2", "remus-watch-3");
    }

    @Test
    void theExceptionOfABodyIsThrownAsItIsAndTheReportsOfOthersAreSuppressed() {
        IllegalStateException mistake = new IllegalStateException("a mistake");
        assertThatThrownBy(() -> cluster.run(ct -> {
                    if (ct.id() == 3) {
                        throw mistake;
                    }
                    ct.barrier();
                }))
                .isSameAs(mistake)
                .satisfies(e -> assertThat(e.getSuppressed()).hasOnlyElementsOfType(NodeLostException.class));
    }

    @Test
    void aClusterThatHangsFailsAtTheTimeLimitWithTheStacksOfItsThreads() {
        CountDownLatch running = new CountDownLatch(4);
        assertThatThrownBy(() -> cluster.within(Duration.ofSeconds(1))
                        .run(
                                ct -> {
                                    running.countDown();
                                    new CountDownLatch(1).await();
                                },
                                () -> running.getCount() == 0))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("the cluster has not finished within 1 s:")
                .hasMessageContaining("thread remus-2-0, ")
                .hasMessageContaining("java.util.concurrent.CountDownLatch.await")
                .hasMessageContaining("ThreadClusterTest.lambda");
    }

    @Test
    void aHangAfterTheFailureOfABodyHasItAsItsCause() {
        IllegalStateException mistake = new IllegalStateException("a mistake");
        CountDownLatch others = new CountDownLatch(2);
        CountDownLatch never = new CountDownLatch(1);
        assertThatThrownBy(() -> cluster.run(
                        ct -> {
                            if (ct.id() < 2) { // both threads of a node: it ends, and the other waits in vain
                                others.await();
                                throw mistake;
                            }
                            others.countDown();
                            never.await();
                        },
                        () -> Thread.getAllStackTraces().keySet().stream()
                                .noneMatch(thread -> thread.getName().equals(config.cluster() + "-node-2"))))
                .hasMessageStartingWith("the cluster has not finished within 60 s")
                .hasCause(mistake);
    }

    @Test
    void aBodyThatWrapsTheReportOfALossIsNotTheFirstFailure() {
        IllegalStateException mistake = new IllegalStateException("a mistake");
        assertThat(NodeFailure.isReport(new IllegalStateException(new NodeLostException(2, "lost"))))
                .isTrue();
        assertThat(NodeFailure.isReport(mistake)).isFalse();
    }

    @Test
    void aTimeLimitThatIsOverAtOnceIsRejected() {
        assertThatThrownBy(() -> cluster.within(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("time limit: got 0 s, needs more than 0 s");
        assertThatThrownBy(() -> new ProcessCluster(cluster.config()).within(Duration.ofMillis(-1500)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("time limit: got -1.5 s, needs more than 0 s");
    }

    @Test
    void theTimeLimitEndsTheCluster() {
        assertThatThrownBy(() -> cluster.within(Duration.ofMillis(1)).run(ct -> new CountDownLatch(1).await()))
                .hasMessageStartingWith("the cluster has not finished within 0.001 s");
    }

    @Test
    void anInterruptEndsTheCluster() throws Exception {
        CountDownLatch running = new CountDownLatch(4);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread caller = new Thread(() -> {
            try {
                cluster.run(ct -> {
                    running.countDown();
                    new CountDownLatch(1).await();
                });
            } catch (Throwable e) {
                thrown.set(e);
            }
        });
        caller.start();
        running.await();
        caller.interrupt();
        caller.join();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    }
}
