// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Chain;
import dev.remus.fabric.Completions;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Lane;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.RemoteSegment;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What requests on a lane may do by the fabric contract: it happens in some schedule, and never when it is switched off
 * or with the remedy that the contract names. What Compute Threads see of it is in {@code LitmusTest}.
 */
class LaneLitmusTest {
    private static final int SCHEDULES = 100;
    private static final int WORD = 64;
    private static final int RESULT = 0;
    private static final int ONE = 8;
    private static final int REST = 16;
    private static final Set<Weakness> ALL = EnumSet.allOf(Weakness.class);

    private static final ClusterConfig CONFIG = ClusterConfig.builder()
            .cluster("lanes")
            .memoryNodes(0, 0)
            .computeNodes(1, 1)
            .segmentSizeLog2(12)
            .build();

    /** What one thread does with two lanes to one Memory Node, and what it learns. */
    private interface Litmus {
        long seen(OneThread thread);
    }

    private static final class OneThread {
        final Simulator simulator;
        final Link link;
        final RemoteSegment segment;
        final LocalBuffer local;
        final Chain chain = new Chain(4);
        private final Completions completions = new Completions(4);

        OneThread(Simulator simulator, ComputeEndpoint compute) {
            this.simulator = simulator;
            this.link = compute.connect(0, 2, Duration.ofSeconds(1));
            this.segment = link.segment(0);
            this.local = compute.allocateLocal(64);
            local.putLong(ONE, 1);
        }

        /** Posts the chain with its last request signalled, and waits for that. */
        void execute(int lane) {
            Lane there = link.lane(lane);
            there.post(chain.signalled(1));
            while (there.poll(completions) == 0) {
                simulator.newPauses().pause(0, Long.MAX_VALUE);
            }
        }

        long read(int lane) {
            chain.clear().read(segment, WORD, local, RESULT, 8);
            execute(lane);
            return local.getLong(RESULT);
        }
    }

    /** In how many schedules the thread sees a 1. */
    private static int seen(Litmus litmus, Set<Weakness> weaknesses) {
        int count = 0;
        for (long seed = 0; seed < SCHEDULES; seed++) {
            Simulator simulator = new Simulator(seed, new RandomScheduler(seed), weaknesses);
            SimFabric fabric = new SimFabric(simulator);
            long[] seen = {0};
            simulator.run(() -> {
                try (MemoryEndpoint memory = fabric.openMemory(CONFIG, 0);
                        ComputeEndpoint compute = fabric.openCompute(CONFIG, 1)) {
                    memory.publish();
                    seen[0] = litmus.seen(new OneThread(simulator, compute));
                }
            });
            count += (int) seen[0];
        }
        return count;
    }

    private static void happensOnlyWith(Weakness weakness, Litmus litmus) {
        assertThat(seen(litmus, ALL)).as("with everything").isPositive();
        assertThat(seen(litmus, EnumSet.of(weakness))).as("with that alone").isPositive();
        assertThat(seen(litmus, EnumSet.complementOf(EnumSet.of(weakness))))
                .as("with everything else")
                .isZero();
    }

    // ------------------------------------------------------------------------------------------ overtaken READs

    @Test
    void aWriteOvertakesAnEarlierRead() {
        happensOnlyWith(Weakness.OVERTAKEN_READS, thread -> {
            thread.chain
                    .clear()
                    .read(thread.segment, WORD, thread.local, RESULT, 8)
                    .write(thread.segment, WORD, thread.local, ONE, 8);
            thread.execute(0);
            return thread.local.getLong(RESULT);
        });
    }

    @Test
    void anAtomicOvertakesAnEarlierRead() {
        happensOnlyWith(Weakness.OVERTAKEN_READS, thread -> {
            thread.chain
                    .clear()
                    .read(thread.segment, WORD, thread.local, RESULT, 8)
                    .fetchAndAdd(thread.segment, WORD, 1, thread.local, REST);
            thread.execute(0);
            return thread.local.getLong(RESULT);
        });
    }

    @Test
    void aWriteOvertakesAnEarlierAtomic() {
        happensOnlyWith(Weakness.OVERTAKEN_ATOMICS, thread -> {
            thread.chain
                    .clear()
                    .fetchAndAdd(thread.segment, WORD, 0, thread.local, RESULT)
                    .write(thread.segment, WORD, thread.local, ONE, 8);
            thread.execute(0);
            return thread.local.getLong(RESULT);
        });
    }

