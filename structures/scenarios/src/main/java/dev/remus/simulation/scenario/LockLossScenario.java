package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.lock.Acquisition;
import dev.remus.lock.RemoteLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A node is lost while its threads arrive at a lock, wait for it, hold it or release it, each on a Compute Node of its
 * own or two on one. Another thread may be delayed at any of these points, and lanes may break. Each thread that is
 * left must get the lock as often as it tries. It may learn that a holder has died only if a lost thread can have held
 * the lock. In some runs no node is lost, and then no drawn ticket may be lost.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even
 * @param rounds the number of times each tries
 */
public record LockLossScenario(int threads, int rounds) implements Scenario {
    /** The place of a thread, as its own node sees it. */
    private enum Place {
        /** It has not begun to acquire the lock, or its release has returned. */
        OUTSIDE,
        /** Between the beginning of an acquisition and the end of its release. */
        INSIDE
    }

    /** The longest wait, in operations after the threads have begun. */
    private static final int LATEST_WAIT = 40;

    private static final int EARLIEST_WAITS = 4;

    private static final int MAX_VIEWS = 3;
    private static final int MAX_BREAKS = 4;
    private static final long PATIENCE_NANOS = 20_000;

    /** An unclaimed ticket is polled 64 times, at intervals of up to 33 ms. */
    private static final long QUIET_NANOS = 5_000_000_000L;

