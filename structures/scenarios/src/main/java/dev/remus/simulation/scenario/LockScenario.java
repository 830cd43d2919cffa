// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.config.OnNodeLoss;
import dev.remus.config.Reclamation;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.lock.RemoteCohortLock;
import dev.remus.lock.RemoteLock;
import dev.remus.lock.RemoteQueueLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Threads on two simulated Compute Nodes take a lock again and again, each through one or more views, some of them with
 * a time limit. Inside they read and post to a counter on another Memory Node. Two must never be inside, unless one of
 * them is lost; they must enter in the order of their tickets; each must see what the one before has posted; and all
 * must finish.
 *
 * @param threads the number of threads, which is even
 * @param rounds the number of times each tries
 * @param patience the time limit of those that have one, in nanoseconds of virtual time; 0 if none has
 * @param creator makes the lock
 * @param opener makes a thread's handle to it
 * @param isNear whether each node is a Memory Node too, and reads words of its own by loads
 */
public record LockScenario(
        int threads, int rounds, long patience, LockHandle.Creator creator, LockHandle.Opener opener, boolean isNear)
        implements Scenario {
    /** Each view can leave a ticket behind, so there may be more tickets than threads. */
    private static final int MAX_VIEWS = 3;

    /** Rejects parameters that cannot be run. */
    public LockScenario {
        if (threads < 2 || threads % 2 != 0 || rounds < 1 || patience < 0) {
            throw new IllegalArgumentException("threads " + threads + ", rounds " + rounds + ", patience " + patience
                    + ": needs an even number of threads, at least one round, and a patience that is not negative");
        }
    }

    /** On Compute Nodes that are no Memory Nodes. */
    public LockScenario(int threads, int rounds, long patience, LockHandle.Creator creator, LockHandle.Opener opener) {
        this(threads, rounds, patience, creator, opener, false);
    }

    /** The scenario with a {@link RemoteLock}. */
    public static LockScenario remoteLock(int threads, int rounds, long patience) {
        return new LockScenario(threads, rounds, patience, RemoteLockHandle::create, RemoteLockHandle::new);
    }

    private ClusterConfig config() {
        return ClusterConfig.builder()
                .cluster("scenario")
                .memoryNodes(0, isNear ? 3 : 1)
                .computeNodes(2, 3)
                .threadsPerNode(threads / 2)
                .lanes(2)
                .lanePolicy(LanePolicy.RAND)
                .segmentSizeLog2(13)
                .reclaim(Reclamation.BARRIER)
                .checkMemory(true)
                .onNodeLoss(OnNodeLoss.CONTINUE) // so that the lock itself must handle it
                .build();
    }

    /** The scenario with a {@link RemoteQueueLock}. */
    public static LockScenario queueLock(int threads, int rounds, long patience) {
        return new LockScenario(threads, rounds, patience, QueueLockHandle::create, QueueLockHandle::new);
    }

    /** The scenario with a {@link RemoteQueueLock} whose waiters are woken by words in their own memory. */
    public static LockScenario nearQueueLock(int threads, int rounds, long patience) {
        return new LockScenario(threads, rounds, patience, QueueLockHandle::create, QueueLockHandle::new, true);
    }

    /** The scenario with a {@link RemoteCohortLock}. */
    public static LockScenario cohortLock(int threads, int rounds, long patience) {
        return new LockScenario(threads, rounds, patience, CohortLockHandle::create, CohortLockHandle::new);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        Inside inside = new Inside();
        SimulatedCluster cluster = new SimulatedCluster(config(), schedule);
        if (isNear) {
            cluster.withLocalReads();
        }
        cluster.prepared(ct -> create(inside, ct)).run(ct -> {
            SplittableRandom random = new SplittableRandom(schedule.seed() * 31 + ct.id());
            LockHandle[] views = new LockHandle[1 + random.nextInt(MAX_VIEWS)];
            for (int i = 0; i < views.length; i++) {
                views[i] = opener.open(ct.root().get(), ct);
            }
            for (int i = 0; i < rounds; i++) {
                LockHandle lock = views[random.nextInt(views.length)];
                if (patience > 0 && random.nextBoolean()) {
                    if (!lock.tryAcquire(random.nextLong(patience), ct).isHeld()) {
                        continue;
                    }
                } else if (i % 2 == 0) {
                    lock.acquire(ct);
                } else {
                    lock.acquireConsistent(ct);
                }
                inside.enter(lock.ticket(), ct);
                long counted = inside.count(ct);
                inside.leave();
                inside.release(lock, counted, ct);
            }
            ct.barrier();
            inside.checkCount(ct);
        });
    }

    private void create(Inside inside, ComputeThread ct) {
        if (ct.id() == 0) {
            RdmaPtr<?> lock = creator.create(ct);
            inside.counter = ct.allocate(Long.BYTES);
            ct.write(inside.counter, 0);
            ct.root().set(lock);
        }
    }

    /** A record of the holder, on the Java heap, since one thread runs at a time. */
    private static final class Inside {
        private long counter;
        private @Nullable ComputeThread thread;

        /** The thread that has entered last; null once it is known to be lost. */
        private @Nullable ComputeThread last;

        private long lastTicket = -1;
        private long entered;

        /** The increments of lost threads, which they may have posted, and which may be lost with them. */
        private long uncertain;

        void enter(long ticket, ComputeThread ct) {
            noteLoss(ct);
            if (thread != null && !ct.peers().isLost(thread.id())) {
                throw new AssertionError(ct + " has the lock, and so has " + thread);
            }
            if (ticket <= lastTicket) {
                throw new AssertionError(
                        ct + " has the lock with ticket " + ticket + " after one with ticket " + lastTicket);
            }
            thread = ct;
            last = ct;
            lastTicket = ticket;
            entered++;
        }

        private void noteLoss(ComputeThread ct) {
            if (last != null && ct.peers().isLost(last.id())) {
                uncertain++;
                last = null;
            }
        }

        /** Posts an increment, and returns the new value. */
        long count(ComputeThread ct) {
            long counted = ct.read(counter) + 1;
            ct.post(counter, counted);
            return counted;
        }

        /** Posts the increment again as long as lanes break with it. */
        void release(LockHandle lock, long counted, ComputeThread ct) {
            while (true) {
                try {
                    lock.release(ct);
                    return;
                } catch (OutcomeUnknownException e) {
                    ct.post(counter, counted);
                }
            }
        }

        void leave() {
            thread = null;
        }

        void checkCount(ComputeThread ct) {
            noteLoss(ct);
            long counted = ct.read(counter);
            if (counted > entered || counted < entered - uncertain) {
                throw new AssertionError("the lock was acquired " + entered + " times, " + uncertain
                        + " of them perhaps without effect, but " + counted + " increments made inside are left");
            }
        }
    }
}