    @Test
    void anAtomicOvertakesAnEarlierAtomic() {
        happensOnlyWith(Weakness.OVERTAKEN_ATOMICS, thread -> {
            thread.chain
                    .clear()
                    .compareAndSwap(thread.segment, WORD, 7, 8, thread.local, RESULT)
                    .fetchAndAdd(thread.segment, WORD, 1, thread.local, REST);
            thread.execute(0);
            return thread.local.getLong(RESULT);
        });
    }

    @Test
    void aFencedWriteNeverOvertakesAnEarlierAtomic() {
        assertThat(seen(
                        thread -> {
                            thread.chain
                                    .clear()
                                    .fetchAndAdd(thread.segment, WORD, 0, thread.local, RESULT)
                                    .write(thread.segment, WORD, thread.local, ONE, 8)
                                    .fenced();
                            thread.execute(0);
                            return thread.local.getLong(RESULT);
                        },
                        ALL))
                .isZero();
    }

    @Test
    void aFencedWriteNeverOvertakesAnEarlierRead() {
        assertThat(seen(
                        thread -> {
                            thread.chain
                                    .clear()
                                    .read(thread.segment, WORD, thread.local, RESULT, 8)
                                    .write(thread.segment, WORD, thread.local, ONE, 8)
                                    .fenced();
                            thread.execute(0);
                            return thread.local.getLong(RESULT);
                        },
                        ALL))
                .isZero();
    }

    @Test
    void aFencedAtomicNeverOvertakesAnEarlierRead() {
        assertThat(seen(
                        thread -> {
                            thread.chain
                                    .clear()
                                    .read(thread.segment, WORD, thread.local, RESULT, 8)
                                    .compareAndSwap(thread.segment, WORD, 0, 1, thread.local, REST)
                                    .fenced();
                            thread.execute(0);
                            return thread.local.getLong(RESULT);
                        },
                        ALL))
                .isZero();
    }

    // ------------------------------------------------------------------------------------------ unplaced WRITEs

    @Test
    void aCompletedWriteIsNotSeenOnAnotherLane() {
        happensOnlyWith(Weakness.UNPLACED_WRITES, thread -> {
            thread.chain.clear().write(thread.segment, WORD, thread.local, ONE, 8);
            thread.execute(0);
            return 1 - thread.read(1);
        });
    }

    @Test
    void aWriteBehindWhichAReadHasCompletedIsSeenOnEveryLane() {
        assertThat(seen(
                        thread -> {
                            thread.chain
                                    .clear()
                                    .write(thread.segment, WORD, thread.local, ONE, 8)
                                    .read(thread.segment, 0, thread.local, REST, 8);
                            thread.execute(0);
                            return 1 - thread.read(1);
                        },
                        ALL))
                .isZero();
    }

    @Test
    void aCompletedWriteIsSeenOnItsOwnLane() {
        assertThat(seen(
                        thread -> {
                            thread.chain.clear().write(thread.segment, WORD, thread.local, ONE, 8);
                            thread.execute(0);
                            return 1 - thread.read(0);
                        },
                        ALL))
                .isZero();
    }

    // ------------------------------------------------------------------------------------------ order across lanes

    @Test
    void aRequestIsExecutedBeforeAnEarlierOneOnAnotherLane() {
        happensOnlyWith(Weakness.UNORDERED_LANES, thread -> {
            Chain write = thread.chain.clear().write(thread.segment, WORD, thread.local, ONE, 8);
            write.read(thread.segment, 0, thread.local, REST, 8); // so that it is placed
            thread.link.lane(1).post(write);
            return 1 - thread.read(0);
        });
    }

    @Test
    void aRequestIsNeverExecutedBeforeAnEarlierOneThatHasBeenWaitedFor() {
        assertThat(seen(
                        thread -> {
                            Chain write = thread.chain.clear().write(thread.segment, WORD, thread.local, ONE, 8);
                            write.read(thread.segment, 0, thread.local, REST, 8);
                            thread.execute(1);
                            return 1 - thread.read(0);
                        },
                        ALL))
                .isZero();
    }
}
