// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LeaderSlotTest {
    private interface Body {
        void run(LeaderSlot slot, ComputeThread ct) throws Exception;
    }

    private static final class Dies extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Runs a body in all threads, each with a handle of its own of one slot. */
    private static ComputeNode.Body withSlot(Body body) {
        return ct -> {
            if (ct.id() == 0) {
                ct.root().set(LeaderSlot.create(ct));
            }
            ct.barrier();
            body.run(new LeaderSlot(ct.root().get()), ct);
        };
    }

    private static void run(int threads, Body body) throws Exception {
        TestCluster.of(TestCluster.config(2, 1, threads).checkMemory(true).build())
                .run(withSlot(body));
    }

    @Test
    void itCostsTheRoundTripsOfTheClassComment() throws Exception {
        run(2, (slot, ct) -> {
            long before = ct.metrics().roundTrips();
            if (ct.id() == 0) {
                assertThat(slot.tryLead(ct)).isTrue();
                assertThat(ct.metrics().roundTrips() - before).isEqualTo(2);
                slot.leader(ct);
                assertThat(ct.metrics().roundTrips() - before).isEqualTo(3);
            }
            ct.barrier();
            before = ct.metrics().roundTrips();
            if (ct.id() == 1) {
                assertThat(slot.tryLead(ct)).isFalse();
                assertThat(ct.metrics().roundTrips() - before).isEqualTo(1);
            }
            ct.barrier();
            before = ct.metrics().roundTrips();
            if (ct.id() == 0) {
                slot.resign(ct);
                assertThat(ct.metrics().roundTrips() - before).isEqualTo(1);
            }
        });
    }

    @Test
    void eachLeaderHasAHigherTermAndTheOthersLearnWhoItIs() throws Exception {
        run(3, (slot, ct) -> {
            assertThat(slot.leader(ct)).isEmpty();
            ct.barrier();
            for (int i = 0; i < 6; i++) {
                if (ct.id() == i % 3) {
                    assertThat(slot.tryLead(ct)).isTrue();
                    assertThat(slot.tryLead(ct)).as("again").isTrue();
                    assertThat(slot.term()).isEqualTo(i + 1);
                }
                ct.barrier();
                assertThat(slot.isLeading()).isEqualTo(ct.id() == i % 3);
                assertThat(slot.tryLead(ct)).isEqualTo(ct.id() == i % 3);
                assertThat(slot.leader(ct)).hasValue(i % 3);
                ct.barrier();
                if (slot.isLeading()) {
                    slot.resign(ct);
                }
                ct.barrier();
                assertThat(slot.leader(ct)).isEmpty();
                ct.barrier();
            }
        });
    }

    @Test
    void onlyTheLeaderHasATermAndResigns() throws Exception {
        run(1, (slot, ct) -> {
            assertThatThrownBy(slot::term).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> slot.resign(ct)).isInstanceOf(IllegalStateException.class);
            slot.tryLead(ct);
            assertThatThrownBy(() -> slot.destroy(ct)).isInstanceOf(IllegalStateException.class);
            slot.resign(ct);
            assertThatThrownBy(slot::term).isInstanceOf(IllegalStateException.class);
            slot.destroy(ct);
        });
    }

    /** Thread 1, which leads, ends in some way; then the other leads in the next term. */
    private static void isReplacedAfter(Runnable end, Class<? extends Exception> failure) throws Exception {
        ClusterConfig config =
                TestCluster.config(1, 2, 1).onNodeLoss(OnNodeLoss.CONTINUE).build();
        try (TestCluster cluster = TestCluster.of(config).start()) {
            assertThatThrownBy(() -> cluster.runThreads(withSlot((slot, ct) -> {
                        if (ct.id() == 1) {
                            slot.tryLead(ct);
                        }
                        ct.barrier();
                        if (ct.id() == 1) {
                            end.run();
                            return;
                        }
                        while (!slot.tryLead(ct)) {
                            ct.pause();
                        }
                        assertThat(ct.peers().isLost(1)).isTrue();
                        assertThat(slot.term()).isEqualTo(2);
                        slot.resign(ct);
                    })))
                    .isInstanceOf(failure);
        }
    }

    @Test
    void aLostLeaderIsReplacedOnceItIsCutOff() throws Exception {
        isReplacedAfter(
                () -> {
                    throw new Dies();
                },
                Dies.class);
    }

    @Test
    void aThreadThatEndsAsTheLeaderFailsItsNodeAndIsReplaced() throws Exception {
        isReplacedAfter(() -> {}, IllegalStateException.class);
    }
}
