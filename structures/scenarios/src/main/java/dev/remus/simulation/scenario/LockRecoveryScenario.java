// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.lock.Acquisition;
import dev.remus.lock.RemoteLock;
import dev.remus.lock.RemoteQueueLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Threads take a lock again and again, each on a Compute Node of its own, and up to all nodes but one are lost: killed
 * with late requests outstanding, or cut off as zombies. Inside, a thread changes two words on different Memory Nodes,
 * which are equal before and after. All threads that are left must get the lock as often as they try, one at a time, in
 * the order of their tickets. A thread takes the lock from another only once that one is cut off, and must learn that a
 * holder died, until one has declared the words consistent. If none died, the words must be equal. Where no requests
 * were late and no lane broke, each thread that was lost may leave one ticket behind, and no other ticket is skipped.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even
 * @param rounds the number of times each tries
 * @param creator makes the lock
 * @param opener makes a thread's handle to it
 * @param isNear whether each node has a Memory Node too, which is not lost with it, and reads words of that by loads
 */
public record LockRecoveryScenario(
        int threads, int rounds, LockHandle.Creator creator, LockHandle.Opener opener, boolean isNear)
        implements Scenario {
    private static final int EARLIEST_WAITS = 8;
    private static final int LATEST_WAIT = 120;
    private static final int MOST_LATE = 3;
    private static final int MAX_VIEWS = 2;
    private static final int MAX_PAUSES = 3;
    private static final long PATIENCE_NANOS = 20_000;

    /** A link is lost after a second. */
    private static final Duration LOSS_TIMEOUT = Duration.ofSeconds(1);

    /** An unclaimed ticket is polled 64 times, at intervals of up to 33 ms. */
    private static final long QUIET_NANOS = 8_000_000_000L;

    /** Rejects parameters that cannot be run. */
    public LockRecoveryScenario {
        if (threads < 2 || threads % 2 != 0 || rounds < 1) {
            throw new IllegalArgumentException("threads " + threads + ", rounds " + rounds
                    + ": needs an even number of threads, and at least one round");
        }
    }

    /** On Compute Nodes that are no Memory Nodes. */
    public LockRecoveryScenario(int threads, int rounds, LockHandle.Creator creator, LockHandle.Opener opener) {
        this(threads, rounds, creator, opener, false);
    }

    /** The scenario with a {@link RemoteLock}. */
    public static LockRecoveryScenario remoteLock(int threads, int rounds) {
        return new LockRecoveryScenario(threads, rounds, RemoteLockHandle::create, RemoteLockHandle::new);
    }

    /** The scenario with a {@link RemoteQueueLock}. */
    public static LockRecoveryScenario queueLock(int threads, int rounds) {
        return new LockRecoveryScenario(threads, rounds, QueueLockHandle::create, QueueLockHandle::new);
    }

    /** The scenario with a {@link RemoteQueueLock} whose waiters are woken by words in their own memory. */
    public static LockRecoveryScenario nearQueueLock(int threads, int rounds) {
        return new LockRecoveryScenario(threads, rounds, QueueLockHandle::create, QueueLockHandle::new, true);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        ClusterConfig config = SimulatedCluster.small(threads)
                .memoryNodes(0, isNear ? 1 + threads : 1)
                .lanes(isNear ? 1 : 2) // there are links enough
                .computeNodes(2, 1 + threads)
                .threadsPerNode(1)
                .onNodeLoss(OnNodeLoss.CONTINUE)
                .lossTimeout(LOSS_TIMEOUT)
                .build();
        int survivor = random.nextInt(threads);
        List<Strike> strikes = new ArrayList<>();
        Set<Integer> zombies = new TreeSet<>();
        for (int victim = 0; victim < threads; victim++) {
            if (victim != survivor && random.nextInt(3) > 0) {
                // Without its link, a Memory Node counts as lost by the node at the other end of it.
                boolean dies = random.nextInt(4) > 0 || isNear;
                if (!dies) {
                    zombies.add(victim);
                }
                addStrikes(dies ? Fault.LOST_COMPUTE_NODES : Fault.LOST_LINKS, victim, strikes, random);
            }
        }
        SimulatedCluster cluster =
                new SimulatedCluster(config, schedule.withFaults(Set.of()).withStrikes(strikes.toArray(Strike[]::new)));
        cluster.simulator().quietAfter(QUIET_NANOS);
        if (isNear) {
            cluster.withLocalReads();
        }
        Run run = new Run();
        cluster.prepared(run::prepare).run(ct -> run.work(schedule.choices(ct.id()), ct));
        zombies.addAll(cluster.stoppedThreads());
        run.judge(zombies, strikes.stream().allMatch(strike -> strike.fault() == Fault.LOST_COMPUTE_NODES));
    }

    private static void addStrikes(Fault fault, int victim, List<Strike> strikes, SplittableRandom random) {
        int last = 1 + random.nextInt(random.nextInt(3) == 0 ? EARLIEST_WAITS : LATEST_WAIT);
        for (int late = random.nextInt(MOST_LATE); late > 0 && last > late; late--) {
            strikes.add(new Strike(Fault.LATE_REQUESTS, victim, last - late));
        }
        strikes.add(new Strike(fault, victim, last));
    }

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private final class Run {
        private final List<ComputeThread> all = new ArrayList<>();
        private final Set<Integer> through = new TreeSet<>();

        /** The tickets that were held or given up. */
        private final Set<Long> tickets = new TreeSet<>();

        private final long[] words = new long[2];
        private RdmaPtr<?> pointer = new RdmaPtr<>(RdmaPtr.NULL);
        private @Nullable ComputeThread inside;

        /** Whether a holder died inside, or may have, and no holder has declared the words consistent since. */
        private boolean isInconsistent;

        private long lastTicket = -1;

        void prepare(ComputeThread ct) {
            all.add(ct);
            if (ct.id() == 0) {
                pointer = creator.create(ct);
                for (int i = 0; i < words.length; i++) {
                    words[i] = ct.allocateOn(i, Long.BYTES);
                    ct.write(words[i], 0);
                }
            }
        }

        void work(SplittableRandom random, ComputeThread ct) {
            LockHandle[] views = new LockHandle[1 + random.nextInt(MAX_VIEWS)];
            for (int i = 0; i < views.length; i++) {
                views[i] = opener.open(pointer, ct);
            }
            for (int i = 0; i < rounds; i++) {
                takeOnce(views[random.nextInt(views.length)], random, ct);
            }
            through.add(ct.id());
        }

        private void takeOnce(LockHandle lock, SplittableRandom random, ComputeThread ct) {
            Acquisition acquisition =
                    random.nextInt(3) == 0 ? lock.tryAcquire(random.nextLong(PATIENCE_NANOS), ct) : lock.acquire(ct);
            tickets.add(lock.ticket());
            if (!acquisition.isHeld()) {
                return;
            }
            enter(lock.ticket(), acquisition, ct);
            if (acquisition == Acquisition.NORMAL) {
                change(read(ct) + 1, random, ct);
            } else if (random.nextInt(3) > 0) { // otherwise it leaves the words as they are
                change(ct.read(words[0]) + 1, random, ct);
                lock.makeConsistent();
                isInconsistent = isZombie(ct) && isInconsistent;
            }
            leave(ct);
            lock.release(ct);
        }

        private void enter(long ticket, Acquisition acquisition, ComputeThread ct) {
            if (isZombie(ct)) {
                return;
            }
            ComputeThread before = inside;
            if (before != null && !isZombie(before)) {
                throw new AssertionError(ct + " has the lock, and so has " + before);
            }
            isInconsistent |= before != null;
            if (isInconsistent && acquisition == Acquisition.NORMAL) {
                throw new AssertionError(ct + " does not learn that a holder has died");
            }
            if (acquisition == Acquisition.HOLDER_DIED && all.stream().noneMatch(this::isZombie)) {
                throw new AssertionError(ct + " learns that a holder has died, and none has");
            }
            isInconsistent |= acquisition == Acquisition.HOLDER_DIED;
            if (ticket <= lastTicket) {
                throw new AssertionError(
                        ct + " has the lock with ticket " + ticket + " after one with ticket " + lastTicket);
            }
            inside = ct;
            lastTicket = ticket;
        }

        private void leave(ComputeThread ct) {
            if (inside == ct) {
                inside = null;
            }
        }

        /** Whether another thread may take over what this one held. Then what this one believes does not count. */
        private boolean isZombie(ComputeThread ct) {
            return all.stream().anyMatch(other -> other.peers().isLost(ct.id()));
        }

        private long read(ComputeThread ct) {
            long first = ct.read(words[0]);
            long second = ct.read(words[1]);
            if (first != second && !isZombie(ct)) {
                throw new AssertionError(
                        ct + " has the lock, no holder died, and it finds " + first + " and " + second);
            }
            return first;
        }

        private void change(long value, SplittableRandom random, ComputeThread ct) {
            for (long word : words) {
                ct.post(word, value);
                for (int i = random.nextInt(MAX_PAUSES); i > 0; i--) {
                    ct.pause();
                }
            }
        }

        void judge(Set<Integer> gone, boolean isPrompt) {
            for (int thread = 0; thread < threads; thread++) {
                if (!gone.contains(thread) && !through.contains(thread)) {
                    throw new AssertionError("thread " + thread + " waits for the lock for ever; lost are " + gone);
                }
            }
            long skipped = lastTicket
                    + 1
                    - tickets.stream().filter(t -> t <= lastTicket).count();
            if (isPrompt && skipped > gone.size()) {
                throw new AssertionError("up to ticket " + lastTicket + " only " + tickets
                        + " were held or given up, and only threads " + gone + " were lost: others were overtaken");
            }
        }
    }
}
