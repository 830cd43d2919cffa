// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.NodeLostException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class TestClusterTest {
    @Test
    void runsTheBodyOnceInEveryThreadOfEveryNode() throws Exception {
        ClusterConfig config = TestCluster.config(2, 3, 2).build();
        Set<Integer> ids = ConcurrentHashMap.newKeySet();
        TestCluster cluster = TestCluster.of(config);
        for (int run = 0; run < 2; run++) {
            ids.clear();
            cluster.run(ct -> {
                assertThat(ids.add(ct.id())).isTrue();
                ct.barrier();
            });
            assertThat(ids).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5);
        }
    }

    @Test
    void throwsTheExceptionOfABodyAndNotItsConsequences() {
        IllegalStateException mine = new IllegalStateException("mine");
        assertThatThrownBy(() -> TestCluster.of(TestCluster.configOfBoth(2, 2).build())
                        .run(ct -> {
                            if (ct.id() == 2) {
                                throw mine;
                            }
                            ct.barrier();
                        }))
                .isSameAs(mine)
                .satisfies(e -> assertThat(e.getSuppressed()).hasAtLeastOneElementOfType(NodeLostException.class));
    }

    @Test
    void printsTheStacksOfAllThreadsIfABodyDoesNotEnd() {
        assertThatThrownBy(() -> TestCluster.of(TestCluster.config(1, 1, 1).build())
                        .within(Duration.ofSeconds(1))
                        .run(ct -> {
                            while (!Thread.currentThread().isInterrupted()) {
                                LockSupport.parkNanos(1_000_000);
                            }
                        }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("has not finished running within 1000 ms")
                .hasMessageContaining("printsTheStacksOfAllThreads");
    }

    @Test
    void startsTheRequestedNodesAndClosesThemTwice() throws Exception {
        TestCluster cluster = TestCluster.of(TestCluster.config(1, 1, 1).build());
        try {
            assertThat(cluster.startMemoryNode(0).id()).isZero();
            assertThat(cluster.connect(1).id()).isEqualTo(1);
            cluster.runThreads(ComputeThread::barrier);
        } finally {
            cluster.close();
            cluster.close();
        }
    }
}
