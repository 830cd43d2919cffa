// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A Compute Node dies and is started again at once, without {@code --returns}. A Memory Node that has stood still
 * meanwhile takes the new process for the same node; one that has not rejects it. Once in, the node loses a link, and
 * goes on as a zombie. When the others see that it is lost, nothing of it may succeed any more, and all of them must
 * see that.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even; each is on a Compute Node of its own
 * @param looks how often each thread looks again after it has seen the loss
 */
public record RestartScenario(int threads, int looks) implements Scenario {
    private static final int VICTIM = 0;
    private static final int MEMORY_NODES = 2;
    private static final int WORDS = 4;
    private static final int LATEST_DEATH = 40;
    private static final int LATEST_LOSS = 100;
    private static final int MOVES_ONE_IN = 4;
    private static final long SHORT_NANOS = Duration.ofMillis(1).toNanos();
    private static final long QUIET_NANOS = Duration.ofSeconds(5).toNanos();

    /** Rejects parameters that cannot be run. */
    public RestartScenario {
        if (threads < 2 || threads % 2 != 0 || looks < 1) {
            throw new IllegalArgumentException("threads " + threads + ", looks " + looks
                    + ": needs an even number of threads, and at least one look");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        ClusterConfig config = SimulatedCluster.small(threads)
                .memoryNodes(0, MEMORY_NODES - 1)
                .computeNodes(MEMORY_NODES, MEMORY_NODES + threads - 1)
                .threadsPerNode(1)
                .onNodeLoss(OnNodeLoss.CONTINUE)
                .lossTimeout(Duration.ofSeconds(1))
                .build();
        SimulatedCluster cluster = new SimulatedCluster(
                config,
                schedule.withFaults(Set.of())
                        .withStrikes(
                                new Strike(Fault.LOST_COMPUTE_NODES, VICTIM, 1 + random.nextInt(LATEST_DEATH)),
                                new Strike(Fault.LOST_LINKS, threads, 1 + random.nextInt(LATEST_LOSS))));
        cluster.simulator().quietAfter(QUIET_NANOS);
        Run run = new Run(config, cluster, random);
        cluster.over(run::watch).prepared(run::prepare).run(run::work);
        run.judge();
    }

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private final class Run {
        private final ClusterConfig config;
        private final SimulatedCluster cluster;
        private final SplittableRandom random;
        private final LostThreads losses = new LostThreads();
        private final long[] words = new long[WORDS];
        private final boolean[] standsStill = new boolean[MEMORY_NODES];
        private @Nullable Fabric fabric;

        /** How many threads have seen the loss. */
        private int informed;

        private @Nullable Throwable failure;

        Run(ClusterConfig config, SimulatedCluster cluster, SplittableRandom random) {
            this.config = config;
            this.cluster = cluster;
            this.random = random;
        }

        Fabric watch(Fabric original) {
            fabric = new WatchedLooks(original, node -> {
                while (standsStill[node]) {
                    cluster.simulator().sleep(SHORT_NANOS);
                }
            });
            return fabric;
        }

        void prepare(ComputeThread ct) {
            if (ct.id() == VICTIM) {
                for (int i = 0; i < WORDS; i++) {
                    words[i] = ct.allocateOn(i % MEMORY_NODES, Long.BYTES);
                    ct.write(words[i], 0);
                }
            }
        }

        void work(ComputeThread ct) {
            if (ct.id() == VICTIM) {
                for (int node = 0; node < MEMORY_NODES; node++) {
                    standsStill[node] = random.nextInt(MOVES_ONE_IN) > 0;
                }
                losses.workForEver(words, random, ct);
            }
            if (ct.id() == VICTIM + 1) {
                cluster.simulator().start("restart", false, this::restart);
            }
            losses.awaitLoss(VICTIM, cluster.simulator(), ct);
            informed++;
            losses.lookAgain(VICTIM, looks, cluster.simulator(), ct);
        }

        /** Starts the node again as soon as it has died. */
        private void restart() {
            while (!cluster.stoppedThreads().contains(VICTIM)) {
                cluster.simulator().sleep(SHORT_NANOS);
            }
            try (ComputeNode node =
                    ComputeNode.connect(config, config.firstComputeNode(), Objects.requireNonNull(fabric))) {
                moveOn();
                node.runThreads(ct -> {
                    cluster.simulator().expose(threads);
                    losses.workForEver(words, random, ct);
                });
            } catch (FabricException e) {
                moveOn(); // it is lost, or was not let in
            } catch (Throwable e) {
                if (!cluster.simulator().hasEnded()) {
                    failure = e;
                }
            }
        }

        private void moveOn() {
            for (int node = 0; node < MEMORY_NODES; node++) {
                standsStill[node] = false;
            }
        }

        void judge() {
            if (failure != null) {
                throw new AssertionError("the node that was started again has failed", failure);
            }
            if (informed < threads - 1) {
                throw new AssertionError("only " + informed + " threads see that thread " + VICTIM + " is lost");
            }
        }
    }
}
