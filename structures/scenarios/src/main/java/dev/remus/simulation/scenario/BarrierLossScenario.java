package dev.remus.simulation.scenario;

import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Threads meet at the control barrier, each on a Compute Node of its own, and one of them does not arrive: it is lost,
 * it has finished, or it is only very late. In the first two cases the barrier must fail for every thread, and no
 * thread may pass it afterwards, however few it waits for; the failure must name a lost node. In the third case, all
 * meet.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even
 * @param rounds the number of times they meet
 */
public record BarrierLossScenario(int threads, int rounds) implements Scenario {
    /** The fate of that thread. */
    private enum Fate {
        LOST,
        FINISHED,
        LATE
    }

    /** About the number of waits of two threads in a run. */
    private static final int LATEST_WAIT = 40;

    /** So many pauses, each longer than the one before, take longer than waiters wait before they check for losses. */
    private static final int LONG = 100;

    /** A node learns of a loss within a second, and the barrier allows another second. */
    private static final long QUIET_NANOS = 5_000_000_000L;

    /** Rejects parameters that cannot be run. */
    public BarrierLossScenario {
        if (rounds < 1) {
            throw new IllegalArgumentException(rounds + " rounds: needs at least one");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        Fate fate = Fate.values()[random.nextInt(Fate.values().length)];
        int one = random.nextInt(threads);
        int other = (one + 1 + random.nextInt(threads - 1)) % threads;
        Schedule own = schedule.withFaults(Set.of());
        if (fate == Fate.LOST) {
            own = own.withStrikes(
                    new Strike(Fault.LOST_COMPUTE_NODES, one, 1 + random.nextInt(LATEST_WAIT)),
                    new Strike(Fault.PAUSED_THREADS, other, 1 + random.nextInt(LATEST_WAIT)));
        }
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(threads)
                        .computeNodes(2, 1 + threads)
                        .threadsPerNode(1)
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .build(),
                own);
        cluster.simulator().quietAfter(QUIET_NANOS);
        Run run = new Run(fate, one);
        cluster.prepared(ct -> {}).run(ct -> run.work(schedule.choices(ct.id()), ct));
        run.judge(cluster.stoppedThreads());
    }

    /** The state that the threads of one run share. */
    private final class Run {
        private final Fate fate;
        private final int one;
        private final Set<Integer> ended = new TreeSet<>();

        /** Whether the barrier has failed for any thread. */
        private boolean isBroken;

        Run(Fate fate, int one) {
            this.fate = fate;
            this.one = one;
        }

        void work(SplittableRandom random, ComputeThread ct) {
            for (int round = 0; round < rounds; round++) {
                if (ct.id() == one && round == rounds / 2) {
                    if (fate == Fate.FINISHED) {
                        break;
                    }
                    for (int i = 0; fate == Fate.LATE && i < LONG; i++) {
                        ct.pause();
                    }
                }
                if (!passes(threads, ct)) {
                    // Too few threads are left for a barrier of all; a smaller barrier must not count the stale
                    // arrivals.
                    passes(1 + random.nextInt(threads), ct);
                    passes(1 + random.nextInt(threads), ct);
                    break;
                }
            }
            ended.add(ct.id());
        }

        /** Arrives at the barrier; returns whether it let the thread pass. */
        private boolean passes(int participants, ComputeThread ct) {
            boolean wasBroken = isBroken;
            try {
                ct.barrier(participants);
            } catch (FabricException | IllegalStateException e) {
                checkReason(e, ct);
                isBroken = true;
                return false;
            }
            if (wasBroken) {
                throw new AssertionError(ct + " has passed a barrier of " + participants
                        + " threads, although the barrier had failed before it arrived");
            }
            return true;
        }

        private void checkReason(RuntimeException e, ComputeThread ct) {
            boolean isRight = switch (fate) {
                case LOST ->
                    e instanceof NodeLostException lost
                            && lost.node() == ct.peers().nodeOf(one);
                case FINISHED -> !(e instanceof NodeLostException);
                case LATE -> false;
            };
            if (!isRight) {
                throw new AssertionError(
                        ct + " failed at the barrier for the wrong reason; thread " + one + " is " + fate, e);
            }
        }

        void judge(Set<Integer> lost) {
            for (int thread = 0; thread < threads; thread++) {
                if (!lost.contains(thread) && !ended.contains(thread)) {
                    throw new AssertionError(
                            "thread " + thread + " waits at the barrier for ever; " + one + " is " + fate);
                }
            }
        }
    }
}
