// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.Environment;
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
import java.util.Arrays;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A Compute Node comes back again and again while some Memory Nodes stand still for a while. So one of them has let in
 * a life, or has given it up, long before the other looks. Each life but the last dies, or loses a link while it joins
 * or later, and may go on as a zombie. The other threads look all the time who is lost: none of them takes a loss back,
 * and nothing that a thread begins after that succeeds. In the end the node is back, and every wait for an earlier life
 * ends.
 *
 * <p>Or always one of the Memory Nodes stands still, for long, while a life joins. Most lives then die when only the
 * other one has let them in.
 *
 * <p>In some runs the others give the node up while it starts, or it starts only then. In the second case there is
 * nothing to cut off, and nobody may wait for that: in some of these runs the Memory Nodes would never do it.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even; each is on a Compute Node of its own
 * @param lives how often the node starts
 * @param isHalf whether always one Memory Node stands still while a life joins
 */
public record SlowReturnScenario(int threads, int lives, boolean isHalf) implements Scenario {
    private static final int VICTIM = 0;
    private static final int MEMORY_NODES = 2;
    private static final int WORDS = 4;
    private static final int GIVEN_UP_ONE_IN = 4;
    private static final int IMPATIENT_ONE_IN = 3;

    /** A node that joins waits for about so long, while a Memory Node stands still. */
    private static final int LATEST_STRIKE_LOG2 = 8;

    /** Late enough that a Memory Node that does not stand still has let it in. */
    private static final int EARLIEST_STRIKE_OF_HALF_LOG2 = 5;

    private static final long CONNECT_NANOS = Duration.ofSeconds(3).toNanos();
    private static final Duration LONG_CONNECT = Duration.ofSeconds(60);
    private static final long LONGEST_STANDSTILL_NANOS = Duration.ofSeconds(2).toNanos();

    /** About as long as a Memory Node needs to look again. */
    private static final long LOOK_NANOS = Duration.ofMillis(120).toNanos();

    private static final Duration NEVER = Duration.ofHours(1);
    private static final long POLL_NANOS = Duration.ofMillis(20).toNanos();
    private static final long SHORT_NANOS = Duration.ofMillis(10).toNanos();
    private static final int LAST_OPERATIONS = 20;
    private static final long QUIET_NANOS = Duration.ofSeconds(9).toNanos();

    /** Rejects parameters that cannot be run. */
    public SlowReturnScenario {
        if (threads < 2 || threads % 2 != 0 || lives < 1) {
            throw new IllegalArgumentException("threads " + threads + ", lives " + lives
                    + ": needs an even number of threads, and at least one life");
        }
    }

    /** The scenario in which some Memory Nodes stand still now and then. */
    public SlowReturnScenario(int threads, int lives) {
        this(threads, lives, false);
    }

    /** The scenario in which always one Memory Node stands still while a life joins. */
    public static SlowReturnScenario half(int threads, int lives) {
        return new SlowReturnScenario(threads, lives, true);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        boolean isGivenUp = !isHalf && random.nextInt(GIVEN_UP_ONE_IN) == 0;
        boolean isPatient = isHalf || !isGivenUp && random.nextInt(IMPATIENT_ONE_IN) > 0;
        ClusterConfig config = SimulatedCluster.small(threads)
                .memoryNodes(0, MEMORY_NODES - 1)
                .computeNodes(MEMORY_NODES, MEMORY_NODES + threads - 1)
                .threadsPerNode(1)
                .onNodeLoss(OnNodeLoss.CONTINUE)
                .returns(lives) // one number may be that of the life that was given up
                .connectTimeout(isPatient ? LONG_CONNECT : Duration.ofNanos(CONNECT_NANOS))
                .lossTimeout(Duration.ofSeconds(1))
                .build();
        Strike[] strikes = IntStream.range(0, lives - 1)
                .mapToObj(life -> new Strike(
                        random.nextBoolean() ? Fault.LOST_LINKS : Fault.LOST_COMPUTE_NODES,
                        exposedAs(life),
                        drawWait(random)))
                .toArray(Strike[]::new);
        SimulatedCluster cluster =
                new SimulatedCluster(config, schedule.withFaults(Set.of()).withStrikes(strikes));
        cluster.simulator().quietAfter(QUIET_NANOS);
        boolean isFirst = isGivenUp && random.nextBoolean();
        for (int node = 0; isFirst && node < MEMORY_NODES; node++) {
            cluster.cuttingOffAfter(node, NEVER);
        }
        Run run = new Run(config, cluster, random, isGivenUp, isPatient, isFirst ? 0 : lives - 1);
        cluster.over(run::watch).run(ct -> run.work(schedule.choices(ct.id()), ct));
        run.judge();
    }

