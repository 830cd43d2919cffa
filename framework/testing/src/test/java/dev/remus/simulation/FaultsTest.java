// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.check.Recorder;
import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.config.OnNodeLoss;
import dev.remus.config.Reclamation;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each fault happens in the simulator, and a thread notices it as on a real fabric. */
@Tag("any-jdk")
class FaultsTest {
    private static final int ADDITIONS = 10;
    private static final int SCHEDULES = 40;

    /** A seed whose pause is longer than the limit of a run without pauses. */
    private static final long LONG_PAUSE = 63;

    /** Two Compute Nodes with two threads each: 0 and 1, 2 and 3. */
    private static ClusterConfig.Builder config() {
        return ClusterConfig.builder()
                .cluster("faults")
                .memoryNodes(0, 1)
                .computeNodes(2, 3)
                .threadsPerNode(2)
                .lanes(2)
                .lanePolicy(LanePolicy.RAND)
                .segmentSizeLog2(12)
                .reclaim(Reclamation.BARRIER);
    }

    private final Recorder<String, Long> recorder = new Recorder<>();
    private final List<Throwable> seen = new ArrayList<>();
    private final List<Integer> met = new ArrayList<>();

    private SimulatedCluster cluster(ClusterConfig config, Schedule schedule) {
        return new SimulatedCluster(config, schedule).prepared(ct -> {
            if (ct.id() == 0) {
                ct.root().set(new RdmaPtr<>(ct.allocate(64)));
                ct.write(ct.root().get().raw(), 0);
            }
        });
    }

    private void add(ComputeThread ct) {
        long counter = ct.root().get().raw();
        for (int i = 0; i < ADDITIONS; i++) {
            recorder.record(ct.id(), "add", () -> ct.fetchAndAdd(counter, 1));
        }
    }

    /** Records the exceptions of a thread, and rethrows them. */
    private ComputeNode.Body noting(ComputeNode.Body body) {
        return ct -> {
            try {
                body.run(ct);
            } catch (FabricException e) {
                seen.add(e);
                throw e;
            }
        };
    }

    private void addThenMeet(ComputeThread ct) {
        add(ct);
        ct.barrier();
        met.add(ct.id());
    }

    private SimulatedCluster run(ClusterConfig config, Strike... strikes) throws Exception {
        SimulatedCluster cluster = cluster(config, Schedule.random(7).withStrikes(strikes));
        cluster.run(noting(this::addThenMeet));
        assertThat(cluster.struck()).containsExactly(strikes);
        return cluster;
    }

    private Set<Integer> threadsWithPendingOperations() {
        Set<Integer> threads = new HashSet<>();
        recorder.history().only(invocation -> invocation.isPending()).threads().forEach(threads::add);
        return threads;
    }

    private long returned(int thread) {
        return recorder.history()
                .only(i -> i.thread() == thread && !i.isPending())
                .size();
    }

    // ------------------------------------------------------------------------------------------ threads

    @Test
    void aStoppedThreadLeavesItsOperationPendingAndTheOthersGoOnUntilTheyWaitForIt() throws Exception {
        SimulatedCluster cluster = run(config().build(), new Strike(Fault.STOPPED_THREADS, 2, 5));
        assertThat(cluster.stoppedThreads()).containsExactly(2);
        assertThat(threadsWithPendingOperations()).containsExactly(2);
        assertThat(returned(2)).isLessThan(5);
        assertThat(List.of(returned(0), returned(1), returned(3))).containsOnly((long) ADDITIONS);
        assertThat(seen).as("its node lives on, so no loss is reported").isEmpty();
    }

    @Test
    void thePostedRequestsOfAStoppedThreadAreExecuted() throws Exception {
        for (int wait = 1; wait <= ADDITIONS; wait++) {
            long[] left = {-1};
            Strike strike = new Strike(Fault.STOPPED_THREADS, 1, wait + 1); // its first wait is for the root
            int additions = wait;
            cluster(config().build(), Schedule.random(wait).withStrikes(strike)).run(ct -> {
                if (ct.id() == 1) {
                    add(ct);
                } else if (ct.id() == 0) {
                    long counter = ct.root().get().raw();
                    while (ct.read(counter) < additions) {
                        ct.pause();
                    }
                    left[0] = ct.read(counter);
                }
            });
            assertThat(left[0]).isEqualTo(additions);
        }
    }

