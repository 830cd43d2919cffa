package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.lock.LostHolderException;
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
 * A node is lost while its threads come to a lock, wait for it, have it or release it, each on a Compute Node of its own or
 * two on one; another thread may be held up at any of these points. The other threads must get the lock as often as
 * they ask for it, or an exception that names the lost holder; and it may name only a thread that can have had the
 * lock. In some schedules no node is lost, and then no thread may lose a ticket that it has drawn.
 *
 * <p>Which faults happen is this scenario's own business; those of the schedule are left out.
 *
 * @param threads how many threads, an even number
 * @param rounds how often each tries
 */
public record LockLossScenario(int threads, int rounds) implements Scenario {
    /** Where a thread is, as far as its own node knows. */
    private enum Place {
        /** It has not begun to acquire the lock, or its release has returned. */
        OUTSIDE,
        /** Between the beginning of an acquisition and the end of its release. */
        INSIDE
    }

    /** Some operations after the threads have begun. */
    private static final int LATEST_WAIT = 40;

    private static final int EARLIEST_WAITS = 4;

    private static final int MOST_VIEWS = 3;
    private static final long PATIENCE_NANOS = 20_000;

    /** A ticket of somebody unknown is looked at 64 times, at up to 33 ms from one look to the next. */
    private static final long QUIET_NANOS = 5_000_000_000L;

    /** Refuses what cannot be run. */
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
        SimulatedCluster cluster =
                new SimulatedCluster(config, schedule.withFaults(Set.of()).withStrikes(strikes.toArray(Strike[]::new)));
        cluster.simulator().quietAfter(QUIET_NANOS);
        Run run = new Run();
        cluster.prepared(this::createLock).run(ct -> run.work(schedule.choices(ct.id()), ct));
        Set<Integer> gone = new TreeSet<>();
        for (int thread : cluster.stoppedThreads()) { // and who had not even begun on the same node
            int first = thread / threadsPerNode * threadsPerNode;
            IntStream.range(first, first + threadsPerNode).forEach(gone::add);
        }
        run.judge(gone);
    }

    /** Half of them are when a thread has only just come. */
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

    /** Books on the Java heap. */
    private final class Run {
        private final Map<Integer, Place> places = new TreeMap<>();
        private final Set<Integer> through = new TreeSet<>();
        private final Map<Integer, LostHolderException> told = new TreeMap<>();
        private final Set<Long> tickets = new TreeSet<>();

        /** Whom the thread that released the lock last knew to be lost before it did. */
        private final Set<Integer> knownToBeLost = new TreeSet<>();

        private @Nullable ComputeThread holder;
        private long lastTicket = -1;

        void work(SplittableRandom random, ComputeThread ct) {
            RemoteLock[] views = new RemoteLock[1 + random.nextInt(MOST_VIEWS)];
            for (int i = 0; i < views.length; i++) {
                views[i] = new RemoteLock(threads);
                views[i].at(ct.root().get().raw());
            }
            try {
                for (int i = 0; i < rounds; i++) {
                    takeOnce(views[random.nextInt(views.length)], random, ct);
                }
                through.add(ct.id());
            } catch (LostHolderException e) {
                told.put(ct.id(), e);
            }
        }

        private void takeOnce(RemoteLock lock, SplittableRandom random, ComputeThread ct) {
            places.put(ct.id(), Place.INSIDE);
            boolean acquired = true;
            if (random.nextBoolean()) {
                acquired = lock.tryAcquire(random.nextLong(PATIENCE_NANOS), ct);
            } else {
                lock.acquire(ct);
            }
            if (acquired) {
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
                if (!lost.contains(thread) && !through.contains(thread) && !told.containsKey(thread)) {
                    throw new AssertionError("thread " + thread + " neither got the lock nor was told who has it, when"
                            + " threads " + lost + " were lost");
                }
            }
            if (lost.isEmpty() && tickets.size() <= lastTicket) {
                throw new AssertionError("of the tickets up to " + lastTicket + ", only " + tickets
                        + " were held or given up: some have been taken from threads that were not lost");
            }
            told.forEach((thread, e) -> {
                if (knownToBeLost.contains(e.thread())) {
                    throw new AssertionError("thread " + e.thread() + " got the lock, although the thread that released"
                            + " it knew that it was lost");
                }
                if (!lost.contains(e.thread()) || places.get(e.thread()) != Place.INSIDE) {
                    throw new AssertionError("thread " + thread + " was told that thread " + e.thread()
                            + " has the lock and is lost; lost are " + lost + ", and that one was "
                            + places.get(e.thread()));
                }
            });
        }
    }
}