    private int drawWait(SplittableRandom random) {
        int earliest = isHalf ? EARLIEST_STRIKE_OF_HALF_LOG2 : 1;
        return 1 + random.nextInt(1 << random.nextInt(earliest, 1 + LATEST_STRIKE_LOG2));
    }

    /** The number under which the threads of a life but the last are struck, which no Compute Thread has. */
    private int exposedAs(int life) {
        return (1 + lives) * threads + life;
    }

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private final class Run {
        private final ClusterConfig config;
        private final SimulatedCluster cluster;
        private final SplittableRandom random;

        /** Whether the node starts so late that the others have given it up. */
        private final boolean isGivenUp;

        /** Whether nobody gives the node up. */
        private final boolean isPatient;

        /** The number of lives before the last one. */
        private final int earlier;

        private final LostThreads losses = new LostThreads();
        private final long[] words = new long[WORDS];

        /** For how long each Memory Node stands still when it looks next. */
        private final long[] standstills = new long[MEMORY_NODES];

        private int observers;
        private boolean isReady;

        /** The last life's thread; -1 before it is there. */
        private int last = -1;

        private boolean isDone;
        private @Nullable Throwable failure;

        Run(
                ClusterConfig config,
                SimulatedCluster cluster,
                SplittableRandom random,
                boolean isGivenUp,
                boolean isPatient,
                int earlier) {
            this.config = config;
            this.cluster = cluster;
            this.random = random;
            this.isGivenUp = isGivenUp;
            this.isPatient = isPatient;
            this.earlier = earlier;
        }

        /** Lets the node live several times before it starts for the last time. */
        Fabric watch(Fabric fabric) {
            Fabric slow = new WatchedLooks(fabric, this::standStill);
            return new WatchedFabric(
                    slow,
                    node -> {
                        if (node == config.firstComputeNode()) {
                            liveAndDie(slow);
                        }
                    },
                    node -> {});
        }

        private void sleep(long nanos) {
            cluster.simulator().sleep(nanos);
        }

        private void standStill(int memoryNode) {
            long nanos = standstills[memoryNode];
            if (nanos > 0) {
                standstills[memoryNode] = 0;
                sleep(nanos);
            }
        }

        private void slowDown() {
            if (isHalf) {
                Arrays.fill(standstills, 0);
                standstills[random.nextInt(MEMORY_NODES)] =
                        LONGEST_STANDSTILL_NANOS / 2 + random.nextLong(LONGEST_STANDSTILL_NANOS / 2);
                return;
            }
            for (int node = 0; node < MEMORY_NODES; node++) {
                standstills[node] = random.nextBoolean() ? random.nextLong(LONGEST_STANDSTILL_NANOS) : 0;
            }
        }

        private void liveAndDie(Fabric fabric) {
            while (!isReady || observers < threads - 1) {
                sleep(SHORT_NANOS);
            }
            long start = cluster.simulator().nanoTime();
            if (isGivenUp) {
                sleep(CONNECT_NANOS - LOOK_NANOS);
                slowDown();
                sleep(LOOK_NANOS + LONGEST_STANDSTILL_NANOS);
            } else {
                sleep(1 + random.nextLong(isPatient ? LOOK_NANOS : CONNECT_NANOS));
            }
            for (int life = 0; life < earlier; life++) {
                if (isHalf) {
                    sleep(LOOK_NANOS + LONGEST_STANDSTILL_NANOS); // the one before is cut off by then
                }
                slowDown();
                sleep(random.nextBoolean() ? LOOK_NANOS : 1 + random.nextLong(LOOK_NANOS));
                int number = life;
                Environment.Task task = cluster.simulator().start("life", false, () -> live(number, fabric));
                try {
                    task.join();
                } catch (InterruptedException e) {
                    throw new FabricException("interrupted", e);
                }
            }
            if (isPatient) {
                return;
            }
            Arrays.fill(standstills, 0);
            sleep(LOOK_NANOS + LONGEST_STANDSTILL_NANOS);
            long late = cluster.simulator().nanoTime() - start;
            sleep(Math.max(1, CONNECT_NANOS + LOOK_NANOS - late)); // one that is given up meanwhile has to start again
        }

        private void live(int number, Fabric fabric) {
            Runnable expose = () -> cluster.simulator().expose(exposedAs(number));
            try (ComputeNode node = ComputeNode.connect(
                    config, config.firstComputeNode(), new WatchedFabric(fabric, id -> {}, id -> expose.run()))) {
                node.runThreads(ct -> {
                    expose.run();
                    losses.workForEver(words, random, ct);
                });
            } catch (FabricException e) {
                // it is lost, or was not let in
            } catch (Throwable e) {
                if (!cluster.simulator().hasEnded() && failure == null) {
                    failure = e;
                }
            }
        }

        void work(SplittableRandom choices, ComputeThread ct) {
            if (ct.peers().nodeOf(ct.id()) == config.firstComputeNode()) {
                last = ct.id();
                finish(choices, ct);
                isDone = true;
            } else {
                observe(ct);
            }
        }

        private void finish(SplittableRandom choices, ComputeThread ct) {
            for (int thread = VICTIM; thread < ct.id(); thread += threads) {
                if (!losses.isLost(thread, ct)) {
                    throw new AssertionError(ct + " has come back, and thread " + thread + " is not lost");
                }
            }
            for (int i = 0; i < LAST_OPERATIONS; i++) {
                ct.write(words[choices.nextInt(WORDS)], choices.nextLong());
                sleep(POLL_NANOS);
            }
        }

        private void observe(ComputeThread ct) {
            if (ct.id() == VICTIM + 1) {
                for (int i = 0; i < WORDS; i++) {
                    words[i] = ct.allocateOn(i % MEMORY_NODES, Long.BYTES);
                    ct.write(words[i], 0);
                }
                isReady = true;
            }
            observers++;
            while (!isDone && failure == null) {
                for (int thread = VICTIM; thread <= lives * threads; thread += threads) {
                    look(thread, ct);
                }
                sleep(POLL_NANOS);
            }
            for (int thread = VICTIM; thread < last; thread += threads) {
                if (losses.isLost(thread, ct)) {
                    losses.checkWaitEnds(thread, ct);
                } else {
                    throw new AssertionError(ct + " does not know that thread " + thread + " is lost");
                }
            }
        }

        private void look(int thread, ComputeThread ct) {
            if (losses.isLost(thread, ct) && thread == last) {
                throw new AssertionError(ct + " sees that thread " + thread + " is lost, which is there");
            }
            if (isGivenUp && thread == VICTIM && ct.peers().isLostAndNotCutOff(thread)) {
                throw new AssertionError(ct + " waits until thread " + thread + " is cut off, which never was there");
            }
        }

        void judge() {
            if (failure != null) {
                throw new AssertionError("a life of the node has failed", failure);
            }
            if (!isDone) {
                throw new AssertionError(last < 0 ? "the node cannot come back" : "the node is back, and does not end");
            }
        }
    }
}