    @Test
    void aPausedThreadGoesOnLaterUnchanged() throws Exception {
        SimulatedCluster cluster = run(config().build(), new Strike(Fault.PAUSED_THREADS, 2, 5));
        assertThat(cluster.stoppedThreads()).isEmpty();
        assertThat(threadsWithPendingOperations()).isEmpty();
        assertThat(recorder.history().size()).isEqualTo(4 * ADDITIONS);
        assertThat(seen).isEmpty();
    }

    @Test
    void aPauseMayLastUntilAllOthersAreDone() throws Exception {
        boolean lastOfAll = false;
        for (long seed = 0; seed < SCHEDULES && !lastOfAll; seed++) {
            List<Integer> order = new ArrayList<>();
            cluster(config().build(), Schedule.random(seed).withStrikes(new Strike(Fault.PAUSED_THREADS, 0, 2)))
                    .run(ct -> {
                        add(ct);
                        order.add(ct.id());
                    });
            lastOfAll = order.indexOf(0) == 3;
        }
        assertThat(lastOfAll).isTrue();
    }

    @Test
    void aThreadThatPollsForAPausedThreadDoesNotRunOutOfSteps() throws Exception {
        long[] looked = {0};
        Schedule longPause = Schedule.random(LONG_PAUSE).withStrikes(new Strike(Fault.PAUSED_THREADS, 0, 2));
        cluster(config().build(), longPause).run(ct -> {
            if (ct.id() == 0) {
                add(ct);
            } else if (ct.id() == 1) {
                long counter = ct.root().get().raw();
                while (ct.read(counter) < ADDITIONS) {
                    looked[0]++;
                }
            }
        });
        assertThat(looked[0])
                .isGreaterThan(150_000); // two steps or more for each, which exceeds the limit without delays
    }

    @Test
    void aLateRequestArrivesInTheEndAndOthersDoNotWaitForIt() throws Exception {
        boolean lastOfAll = false;
        for (long seed = 0; seed < SCHEDULES; seed++) {
            List<Integer> order = new ArrayList<>();
            SimulatedCluster cluster =
                    cluster(config().build(), Schedule.random(seed).withStrikes(new Strike(Fault.LATE_REQUESTS, 0, 2)));
            cluster.run(ct -> {
                add(ct);
                order.add(ct.id());
            });
            assertThat(order).hasSize(4);
            assertThat(cluster.stoppedThreads()).isEmpty();
            lastOfAll |= order.indexOf(0) == 3;
        }
        assertThat(lastOfAll).isTrue();
    }

    /**
     * Thread 0 adds 1 by a READ and a WRITE, and thread 2 by FETCH_AND_ADD after the time at which the WRITE should
     * arrive.
     */
    private boolean isAdditionLost(Schedule schedule) throws Exception {
        long[] left = {0};
        cluster(config().build(), schedule).run(ct -> {
            long word = ct.root().get().raw();
            if (ct.id() == 0) {
                ct.write(word, ct.read(word) + 1);
            } else if (ct.id() == 2) {
                for (int i = 0; i < 5; i++) {
                    ct.pause();
                }
                ct.fetchAndAdd(word, 1);
            }
            ct.barrier();
            left[0] = ct.read(word);
        });
        return left[0] == 1;
    }

    @Test
    void aLateRequestConflictsWithOthersAtTheSameWord() throws Exception {
        int lost = 0;
        int lostWhenLate = 0;
        Strike late = new Strike(Fault.LATE_REQUESTS, 0, 3); // the first waits are for the root and the READ
        for (long seed = 0; seed < SCHEDULES; seed++) {
            lost += isAdditionLost(Schedule.random(seed)) ? 1 : 0;
            lostWhenLate += isAdditionLost(Schedule.random(seed).withStrikes(late)) ? 1 : 0;
        }
        assertThat(lostWhenLate).isGreaterThan(lost + SCHEDULES / 5);
    }

    // ------------------------------------------------------------------------------------------ nodes

