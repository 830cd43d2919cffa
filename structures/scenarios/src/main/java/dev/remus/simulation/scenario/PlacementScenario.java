// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.InterruptedWaitException;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Threads post WRITEs to three Memory Nodes and place them, while one of these nodes dies, lanes stall or break, and
 * threads are interrupted. When placing succeeds at last, all that was posted to the other Memory Nodes is there, also
 * if an earlier attempt was interrupted. A thread is told of the dead node, by its name, when it places what it has
 * posted there, once; and not if it has posted nothing there. It gets memory of the others as before.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even; each is on a Compute Node of its own, or two share one
 * @param rounds how often each thread places what it has posted
 */
public record PlacementScenario(int threads, int rounds) implements Scenario {
    /** The thread that waits for the Memory Node that dies. */
    private static final int KILLER = 0;

    private static final int NONE = -1;

    private static final int MEMORY_NODES = 3;
    private static final int LANES = 3;

    /** Large enough for runs of blocks. */
    private static final int SEGMENT_LOG2 = 18;

    private static final int BLOCK_BYTES = 64;

    /** After an allocation of this size, the next run may be as long as it will ever be. */
    private static final int FIRST_BYTES = 2048;

    /** A thread looks whether there is room for so many bytes before it takes them. */
    private static final int LARGE_BYTES = 64 << 10;

    private static final int MOST_BLOCKS = 200;
    private static final int LATEST_DEATH = 60;
    private static final int LATEST_STRIKE = 40;
    private static final int LOOKS = 4;

    private static final Duration LOSS_TIMEOUT = Duration.ofSeconds(1);
    private static final long POLL_NANOS = Duration.ofMillis(20).toNanos();
    private static final long QUIET_NANOS = Duration.ofSeconds(10).toNanos();

