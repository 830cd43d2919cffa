// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.InstanceOfAssertFactories.THROWABLE;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.config.Reclamation;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** In the simulator, links are down for a while or for good, and threads notice it as on a real fabric. */
@Tag("any-jdk")
class LinkFaultsTest {
    private static final int ADDITIONS = 10;
    private static final int SCHEDULES = 40;

    private final List<Throwable> seen = new ArrayList<>();

    /** Two Compute Nodes with two threads each: 0 and 1, 2 and 3. */
    private static ClusterConfig.Builder config() {
        return ClusterConfig.builder()
                .cluster("links")
                .memoryNodes(0, 0)
                .computeNodes(1, 2)
                .threadsPerNode(2)
                .segmentSizeLog2(12)
                .reclaim(Reclamation.BARRIER);
    }

    private static SimulatedCluster cluster(ClusterConfig config, Schedule schedule) {
        return new SimulatedCluster(config, schedule).prepared(ct -> {
            if (ct.id() == 0) {
                ct.root().set(new RdmaPtr<>(ct.allocate(64)));
                ct.write(ct.root().get().raw(), 0);
            }
        });
    }

    /** Adds 1 several times; returns how many additions have an unknown outcome. */
    private int add(ComputeThread ct) {
        long counter = ct.root().get().raw();
        int unknown = 0;
        for (int i = 0; i < ADDITIONS; i++) {
            Throwable thrown = catchThrowable(() -> ct.fetchAndAdd(counter, 1));
            if (thrown instanceof OutcomeUnknownException) {
                unknown++;
            } else if (thrown != null) {
                seen.add(thrown);
                break;
            }
        }
        return unknown;
    }

    @Test
    void aLinkThatIsDownForAWhileEndsNothingAndLeavesOnlyWhatWasInFlightUnknown() throws Exception {
        Set<Long> missing = new HashSet<>();
        for (long seed = 0; seed < SCHEDULES; seed++) {
            int[] unknown = {0};
            long[] sum = {-1};
            SimulatedCluster cluster =
                    cluster(config().build(), Schedule.random(seed).withStrikes(new Strike(Fault.DOWN_LINKS, 2, 4)));
            cluster.concluded(ct -> sum[0] = ct.read(ct.root().get().raw())).run(ct -> {
                int own = add(ct);
                unknown[0] += own;
            });
            assertThat(cluster.struck()).hasSize(1);
            assertThat(seen).isEmpty();
            assertThat(unknown[0]).isLessThanOrEqualTo(2); // one for each thread of the node
            assertThat(sum[0]).isBetween(4L * ADDITIONS - unknown[0], 4L * ADDITIONS);
            missing.add(4L * ADDITIONS - sum[0]);
        }
        assertThat(missing).contains(0L, 1L);
    }

    @Test
    void aLinkThatStaysDownForTheLossTimeoutLosesTheNodeWithThatReasonAtBothEnds() throws Exception {
        SimulatedCluster cluster =
                cluster(config().build(), Schedule.random(7).withStrikes(new Strike(Fault.LOST_LINKS, 2, 4)));
        cluster.run(ct -> {
            add(ct);
            Throwable thrown = catchThrowable(ct::barrier);
            if (thrown != null) {
                seen.add(thrown);
            }
        });
        assertThat(seen)
                .isNotEmpty()
                .allSatisfy(e -> assertThat(e).isInstanceOfSatisfying(NodeLostException.class, lost -> {
                    assertThat(lost.kind()).isEqualTo(LossKind.UNREACHABLE);
                    assertThat(lost).hasMessageContaining("was unreachable for 10 s");
                }));
        assertThat(seen).extracting(e -> ((NodeLostException) e).node()).contains(0, 2);
    }

    @Test
    void aNodeThatOneMemoryNodeHasDeclaredLostIsCutOffByTheOtherTooAndEndsWithThatReason() throws Exception {
        ClusterConfig config = config().memoryNodes(0, 1)
                .computeNodes(2, 3)
                .onNodeLoss(OnNodeLoss.CONTINUE)
                .build();
        int[] others = {0};
        cluster(config, Schedule.random(3).withStrikes(new Strike(Fault.LOST_LINKS, 2, 4)))
                .run(ct -> {
                    long[] blocks = {ct.allocate(64), ct.allocate(64)};
                    NodeLostException last = null;
                    while (ct.id() == 2 && (last == null || last.node() != 3)) {
                        for (long block : blocks) {
                            Throwable thrown = catchThrowable(() -> ct.fetchAndAdd(block, 1));
                            last = thrown instanceof NodeLostException lost ? lost : last;
                        }
                    }
                    while (ct.id() < 2 && !ct.peers().isLost(2)) {
                        ct.pause();
                    }
                    if (last != null) {
                        seen.add(last);
                    }
                    others[0] += ct.id() < 2 ? 1 : 0;
                });
        assertThat(seen)
                .singleElement(THROWABLE)
                .hasMessageMatching("Compute Node 3, this node, was declared lost by Memory Node [01]: the others may"
                        + " take over what it held, so it changes nothing more and ends");
        assertThat(others[0]).isEqualTo(2);
    }

    @Test
    void aNodeThatEndsInGoodOrderWithoutOneOfItsLinksIsLost() throws Exception {
        ClusterConfig config = config().memoryNodes(0, 1)
                .computeNodes(2, 3)
                .threadsPerNode(1)
                .onNodeLoss(OnNodeLoss.CONTINUE)
                .build();
        for (long seed = 0; seed < SCHEDULES; seed++) {
            boolean[] isLost = {false};
            cluster(config, Schedule.random(seed).withStrikes(new Strike(Fault.LOST_LINKS, 1, 4)))
                    .run(ct -> {
                        long[] blocks = {ct.allocate(64), ct.allocate(64)};
                        boolean fails = false;
                        while (ct.id() == 1 && !fails) {
                            for (long block : blocks) {
                                fails |= catchThrowable(() -> ct.read(block)) != null;
                            }
                        }
                        while (ct.id() == 0 && !ct.peers().isLost(1)) {
                            ct.pause();
                        }
                        isLost[0] |= ct.id() == 0;
                    });
            assertThat(isLost[0]).isTrue();
        }
    }
}
