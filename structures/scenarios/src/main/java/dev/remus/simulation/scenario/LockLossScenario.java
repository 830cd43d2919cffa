// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.fabric.InterruptedWaitException;
import dev.remus.lock.Acquisition;
import dev.remus.lock.LostHolderException;
import dev.remus.lock.RemoteCohortLock;
import dev.remus.lock.RemoteLock;
import dev.remus.lock.RemoteQueueLock;
import dev.remus.node.Cleanup;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import java.util.ArrayList;
import java.util.Arrays;
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
 * @param creator makes the lock
 * @param opener makes a thread's handle to it
 * @param isNear whether each node is a Memory Node too, and reads words of its own by loads
 * @param interrupts whether threads are interrupted too; one whose attempt ends with that has left the line
 */
public record LockLossScenario(
        int threads,
        int rounds,
        LockHandle.Creator creator,
        LockHandle.Opener opener,
        boolean isNear,
        boolean interrupts)
        implements Scenario {
    /** The place of a thread, as its own node sees it. */
    private enum Place {
        /** It has not begun to acquire the lock, or its release has returned. */
        OUTSIDE,
        /** Between the beginning of an acquisition and the end of its release. */
        INSIDE
    }

    private static final int MAX_VIEWS = 3;
    private static final long PATIENCE_NANOS = 20_000;
    private static final long FIRST_POLL_NANOS = 1_000;
    private static final long LONGEST_POLL_NANOS = 2_000_000;

    /** Rejects parameters that cannot be run. */
    public LockLossScenario {
        if (threads < 2 || threads % 2 != 0 || rounds < 1) {
            throw new IllegalArgumentException("threads " + threads + ", rounds " + rounds
                    + ": needs an even number of threads, and at least one round");
        }
    }

    /** The scenario with a {@link RemoteLock}. */
    public LockLossScenario(int threads, int rounds) {
        this(threads, rounds, RemoteLockHandle::create, RemoteLockHandle::new, false, false);
    }

    /** The scenario with a {@link RemoteLock} whose threads are interrupted. */
    public static LockLossScenario interrupted(int threads, int rounds) {
        return new LockLossScenario(threads, rounds, RemoteLockHandle::create, RemoteLockHandle::new, false, true);
    }

    /** The scenario with a {@link RemoteQueueLock}. */
    public static LockLossScenario queueLock(int threads, int rounds) {
        return new LockLossScenario(threads, rounds, QueueLockHandle::create, QueueLockHandle::new, false, false);
    }

    /** The scenario with a {@link RemoteQueueLock} whose waiters are woken by words in their own memory. */
    public static LockLossScenario nearQueueLock(int threads, int rounds) {
        return new LockLossScenario(threads, rounds, QueueLockHandle::create, QueueLockHandle::new, true, false);
    }

    /** The scenario with a {@link RemoteCohortLock}. */
    public static LockLossScenario cohortLock(int threads, int rounds) {
        return new LockLossScenario(threads, rounds, CohortLockHandle::create, CohortLockHandle::new, false, false);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        TroubledCluster troubled = new TroubledCluster(threads, isNear, interrupts, schedule);
        Run run = new Run(schedule.choices(-3).nextInt(3) == 0);
        troubled.cluster().prepared(this::createLock).run(ct -> run.work(schedule.choices(ct.id()), ct));
        run.judge(troubled.lost());
    }

    private void createLock(ComputeThread ct) {
        if (ct.id() == 0) {
            ct.root().set(creator.create(ct));
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

        /** Whether each thread tries without a wait, through one view, until it gets the lock. */
        private final boolean arePolling;

        private @Nullable ComputeThread holder;
        private long lastTicket = -1;
        private boolean keepsTickets = true;

        Run(boolean arePolling) {
            this.arePolling = arePolling;
        }

        void work(SplittableRandom random, ComputeThread ct) {
            LockHandle[] views = new LockHandle[1 + random.nextInt(MAX_VIEWS)];
            Interrupts.untilDone(
                    () -> Arrays.setAll(views, i -> opener.open(ct.root().get(), ct)));
            for (int i = 0; i < rounds; ) {
                i += takeOnce(views[random.nextInt(views.length)], random, ct) ? 1 : 0;
            }
            Interrupts.untilDone(ct::pause); // an interrupt that is due
            through.add(ct.id());
        }

        /** Returns false if the thread was interrupted instead. */
        private boolean takeOnce(LockHandle lock, SplittableRandom random, ComputeThread ct) {
            places.put(ct.id(), Place.INSIDE);
            Acquisition acquisition;
            try {
                acquisition = acquire(lock, random, ct);
            } catch (InterruptedWaitException e) {
                keepsTickets = false;
                noteOutside(ct);
                return false;
            }
            if (acquisition == Acquisition.HOLDER_DIED) {
                replaceHolder(ct);
                lock.makeConsistent();
            }
            if (acquisition.isHeld()) {
                enter(lock.ticket(), ct);
                Interrupts.untilDone(ct::pause);
                holder = null;
                noteWhoIsKnownToBeLost(lock, ct);
                Interrupts.untilDone(() -> lock.release(ct)); // one that throws has not begun
            }
            tickets.add(lock.ticket());
            keepsTickets = lock.keepsTickets() && keepsTickets;
            noteOutside(ct);
            return true;
        }

        /** A thread that has to pass on the lock yet can still hold it when it is lost. */
        private void noteOutside(ComputeThread ct) {
            if (!Cleanup.isPending(ct)) {
                places.put(ct.id(), Place.OUTSIDE);
            }
        }

        private Acquisition acquire(LockHandle lock, SplittableRandom random, ComputeThread ct) {
            if (arePolling) {
                return poll(lock, ct);
            } else if (random.nextBoolean()) {
                return lock.tryAcquire(random.nextLong(PATIENCE_NANOS), ct);
            } else if (interrupts && random.nextBoolean()) {
                return acquireConsistent(lock, ct);
            }
            return lock.acquire(ct);
        }

        private Acquisition poll(LockHandle lock, ComputeThread ct) {
            Acquisition acquisition = lock.tryAcquire(0, ct);
            long nanos = FIRST_POLL_NANOS;
            while (!acquisition.isHeld()) {
                tickets.add(lock.ticket());
                ct.pause(nanos);
                nanos = Math.min(2 * nanos, LONGEST_POLL_NANOS); // or the time would hardly go on
                acquisition = lock.tryAcquire(0, ct);
            }
            return acquisition;
        }

        private Acquisition acquireConsistent(LockHandle lock, ComputeThread ct) {
            try {
                lock.acquireConsistent(ct);
                return Acquisition.NORMAL;
            } catch (LostHolderException e) {
                replaced.add(e.thread());
                if (holder != null && holder.id() == e.thread()) { // else another thread is inside by now
                    holder = null;
                }
                return Acquisition.TIMED_OUT; // it has left the lock to the others
            }
        }

        private void noteWhoIsKnownToBeLost(LockHandle lock, ComputeThread ct) {
            knownToBeLost.clear();
            IntStream.range(0, lock.tellsLostWaiters() ? threads : 0)
                    .filter(ct.peers()::isLost)
                    .forEach(knownToBeLost::add);
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
            if (keepsTickets && lost.isEmpty() && tickets.size() <= lastTicket) {
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