    /** Rejects parameters that cannot be run. */
    public LockLossScenario {
        if (threads < 2 || threads % 2 != 0 || rounds < 1) {
            throw new IllegalArgumentException("threads " + threads + ", rounds " + rounds
                    + ": needs an even number of threads, and at least one round");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        int threadsPerNode = threads == 2 ? 1 : 1 + random.nextInt(2);
        ClusterConfig config = SimulatedCluster.small(threads)
                .computeNodes(2, 1 + threads / threadsPerNode)
                .threadsPerNode(threadsPerNode)
                .onNodeLoss(OnNodeLoss.CONTINUE)
                .build();
        int lost = random.nextInt(threads);
        int late = (lost + threadsPerNode + random.nextInt(threads - threadsPerNode)) % threads;
        List<Strike> strikes = new ArrayList<>();
        strikes.add(new Strike(Fault.PAUSED_THREADS, late, drawWait(random)));
        if (random.nextInt(4) > 0) {
            strikes.add(new Strike(Fault.LOST_COMPUTE_NODES, lost, drawWait(random)));
        }
        SplittableRandom ofBreaks = schedule.choices(-2);
        // With two threads on a node, a lane could break while one of them is still at the barrier before.
        boolean breaks = threadsPerNode == 1 && ofBreaks.nextBoolean();
        for (int i = breaks ? ofBreaks.nextInt(MAX_BREAKS) : 0; i > 0; i--) {
            strikes.add(new Strike(Fault.BROKEN_LANES, ofBreaks.nextInt(threads), drawWait(ofBreaks)));
        }
        SimulatedCluster cluster =
                new SimulatedCluster(config, schedule.withFaults(Set.of()).withStrikes(strikes.toArray(Strike[]::new)));
        cluster.simulator().quietAfter(QUIET_NANOS);
        Run run = new Run();
        cluster.prepared(this::createLock).run(ct -> run.work(schedule.choices(ct.id()), ct));
        Set<Integer> gone = new TreeSet<>();
        for (int thread : cluster.stoppedThreads()) { // and those on the same node that had not even begun
            int first = thread / threadsPerNode * threadsPerNode;
            IntStream.range(first, first + threadsPerNode).forEach(gone::add);
        }
        run.judge(gone);
    }

    /** Half of the waits end when a thread has only just arrived. */
    private static int drawWait(SplittableRandom random) {
        return 1 + random.nextInt(random.nextBoolean() ? EARLIEST_WAITS : LATEST_WAIT);
    }

    private void createLock(ComputeThread ct) {
        if (ct.id() == 0) {
            RemoteLock lock = new RemoteLock(threads);
            lock.allocate(ct);
            lock.init(ct);
            ct.root().set(new RdmaPtr<>(lock.pointer()));
        }
    }

    /** Records of the run, on the Java heap. */
    private final class Run {
        private final Map<Integer, Place> places = new TreeMap<>();
        private final Set<Integer> through = new TreeSet<>();

        /** For each acquisition after a death: the threads that can have held the lock before. */
        private final List<Set<Integer>> suspects = new ArrayList<>();

        /** The threads from which others took the lock. */
        private final Set<Integer> replaced = new TreeSet<>();

        private final Set<Long> tickets = new TreeSet<>();

        /** The threads whose loss the last holder had noticed before it released the lock. */
        private final Set<Integer> knownToBeLost = new TreeSet<>();

        private @Nullable ComputeThread holder;
        private long lastTicket = -1;

        void work(SplittableRandom random, ComputeThread ct) {
            RemoteLock[] views = new RemoteLock[1 + random.nextInt(MAX_VIEWS)];
            for (int i = 0; i < views.length; i++) {
                views[i] = new RemoteLock(threads);
                views[i].at(ct.root().get().raw());
            }
            for (int i = 0; i < rounds; i++) {
                takeOnce(views[random.nextInt(views.length)], random, ct);
            }
            through.add(ct.id());
        }

        private void takeOnce(RemoteLock lock, SplittableRandom random, ComputeThread ct) {
            places.put(ct.id(), Place.INSIDE);
            Acquisition acquisition =
                    random.nextBoolean() ? lock.tryAcquire(random.nextLong(PATIENCE_NANOS), ct) : lock.acquire(ct);
            if (acquisition == Acquisition.HOLDER_DIED) {
                replaceHolder(ct);
                lock.makeConsistent();
            }
            if (acquisition.isHeld()) {
                enter(lock.ticket(), ct);
                ct.pause();
                holder = null;
                noteWhoIsKnownToBeLost(ct);
                lock.release(ct);
            }
            tickets.add(lock.ticket());
            places.put(ct.id(), Place.OUTSIDE);
        }

        private void noteWhoIsKnownToBeLost(ComputeThread ct) {
            knownToBeLost.clear();
            IntStream.range(0, threads).filter(ct.peers()::isLost).forEach(knownToBeLost::add);
        }

        private void replaceHolder(ComputeThread ct) {
            Set<Integer> can = new TreeSet<>(places.keySet());
            can.removeIf(thread -> thread == ct.id() || places.get(thread) != Place.INSIDE);
            can.removeAll(knownToBeLost);
            suspects.add(can);
            if (holder != null) {
                replaced.add(holder.id());
                holder = null;
            }
        }

        private void enter(long ticket, ComputeThread ct) {
            if (holder != null) {
                throw new AssertionError(ct + " has the lock, and so has " + holder);
            }
            if (ticket <= lastTicket) {
                throw new AssertionError(
                        ct + " has the lock with ticket " + ticket + " after one with ticket " + lastTicket);
            }
            holder = ct;
            lastTicket = ticket;
        }

        void judge(Set<Integer> lost) {
            for (int thread = 0; thread < threads; thread++) {
                if (!lost.contains(thread) && !through.contains(thread)) {
                    throw new AssertionError(
                            "thread " + thread + " waits for ever for the lock, when threads " + lost + " were lost");
                }
            }
            if (lost.isEmpty() && tickets.size() <= lastTicket) {
                throw new AssertionError("of the tickets up to " + lastTicket + ", only " + tickets
                        + " were held or given up: others were taken from threads that were not lost");
            }
            if (!lost.containsAll(replaced)) {
                throw new AssertionError("threads " + replaced + " lost their lock to others; lost are " + lost);
            }
            for (Set<Integer> can : suspects) {
                if (can.stream().noneMatch(lost::contains)) {
                    throw new AssertionError("a thread learned that a holder had died, when only threads " + can
                            + " can have held the lock; lost are " + lost);
                }
            }
        }
    }
}
