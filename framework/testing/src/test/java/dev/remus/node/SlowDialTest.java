// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.sim.RandomScheduler;
import dev.remus.fabric.sim.SimFabric;
import dev.remus.fabric.sim.Simulator;
import dev.remus.fabric.sim.Weakness;
import dev.remus.memory.SegmentLayout;
import java.time.Duration;
import java.util.EnumSet;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The lane of a node's watch to Memory Node 0 is cut, and an attempt to connect it takes 20 s of simulated time. The
 * only thread of each Compute Node, 2 and 3, uses lane 0; the watch uses lane 1.
 */
@Timeout(120)
class SlowDialTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1000 * MILLI;
    private static final long LOSS_NANOS = 15 * SECOND;

    /** Five looks of a watch, with ample time for each. */
    private static final long A_SECOND_AND_A_HALF = 1500 * MILLI;

    private final ClusterConfig config = TestCluster.config(2, 2, 1)
            .lanes(2)
            .lanePolicy(LanePolicy.ONE_TO_ONE)
            .onNodeLoss(OnNodeLoss.CONTINUE)
            .lossTimeout(Duration.ofNanos(LOSS_NANOS))
            .build();

    private Simulator simulator = new Simulator(0, new RandomScheduler(0), EnumSet.noneOf(Weakness.class));
    private SlowDialFabric fabric = new SlowDialFabric(new SimFabric(simulator), 20 * SECOND);

    private interface Body {
        void run(ComputeNode node, ComputeNode other, ComputeThread ct);
    }

    private void simulate(long seed, Body body) {
        simulator = new Simulator(seed, new RandomScheduler(seed), EnumSet.allOf(Weakness.class)).maxSteps(10_000_000);
        fabric = new SlowDialFabric(new SimFabric(simulator), 20 * SECOND);
        simulator.run(() -> {
            try (MemoryNode first = MemoryNode.start(config, 0, fabric);
                    MemoryNode second = MemoryNode.start(config, 1, fabric);
                    ComputeNode node = ComputeNode.connect(config, 2, fabric);
                    ComputeNode other = ComputeNode.connect(config, 3, fabric)) {
                body.run(node, other, node.openThread(0));
            }
        });
    }

    /** Cuts the lane of the watch, and waits until it is dialled. */
    private void cut() {
        fabric.cut(2, 0, 1, true);
        await(A_SECOND_AND_A_HALF, () -> fabric.dialling() > 0);
    }

    private long now() {
        return simulator.nanoTime();
    }

    private void await(long nanos, BooleanSupplier condition) {
        long begin = now();
        while (!condition.getAsBoolean()) {
            assertThat(now() - begin).isLessThan(nanos);
            simulator.sleep(10 * MILLI);
        }
    }

    private static boolean isKnownToBeLost(ComputeThread ct, int thread) {
        try {
            ct.pauseFor(thread);
            return false;
        } catch (NodeLostException e) {
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void heartbeatsToTheOtherMemoryNodesGoOnEverySecond(long seed) {
        simulate(seed, (node, other, ct) -> {
            cut();
            long word = new SegmentLayout(config).heartbeat(1, 2);
            for (int i = 0; i < 5; i++) {
                long before = ct.parts.checked.readHeader(word);
                await(A_SECOND_AND_A_HALF, () -> ct.parts.checked.readHeader(word) != before);
                assertThat(fabric.attempts()).as("the first attempt goes on").isEqualTo(1);
            }
            fabric.cut(2, 0, 1, false);
            ct.close();
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void theLossOfANodeIsNoticedInTimeAndItsCutOffOnceTheLaneIsConnected(long seed) {
        simulate(seed, (node, other, ct) -> {
            cut();
            other.abort("a test");
            await(A_SECOND_AND_A_HALF, () -> isKnownToBeLost(ct, 1));
            assertThat(fabric.attempts()).as("the first attempt goes on").isEqualTo(1);
            fabric.cut(2, 0, 1, false);
            await(A_SECOND_AND_A_HALF, () -> ct.peers().isLost(1));
            ct.close();
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aNodeClosesWhileALaneIsDialledAndLeavesNoAttemptBehind(long seed) {
        simulate(seed, (node, other, ct) -> {
            cut();
            ct.close();
            simulator.start("link", false, () -> {
                simulator.sleep(5 * SECOND);
                fabric.cut(2, 0, 1, false);
            });
            long begin = now();
            node.close();
            assertThat(now() - begin).isLessThan(5 * SECOND + A_SECOND_AND_A_HALF);
            int attempts = fabric.attempts();
            assertThat(fabric.dialling()).isZero();
            simulator.sleep(30 * SECOND);
            assertThat(fabric.attempts()).isEqualTo(attempts);
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aNodeThatGoesOnWatchingOnlySomeMemoryNodesForTheLossTimeoutEnds(long seed) {
        simulate(seed, (node, other, ct) -> {
            cut();
            await(LOSS_NANOS + A_SECOND_AND_A_HALF, () -> ct.parts.participation.hasGivenUp());
            assertThat(ct.parts.participation.failure()).contains("can no longer watch the others");
        });
    }
}
