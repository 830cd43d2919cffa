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
 * Threads meet at the control barrier, each on a Compute Node of its own, and one of them does not come: it is lost, it has
 * finished, or it is only very late. In the first two cases everybody must be told, nobody may pass the barrier from then
 * on, however few it is to wait for, and who was lost must be said. In the third, all meet.
 *
 * <p>Which faults happen is this scenario's own business; those of the schedule are left out.
 *
 * @param threads how many threads, an even number
 * @param rounds how often they meet
 */
public record BarrierLossScenario(int threads, int rounds) implements Scenario {
    /** What becomes of the one. */
    private enum Fate {
        LOST,
        FINISHED,
        LATE
    }

    /** About as often as two threads wait in a run. */
    private static final int LATEST_WAIT = 40;

    /** So many pauses, each longer than the one before, are longer than others wait before they begin to wonder. */
    private static final int LONG = 100;

    /** It takes a node a second at most to learn of a loss, and the barrier gives it another. */
    private static final long QUIET_NANOS = 5_000_000_000L;

    /** Refuses what cannot be run. */
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

    /** What the threads of one run share. */
    private final class Run {
        private final Fate fate;
        private final int one;
        private final Set<Integer> ended = new TreeSet<>();

        /** Whether somebody has been told that the barrier is broken. */
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
                if (!meets(threads, ct)) {
                    // Too few are left for a barrier of all, and one of some must not take them for arrivals.
                    meets(1 + random.nextInt(threads), ct);
                    meets(1 + random.nextInt(threads), ct);
                    break;
                }
            }
            ended.add(ct.id());
        }

        /** Whether the barrier could be passed. */
        private boolean meets(int participants, ComputeThread ct) {
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
                        + " threads, although that has failed somebody before it came");
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
                        ct + " was told the wrong thing at the barrier; thread " + one + " is " + fate, e);
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