    /** Rejects parameters that cannot be run. */
    public PlacementScenario {
        if (threads < 2 || threads % 2 != 0 || rounds < 1) {
            throw new IllegalArgumentException("threads " + threads + ", rounds " + rounds
                    + ": needs an even number of threads, and at least one round");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        int perNode = threads > 2 ? 1 + random.nextInt(2) : 1;
        ClusterConfig config = SimulatedCluster.small(threads)
                .memoryNodes(0, MEMORY_NODES - 1)
                .computeNodes(MEMORY_NODES, MEMORY_NODES + threads / perNode - 1)
                .threadsPerNode(perNode)
                .lanes(LANES)
                .segmentSizeLog2(SEGMENT_LOG2)
                .onNodeLoss(OnNodeLoss.CONTINUE)
                .lossTimeout(LOSS_TIMEOUT)
                .checkMemory(random.nextBoolean())
                .build();
        boolean breaksLanes = random.nextInt(3) == 0;
        SimulatedCluster cluster = new SimulatedCluster(
                config, schedule.withFaults(Set.of()).withStrikes(drawStrikes(breaksLanes, random)));
        cluster.simulator().quietAfter(QUIET_NANOS);
        Run run = new Run(cluster, 1 + random.nextInt(MEMORY_NODES - 1), breaksLanes, perNode > 1);
        cluster.prepared(run::prepare).run(ct -> run.work(schedule.choices(ct.id()), ct));
        run.judge();
    }

    private Strike[] drawStrikes(boolean breaksLanes, SplittableRandom random) {
        List<Strike> strikes = new ArrayList<>();
        strikes.add(new Strike(Fault.LOST_MEMORY_NODES, threads + KILLER, 1 + random.nextInt(LATEST_DEATH)));
        for (int thread = 1; thread < threads; thread++) {
            int waits = 1 + random.nextInt(LATEST_STRIKE);
            strikes.add(new Strike(Fault.LATE_REQUESTS, thread, waits));
            strikes.add(new Strike(Fault.INTERRUPTED_THREADS, thread, waits + random.nextInt(2)));
            if (breaksLanes) {
                strikes.add(new Strike(Fault.BROKEN_LANES, thread, 1 + random.nextInt(LATEST_STRIKE)));
            }
        }
        return strikes.toArray(Strike[]::new);
    }

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private final class Run {
        private final SimulatedCluster cluster;

        /** The Memory Node that is to die: as a rule, since a fault may strike while nobody waits for it. */
        private final int victim;

        /** The one that has died, as the first thread that was told has found. */
        private int dead = NONE;

        private final boolean breaksLanes;

        /** Whether a lane may be found broken before its Memory Node is known to be lost. */
        private final boolean findsBroken;

        private final long[][] words = new long[threads][MEMORY_NODES];
        private int ended;

        Run(SimulatedCluster cluster, int victim, boolean breaksLanes, boolean sharesLanes) {
            this.cluster = cluster;
            this.victim = victim;
            this.breaksLanes = breaksLanes;
            this.findsBroken = breaksLanes || sharesLanes;
        }

        void prepare(ComputeThread ct) {
            for (int node = 0; node < MEMORY_NODES; node++) {
                words[ct.id()][node] = ct.allocateOn(node, BLOCK_BYTES);
                ct.write(words[ct.id()][node], 0);
            }
            ct.barrier(); // all have their words before one Memory Node is full
            ct.allocate(FIRST_BYTES);
            long block = ct.allocate(BLOCK_BYTES);
            for (int i = 0; i < MOST_BLOCKS && RdmaPtr.node(block) != victim; i++) {
                block = ct.allocate(BLOCK_BYTES);
            }
            while (RdmaPtr.node(ct.allocateOn(victim, LARGE_BYTES)) == victim) {
                // until this thread knows that there is no room for another one
            }
        }

        void work(SplittableRandom random, ComputeThread ct) {
            if (ct.id() == KILLER) {
                kill(ct);
            } else {
                Worker worker = new Worker(this, random, ct);
                for (int i = 0; i < rounds || dead == NONE; i++) {
                    worker.postAndPlace();
                }
                worker.awaitLoss();
                worker.allocate();
                for (int i = 0; i < rounds; i++) {
                    worker.postAndPlace();
                }
            }
            ended++;
            while (ended < threads) {
                sleep(POLL_NANOS); // no thread is struck while it closes
            }
        }

        private void kill(ComputeThread ct) {
            cluster.simulator().expose(threads + KILLER);
            try {
                while (true) {
                    ct.read(words[KILLER][victim]);
                }
            } catch (NodeLostException e) {
                noteDead(e.node());
            }
        }

        private void noteDead(int node) {
            if (dead != NONE && dead != node) {
                throw new AssertionError("Memory Node " + node + " is said to be lost, and before that " + dead);
            }
            dead = node;
        }

        private void sleep(long nanos) {
            Interrupts.untilDone(() -> cluster.simulator().sleep(nanos));
        }

        void judge() {
            if (ended < threads) {
                throw new AssertionError("only " + ended + " threads have placed all that they have posted");
            }
        }
    }

    /** One thread. */
    private static final class Worker {
        private final Run run;
        private final SplittableRandom random;
        private final ComputeThread ct;
        private final long[] words;
        private long value;

        /** Whether this thread has posted something to each Memory Node, and was not told of its loss since. */
        private final boolean[] mayBeTold = new boolean[MEMORY_NODES];

        /** Whether the outcome of something that it has posted is unknown. */
        private boolean isUnknown;

        Worker(Run run, SplittableRandom random, ComputeThread ct) {
            this.run = run;
            this.random = random;
            this.ct = ct;
            this.words = run.words[ct.id()];
        }

        void postAndPlace() {
            value++;
            isUnknown = run.breaksLanes; // a loss is reported once, so perhaps by an attempt that is interrupted
            int nodes = 1 + random.nextInt((1 << MEMORY_NODES) - 1);
            for (int node = 0; node < MEMORY_NODES; node++) {
                if ((nodes & 1 << node) != 0) {
                    post(node);
                }
            }
            while (!isPlaced()) { // the loss of a Memory Node, or an interrupt, ends the wait for all
                int node = random.nextInt(MEMORY_NODES);
                if ((nodes & 1 << node) != 0) {
                    post(node);
                }
            }
            Arrays.fill(mayBeTold, false);
            for (int node = 0; node < MEMORY_NODES && !isUnknown; node++) {
                if ((nodes & 1 << node) != 0) {
                    check(node);
                }
            }
        }

        private void post(int node) {
            boolean mayHaveBeen = mayBeTold[node];
            mayBeTold[node] = true;
            try {
                ct.post(words[node], value);
            } catch (NodeLostException e) {
                run.noteDead(e.node());
                mayBeTold[node] = mayHaveBeen; // it is refused
            } catch (FabricException e) {
                checkIsDue(e);
                isUnknown = true;
            }
        }

        private boolean isPlaced() {
            try {
                ct.place();
                return true;
            } catch (FabricException e) {
                checkIsDue(e);
                return false;
            }
        }

        /** Whether this failure can be. */
        private void checkIsDue(FabricException e) {
            if (e instanceof NodeLostException lost) {
                if (!mayBeTold[lost.node()]) {
                    throw new AssertionError(ct + " places what it has posted, and nothing to the lost node", e);
                }
                mayBeTold[lost.node()] = false;
                run.noteDead(lost.node());
            } else if (e instanceof OutcomeUnknownException && !run.findsBroken) {
                throw new AssertionError(ct + " is told of a broken lane, and none has broken", e);
            } else if (!(e instanceof InterruptedWaitException || e instanceof OutcomeUnknownException)) {
                throw e;
            }
        }

        /** On any lane: not only on that which has placed it. */
        private void check(int node) {
            for (int look = 0; look < LOOKS && node != run.dead; look++) {
                try {
                    long found = ct.read(words[node]);
                    if (found != value) {
                        throw new AssertionError(ct + " has placed " + value + " on Memory Node " + node
                                + ", and reads " + found + " there");
                    }
                } catch (InterruptedWaitException e) {
                    mayBeTold[node] = true; // the READ may be on the way
                } catch (NodeLostException e) {
                    run.noteDead(e.node());
                }
            }
        }

        void awaitLoss() {
            boolean isLost = false;
            while (!isLost) {
                try {
                    ct.read(words[run.dead]);
                } catch (NodeLostException e) {
                    isLost = true;
                } catch (InterruptedWaitException | OutcomeUnknownException e) {
                    mayBeTold[run.dead] = true; // the READ may be on the way
                }
            }
            run.sleep(2 * LOSS_TIMEOUT.toNanos()); // until the node of this thread knows it too
        }

        /** What this thread asks for is there, or can be, on another Memory Node. */
        void allocate() {
            int node = (run.dead + 1 + random.nextInt(MEMORY_NODES - 1)) % MEMORY_NODES;
            checkAlive(() -> ct.allocateOn(node, BLOCK_BYTES), "on a Memory Node that is there");
            if (run.dead == run.victim) {
                checkAlive(() -> ct.allocate(LARGE_BYTES), "although the lost Memory Node was full");
            }
        }

        private void checkAlive(Runnable allocation, String what) {
            try {
                allocation.run();
            } catch (InterruptedWaitException | OutcomeUnknownException e) {
                // nothing is known of the block then
            } catch (NodeLostException e) {
                throw new AssertionError(ct + " gets no memory " + what, e);
            }
        }
    }
}