    @Test
    void theLossOfAComputeNodeEndsTheRunForAllOthers() throws Exception {
        SimulatedCluster cluster = run(config().build(), new Strike(Fault.LOST_COMPUTE_NODES, 2, 5));
        assertThat(cluster.stoppedThreads()).containsExactlyInAnyOrder(2, 3);
        assertThat(threadsWithPendingOperations()).isSubsetOf(2, 3);
        assertThat(seen)
                .hasSize(2)
                .allSatisfy(e -> assertThat(e)
                        .isInstanceOfSatisfying(
                                NodeLostException.class,
                                lost -> assertThat(lost.node()).isEqualTo(3)));
    }

    @Test
    void afterTheLossOfAComputeNodeTheOthersPassBarriersIfTheRunIsToContinue() throws Exception {
        ClusterConfig config = config().onNodeLoss(OnNodeLoss.CONTINUE).build();
        run(config, new Strike(Fault.LOST_COMPUTE_NODES, 2, 5));
        assertThat(List.of(returned(0), returned(1))).containsOnly((long) ADDITIONS);
        assertThat(met).containsExactlyInAnyOrder(0, 1);
        assertThat(seen).isEmpty();
    }

    @Test
    void aPostedRequestOfAKilledNodeIsExecutedOrNot() throws Exception {
        Set<Long> sums = new HashSet<>();
        for (long seed = 0; seed < SCHEDULES; seed++) {
            long[] sum = {-1};
            ClusterConfig config = config().onNodeLoss(OnNodeLoss.CONTINUE).build();
            cluster(config, Schedule.random(seed).withStrikes(new Strike(Fault.LOST_COMPUTE_NODES, 2, 2)))
                    .run(ct -> {
                        if (ct.id() == 2) {
                            add(ct);
                        } else if (ct.id() == 0) {
                            while (true) { // until the loss of the other's node is known
                                try {
                                    ct.pauseFor(2);
                                } catch (NodeLostException e) {
                                    break;
                                }
                            }
                            sum[0] = ct.read(ct.root().get().raw());
                        }
                    });
            sums.add(sum[0]);
        }
        assertThat(sums).containsExactlyInAnyOrder(0L, 1L);
    }

    @Test
    void theLossOfAMemoryNodeShowsAsANodeLostException() throws Exception {
        SimulatedCluster cluster = run(config().build(), new Strike(Fault.LOST_MEMORY_NODES, 2, 5));
        assertThat(cluster.stoppedThreads()).isEmpty();
        assertThat(seen).isNotEmpty().allSatisfy(e -> assertThat(e).isInstanceOf(NodeLostException.class));
    }

    @Test
    void aSlowNodeIsOvertakenByTheOther() throws Exception {
        List<Integer> order = new ArrayList<>();
        cluster(config().build(), Schedule.random(1).withStrikes(new Strike(Fault.SLOW_NODES, 0, 1)))
                .run(ct -> {
                    for (int i = 0; i < ADDITIONS; i++) {
                        add(ct);
                    }
                    order.add(ct.id());
                });
        assertThat(order.subList(0, 2)).containsExactlyInAnyOrder(2, 3);
        assertThat(order).hasSize(4);
    }

    // ------------------------------------------------------------------------------------------ lanes

    @Test
    void aBrokenLaneFailsItsOperationWithUnknownOutcomeAndIsRepaired() throws Exception {
        Set<Long> sums = new HashSet<>();
        for (long seed = 0; seed < SCHEDULES; seed++) {
            SimulatedCluster cluster =
                    cluster(config().build(), Schedule.random(seed).withStrikes(new Strike(Fault.BROKEN_LANES, 2, 3)));
            cluster.run(ct -> {
                if (ct.id() == 2) {
                    long counter = ct.root().get().raw();
                    ct.read(counter);
                    assertThatThrownBy(() -> ct.fetchAndAdd(counter, 1))
                            .isInstanceOf(FabricException.class)
                            .isNotInstanceOf(NodeLostException.class)
                            .hasMessageContaining("unknown");
                    sums.add(ct.read(counter));
                }
            });
            assertThat(cluster.struck()).hasSize(1);
        }
        assertThat(sums).containsExactlyInAnyOrder(0L, 1L);
    }

