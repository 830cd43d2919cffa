// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.config.Reclamation;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.fabric.sim.Weakness;
import dev.remus.junit.SimulationTest;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.CompletionBarrier;
import dev.remus.node.CompletionGrade;
import dev.remus.node.ComputeThread;
import dev.remus.node.RemoteFuture;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Asynchronous operations and completion barriers work over lanes that do everything the contract allows. */
@Tag("any-jdk")
class AsyncSimulationTest {
    private static final int SCHEDULES = 200;

    /** Two Memory Nodes and two Compute Nodes with a thread each, which posts on three lanes in turn. */
    private static final ClusterConfig CONFIG = ClusterConfig.builder()
            .cluster("async")
            .memoryNodes(0, 1)
            .computeNodes(2, 3)
            .segmentSizeLog2(12)
            .reclaim(Reclamation.BARRIER)
            .lanes(3)
            .lanePolicy(LanePolicy.RR)
            .opsPerThread(16)
            .build();

    /** Thread 0 allocates a block on each Memory Node; returns the one on Memory Node 0, or 1. */
    private static long block(ComputeThread ct, int memoryNode) {
        if (ct.id() == 0) {
            long[] blocks = new long[2];
            for (int i = 0; i < 2; i++) {
                long block = ct.allocate(64);
                blocks[RdmaPtr.node(block)] = block;
                for (int word = 0; word < 64; word += 8) {
                    ct.write(block + word, 0);
                }
            }
            ct.write(blocks[0] + 56, blocks[1]);
            ct.root().set(new RdmaPtr<>(blocks[0]));
        }
        ct.barrier();
        long first = ct.root().get().raw();
        return memoryNode == 0 ? first : ct.read(first + 56);
    }

    @SimulationTest(schedules = SCHEDULES)
    void tenOperationsCostAtMostOneWakeUpThoughTheLanesCompleteOutOfOrder(Schedule schedule) throws Exception {
        new SimulatedCluster(CONFIG, schedule).run(ct -> {
            long near = block(ct, 0);
            long far = block(ct, 1);
            ct.barrier();
            if (ct.id() == 0) {
                for (CompletionGrade grade : CompletionGrade.values()) {
                    long before = ct.metrics().wakeUps();
                    ct.async().write(far, 1).detach();
                    CompletionBarrier barrier = ct.async().barrier(0);
                    long last = 0;
                    for (int i = 0; i < 10; i++) {
                        last = ct.async().write(near + 8L * (i % 6), i).detach();
                    }
                    if (barrier.poll(last, grade) < last) { // not if the thread has paused
                        assertThat(ct.async().awaitArmed()).isSameAs(barrier);
                    }
                    assertThat(ct.metrics().wakeUps() - before).isLessThanOrEqualTo(1);
                    assertThat(barrier.completed(grade)).isEqualTo(last);
                    assertThatThrownBy(() -> ct.async().tryAwaitArmed(0)).isInstanceOf(IllegalStateException.class);
                }
            }
            ct.barrier();
        });
    }

    @Test
    void lanesCompleteOutOfOrderAndABarrierIsOfOneDestination() throws Exception {
        Set<String> seen = new HashSet<>();
        for (long seed = 0; seed < SCHEDULES; seed++) {
            new SimulatedCluster(CONFIG, Schedule.random(seed)).run(ct -> {
                long near = block(ct, 0);
                long far = block(ct, 1);
                ct.barrier();
                if (ct.id() == 0) {
                    RemoteFuture other = ct.async().read(far);
                    List<RemoteFuture> futures = new ArrayList<>();
                    for (int i = 0; i < 6; i++) {
                        futures.add(ct.async().read(near));
                    }
                    CompletionBarrier barrier = ct.async().barrier(0);
                    long last = futures.get(5).id();
                    while (barrier.completed(CompletionGrade.LOCAL) < last) {
                        long upTo = barrier.completed(CompletionGrade.LOCAL);
                        for (int i = 0; i < 6; i++) {
                            boolean done = futures.get(i).isDone();
                            if (i + 1 <= upTo) {
                                assertThat(done).isTrue();
                            } else if (i + 1 > upTo + 1 && done) {
                                seen.add("out of order");
                            }
                        }
                        ct.pause();
                    }
                    if (!other.isDone()) {
                        seen.add("all but the other destination");
                        assertThat(ct.async().barrier(1).completed(CompletionGrade.LOCAL))
                                .isLessThanOrEqualTo(1);
                    }
                    other.await();
                    futures.forEach(RemoteFuture::await);
                }
                ct.barrier();
            });
        }
        assertThat(seen).containsExactlyInAnyOrder("out of order", "all but the other destination");
    }

    private interface Writer {
        void write(long data, ComputeThread ct);
    }

