// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.time.Duration;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * One of three Memory Nodes dies, and then a Compute Node loses its link to another one and goes on as a zombie. The
 * others must have it cut off by the third one, although the first does not answer. When they see that it is lost,
 * nothing of it may succeed any more, and all of them must see that.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even; each is on a Compute Node of its own
 * @param looks how often each thread looks again after it has seen the loss
 */
public record DeadMemoryScenario(int threads, int looks) implements Scenario {
    private static final int VICTIM = 0;
    private static final int READER = 1;
    private static final int MEMORY_NODES = 3;
    private static final int LATEST_DEATH = 20;
    private static final int LATEST_LOSS = 60;
    private static final long POLL_NANOS = Duration.ofMillis(20).toNanos();
    private static final long QUIET_NANOS = Duration.ofSeconds(5).toNanos();

    /** Rejects parameters that cannot be run. */
    public DeadMemoryScenario {
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
                                new Strike(Fault.LOST_MEMORY_NODES, threads + READER, 1 + random.nextInt(LATEST_DEATH)),
                                new Strike(Fault.LOST_LINKS, threads + VICTIM, 1 + random.nextInt(LATEST_LOSS))));
        cluster.simulator().quietAfter(QUIET_NANOS);
        Run run = new Run(cluster, random);
        cluster.prepared(run::prepare).run(run::work);
        run.judge();
    }

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private final class Run {
        private final SimulatedCluster cluster;
        private final SplittableRandom random;
        private final LostThreads losses = new LostThreads();
        private final long[] words = new long[MEMORY_NODES];

        private int begun;

        /** Whether a Memory Node has died. */
        private boolean isDead;

        /** How many threads have seen the loss of the Compute Node. */
        private int informed;

        Run(SimulatedCluster cluster, SplittableRandom random) {
            this.cluster = cluster;
            this.random = random;
        }

        void prepare(ComputeThread ct) {
            if (ct.id() == VICTIM) {
                for (int i = 0; i < MEMORY_NODES; i++) {
                    words[i] = ct.allocateOn(i, Long.BYTES);
                    ct.write(words[i], 0);
                }
            }
        }

        void work(ComputeThread ct) {
            begun++;
            if (ct.id() == VICTIM) {
                while (!isDead) {
                    cluster.simulator().sleep(POLL_NANOS);
                }
                cluster.simulator().expose(threads + VICTIM);
                losses.workForEver(words, random, ct);
            }
            if (ct.id() == READER) {
                readUntilDead(ct);
            }
            while (!isDead) {
                cluster.simulator().sleep(POLL_NANOS);
            }
            losses.awaitLoss(VICTIM, cluster.simulator(), ct);
            informed++;
            losses.lookAgain(VICTIM, looks, cluster.simulator(), ct);
        }

        private void readUntilDead(ComputeThread ct) {
            while (begun < threads) {
                ct.pause(); // no thread is to miss a Memory Node before
            }
            cluster.simulator().expose(threads + READER);
            while (!isDead) {
                try {
                    ct.read(words[random.nextInt(MEMORY_NODES)]);
                } catch (NodeLostException e) {
                    isDead = true;
                }
            }
        }

        void judge() {
            if (informed < threads - 1) {
                throw new AssertionError("only " + informed + " threads see that thread " + VICTIM + " is lost");
            }
        }
    }
}