    @Test
    void aWriteOfManyWordsIsExecutedInPartIfItsLaneBreaks() throws Exception {
        Set<Long> patterns = new HashSet<>();
        for (long seed = 0; seed < SCHEDULES; seed++) {
            cluster(config().build(), Schedule.random(seed).withStrikes(new Strike(Fault.BROKEN_LANES, 0, 3)))
                    .run(ct -> {
                        if (ct.id() == 0) {
                            long block = ct.root().get().raw();
                            ByteBuffer two = ByteBuffer.allocate(16)
                                    .order(ByteOrder.LITTLE_ENDIAN)
                                    .putLong(0, 1)
                                    .putLong(8, 2);
                            ct.write(block + 8, 0);
                            assertThatThrownBy(() -> ct.write(block, two)).isInstanceOf(FabricException.class);
                            patterns.add(ct.read(block) + ct.read(block + 8));
                        }
                    });
        }
        assertThat(patterns).contains(0L, 3L).containsAnyOf(1L, 2L);
    }

    // ------------------------------------------------------------------------------------------ clocks

    @Test
    void skewedClocksDifferBetweenNodesAndDrift() throws Exception {
        long[] first = new long[4];
        long[] last = new long[4];
        cluster(config().build(), Schedule.random(3).withFaults(EnumSet.of(Fault.SKEWED_CLOCKS)))
                .run(ct -> {
                    ct.barrier();
                    first[ct.id()] = ct.nanoTime();
                    for (int i = 0; i < 200; i++) {
                        ct.pause();
                    }
                    last[ct.id()] = ct.nanoTime();
                    ct.barrier();
                });
        assertThat(Math.abs(first[0] - first[1])).as("on one node").isLessThan(1_000_000);
        assertThat(Math.abs(first[0] - first[2])).as("on two nodes").isGreaterThan(1_000_000);
        long drift = (last[0] - last[2]) - (first[0] - first[2]);
        assertThat(Math.abs(drift)).isGreaterThan(1_000_000);
    }

    // ------------------------------------------------------------------------------------------ by chance

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SKEWED_CLOCKS")
    void aFaultThatMayHappenDoesInSomeSchedulesAndLeavesMostOfTheRun(Fault fault) throws Exception {
        int struck = 0;
        for (long seed = 0; seed < SCHEDULES; seed++) {
            SimulatedCluster cluster =
                    cluster(config().build(), Schedule.random(seed).withFaults(EnumSet.of(fault)));
            cluster.run(this::addThenMeet);
            struck += cluster.struck().isEmpty() ? 0 : 1;
            assertThat(cluster.struck()).allSatisfy(s -> assertThat(s.fault()).isEqualTo(fault));
            assertThat(cluster.stoppedThreads()).hasSizeLessThan(4);
        }
        assertThat(struck).isGreaterThan(SCHEDULES / 4);
        assertThat(recorder.history().pending()).isLessThan(recorder.history().size() / 10);
    }

    @Test
    void runsWithAllFaultsEndAndAreTheSameAgain() throws Exception {
        for (long seed = 0; seed < SCHEDULES; seed++) {
            assertThat(hashOfRunWithAllFaults(seed)).isEqualTo(hashOfRunWithAllFaults(seed));
        }
    }

    private long hashOfRunWithAllFaults(long seed) throws Exception {
        SimulatedCluster cluster =
                cluster(config().build(), Schedule.random(seed).withFaults(EnumSet.allOf(Fault.class)));
        cluster.run(this::addThenMeet);
        return cluster.simulator().traceHash();
    }

    @Test
    void faultsThatMayHappenChangeNothingBeforeTheyDo() throws Exception {
        String without = trace(Schedule.random(5));
        String with = trace(Schedule.random(5).withStrikes(new Strike(Fault.STOPPED_THREADS, 3, ADDITIONS)));
        int fault = with.indexOf("    fault:");
        assertThat(fault).isPositive();
        assertThat(without).startsWith(with.substring(0, fault));
    }

    private String trace(Schedule schedule) throws Exception {
        SimulatedCluster cluster = cluster(config().build(), schedule);
        cluster.simulator().traced();
        cluster.run(this::addThenMeet);
        return cluster.simulator().trace();
    }
}