    /** Counts the schedules in which a reader sees the flag on one Memory Node and not the data on the other. */
    private static int flagsBeforeData(Writer writer, Set<Weakness> weaknesses) throws Exception {
        int[] seen = {0};
        for (long seed = 0; seed < SCHEDULES; seed++) {
            new SimulatedCluster(CONFIG, Schedule.random(seed).withWeaknesses(weaknesses)).run(ct -> {
                long data = block(ct, 0);
                long flag = block(ct, 1);
                if (ct.id() == 0) {
                    writer.write(data, ct);
                    ct.write(flag, 1);
                } else {
                    for (int i = 0; i < 20 && ct.read(flag) == 0; i++) {
                        ct.pause();
                    }
                    seen[0] += ct.read(flag) == 1 && ct.read(data) == 0 ? 1 : 0;
                }
                ct.barrier();
            });
        }
        return seen[0];
    }

    @Test
    void aThreadThatSeesALaterWriteSeesAnAwaitedOne() throws Exception {
        Set<Weakness> all = EnumSet.allOf(Weakness.class);
        assertThat(flagsBeforeData((data, ct) -> ct.async().write(data, 1).await(), all))
                .isZero();
        assertThat(flagsBeforeData(
                        (data, ct) -> {
                            LocalBuffer local = ct.allocateLocal(8);
                            local.putLong(0, 1);
                            ct.sequence()
                                    .write(data, local, 0, 8)
                                    .executeAsync()
                                    .await();
                        },
                        all))
                .isZero();
        assertThat(flagsBeforeData(
                        (data, ct) -> {
                            ct.async().write(data, 1).detach();
                            ct.async().awaitAll();
                        },
                        all))
                .isZero();
        assertThat(flagsBeforeData(
                        (data, ct) -> {
                            long id = ct.async().write(data, 1).detach();
                            ct.async().barrier(0).await(id, CompletionGrade.REMOTE);
                        },
                        all))
                .isZero();
    }

    @Test
    void aWriteThatIsOnlyLocallyCompleteMayBeSeenAfterALaterOne() throws Exception {
        Writer local = (data, ct) -> {
            LocalBuffer others = ct.allocateLocal(48);
            for (int i = 0; i < 9; i++) { // all lanes have other WRITEs to place before it
                ct.async().write(data + 8, others, 0, 48).detach();
            }
            long id = ct.async().write(data, 1).detach();
            ct.async().barrier(0).await(id, CompletionGrade.LOCAL);
        };
        assertThat(flagsBeforeData(local, EnumSet.allOf(Weakness.class))).isPositive();
        assertThat(flagsBeforeData(local, EnumSet.complementOf(EnumSet.of(Weakness.UNPLACED_WRITES))))
                .isZero();
    }

    @SimulationTest(schedules = SCHEDULES)
    void noCountIsLostWithManyInFlight(Schedule schedule) throws Exception {
        long[] sum = {0};
        new SimulatedCluster(CONFIG, schedule).run(ct -> {
            long counter = block(ct, 1);
            Set<Long> mine = new HashSet<>();
            List<RemoteFuture> futures = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                futures.add(ct.async().fetchAndAdd(counter, 1));
            }
            for (RemoteFuture future : futures) {
                mine.add(future.await());
            }
            assertThat(mine).hasSize(12);
            for (int i = 0; i < 20; i++) {
                ct.async().fetchAndAdd(counter, 1).detach();
            }
            ct.barrier();
            sum[0] = ct.read(counter);
        });
        assertThat(sum[0]).isEqualTo(2 * 32);
    }

    @SimulationTest(schedules = SCHEDULES)
    void whenLanesBreakEveryWaitEndsAndTheThreadContinues(Schedule schedule) throws Exception {
        int[] failures = {0};
        SimulatedCluster cluster = new SimulatedCluster(
                CONFIG,
                schedule.withoutFaults()
                        .withStrikes(new Strike(Fault.BROKEN_LANES, 0, 1), new Strike(Fault.BROKEN_LANES, 0, 3)));
        long[] pointers = new long[2];
        cluster.prepared(ct -> {
                    pointers[0] = block(ct, 0);
                    pointers[1] = block(ct, 1);
                })
                .run(ct -> {
                    if (ct.id() == 0) {
                        for (int round = 0; round < 4; round++) {
                            List<RemoteFuture> futures = new ArrayList<>();
                            for (int i = 0; i < 5; i++) {
                                futures.add(ct.async().write(pointers[i % 2], i));
                                futures.add(ct.async().read(pointers[i % 2] + 8));
                            }
                            for (RemoteFuture future : futures) {
                                long id = future.id();
                                try {
                                    future.await();
                                } catch (FabricException e) {
                                    assertThat(e).hasMessageContaining("operation " + id + " to Memory Node");
                                    failures[0]++;
                                }
                            }
                        }
                        while (true) {
                            try {
                                ct.place();
                                break;
                            } catch (FabricException e) {
                                failures[0]++;
                            }
                        }
                        ct.async().write(pointers[0], 77).await();
                        assertThat(ct.read(pointers[0])).isEqualTo(77);
                    }
                });
        assertThat(cluster.struck()).hasSize(2);
        assertThat(failures[0]).isPositive();
    }
}
