// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Chain;
import dev.remus.fabric.Completions;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Environment;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Lane;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.RemoteSegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The same seed gives the same run on every Java, whatever its threads are. A change of the simulator may change these
 * numbers, and with them the meaning of every recorded seed. The numbers must then be replaced.
 */
class GoldenTraceTest {
    private static final long SEED = 4711;
    private static final int WORDS = 16;
    private static final int REQUESTS = 20;

    /**
     * Two nodes, some threads on each, one lane for each thread to the one Memory Node; on it, all kinds of requests.
     */
    private static final class World {
        final Simulator simulator;
        final SimFabric fabric;
        final int threadsPerNode;
        int completed;

        World(Scheduler scheduler, Set<Fault> faults, int threadsPerNode) {
            this.simulator = new Simulator(SEED, scheduler, EnumSet.allOf(Weakness.class)).faults(faults, List.of());
            this.fabric = new SimFabric(simulator);
            this.threadsPerNode = threadsPerNode;
        }

        private static ClusterConfig config() {
            return ClusterConfig.builder()
                    .cluster("golden")
                    .memoryNodes(0, 0)
                    .computeNodes(1, 2)
                    .segmentSizeLog2(12)
                    .build();
        }

        String run() {
            simulator.run(() -> {
                try (MemoryEndpoint memory = fabric.openMemory(config(), 0)) {
                    memory.publish();
                    join(List.of(start(1), start(2)));
                }
            });
            return simulator.steps() + " steps " + Long.toHexString(simulator.traceHash());
        }

        private Environment.Task start(int node) {
            return simulator.start("node-" + node, false, () -> {
                try (ComputeEndpoint compute = fabric.openCompute(config(), node)) {
                    Link link = compute.connect(0, threadsPerNode, Duration.ofSeconds(1));
                    List<Environment.Task> threads = new ArrayList<>();
                    for (int i = 0; i < threadsPerNode; i++) {
                        int thread = (node - 1) * threadsPerNode + i;
                        Lane lane = link.lane(i);
                        threads.add(simulator.start("thread-" + thread, false, () -> {
                            simulator.expose(thread);
                            work(thread, lane, link.segment(0), compute.allocateLocal(128));
                            simulator.shelter();
                        }));
                    }
                    join(threads);
                }
            });
        }

        private static void join(List<Environment.Task> tasks) {
            try {
                for (Environment.Task task : tasks) {
                    task.join();
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        private void work(int thread, Lane lane, RemoteSegment segment, LocalBuffer local) {
            SplittableRandom random = new SplittableRandom(thread);
            Chain chain = new Chain(4);
            Completions completions = new Completions(4);
            local.putLong(64, thread);
            for (int i = 0; i < REQUESTS; i++) {
                long word = 64 + 8L * random.nextInt(WORDS);
                local.putLong(72, simulator.nanoTime());
                chain.clear().read(segment, word, local, 0, 8 * (1 + random.nextInt(4)));
                if (random.nextBoolean()) {
                    chain.fetchAndAdd(segment, word, 1, local, 32);
                } else {
                    chain.compareAndSwap(segment, word, 0, thread, local, 40);
                }
                chain.write(segment, 512, local, 64, 16).read(segment, 0, local, 80, 8);
                lane.post(chain.signalled(i));
                while (lane.poll(completions) == 0) {
                    simulator.newPauses().pause(0, Long.MAX_VALUE);
                }
                completed++;
                recover(lane, completions);
            }
        }

        private static void recover(Lane lane, Completions completions) {
            while (lane.isBroken() && lane.poll(completions) > 0) {}
            try {
                lane.reconnect();
            } catch (FabricException e) {
                // the Memory Node is gone: the next chain fails as well
            }
        }
    }

    private static String run(Scheduler scheduler, Set<Fault> faults) {
        return new World(scheduler, faults, 3).run();
    }

    @Test
    void theSameSeedGivesTheSameRandomSchedule() {
        assertThat(run(new RandomScheduler(SEED), Set.of())).isEqualTo("1298 steps 494383b973d7d5c5");
    }

    @Test
    void theSameSeedGivesTheSamePriorities() {
        assertThat(run(new PctScheduler(SEED, 4, 1_000), Set.of())).isEqualTo("1281 steps 30fc86d07fc08d6a");
    }

    @ParameterizedTest
    @CsvSource({
        "STOPPED_THREADS, 1076 steps c65aa98d0a4d4a4c",
        "PAUSED_THREADS, 1289 steps c2bb16e52d516730",
        "LOST_COMPUTE_NODES, 677 steps b20c6dbfad7c8de",
        "LOST_MEMORY_NODES, 396 steps 7ed5ae2e00c086f5",
        "BROKEN_LANES, 1290 steps 1fa61486d6b93afc",
        "SLOW_NODES, 1308 steps 429ca9d0ce12648f",
        "SKEWED_CLOCKS, 1298 steps a780665a4476b6fb",
        "LATE_REQUESTS, 1289 steps 2b2a058ab6b84027"
    })
    void theSameSeedGivesTheSameFault(Fault fault, String trace) {
        assertThat(run(new RandomScheduler(SEED), EnumSet.of(fault))).isEqualTo(trace);
    }

    @Test
    void aThousandThreadsAllDoTheirPartInTheSameWayAgain() {
        World world = new World(new RandomScheduler(SEED), Set.of(), 500);
        assertThat(world.run()).isEqualTo("259709 steps d973cc6a7f231412");
        assertThat(world.completed).isEqualTo(2 * 500 * REQUESTS);
    }
}
