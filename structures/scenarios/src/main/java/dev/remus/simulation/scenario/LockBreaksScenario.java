// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.fabric.sim.Fault;
import dev.remus.lock.RemoteCohortLock;
import dev.remus.lock.RemoteLock;
import dev.remus.lock.RemoteQueueLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Threads take a lock again and again while their lanes break several times, or their links are down for a while. They
 * do so through one or more views, some with a time limit. After a break a thread may pause, so that others change the
 * lock before it goes on. Inside they post to a counter on another Memory Node, and some post to a word of their own
 * before. Two must never be inside, they must enter in the order of their tickets, and all must finish. At the end the
 * lock is free, each ticket was held or given up, and nothing that was posted is lost without a report.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even
 * @param rounds the number of times each tries, at least
 * @param fault {@link Fault#BROKEN_LANES} or {@link Fault#DOWN_LINKS}
 * @param creator makes the lock
 * @param opener makes a thread's handle to it
 * @param isNear whether each node is a Memory Node too, and reads words of its own by loads
 */
public record LockBreaksScenario(
        int threads, int rounds, Fault fault, LockHandle.Creator creator, LockHandle.Opener opener, boolean isNear)
        implements Scenario {
    private static final int MOST_ROUNDS = 3;
    private static final int MAX_VIEWS = 3;
    private static final int MAX_PAUSES = 3;
    private static final long PATIENCE_NANOS = 20_000;

    /** The lanes of a {@link RemoteLock} break one by one. */
    public LockBreaksScenario(int threads, int rounds) {
        this(threads, rounds, Fault.BROKEN_LANES);
    }

    /** The scenario with a {@link RemoteLock}. */
    public LockBreaksScenario(int threads, int rounds, Fault fault) {
        this(threads, rounds, fault, RemoteLockHandle::create, RemoteLockHandle::new, false);
    }

    /** The scenario with a {@link RemoteQueueLock}. */
    public static LockBreaksScenario queueLock(int threads, int rounds) {
        return new LockBreaksScenario(
                threads, rounds, Fault.BROKEN_LANES, QueueLockHandle::create, QueueLockHandle::new, false);
    }

    /** The scenario with a {@link RemoteQueueLock} whose waiters are woken by words in their own memory. */
    public static LockBreaksScenario nearQueueLock(int threads, int rounds) {
        return new LockBreaksScenario(
                threads, rounds, Fault.BROKEN_LANES, QueueLockHandle::create, QueueLockHandle::new, true);
    }

    /** The scenario with a {@link RemoteCohortLock}. */
    public static LockBreaksScenario cohortLock(int threads, int rounds) {
        return new LockBreaksScenario(
                threads, rounds, Fault.BROKEN_LANES, CohortLockHandle::create, CohortLockHandle::new, false);
    }

    /** Rejects parameters that cannot be run. */
    public LockBreaksScenario {
        if (rounds < 1) {
            throw new IllegalArgumentException(rounds + " rounds: needs at least one");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        BreakingCluster breaking = new BreakingCluster(threads, fault, isNear, schedule);
        Run run = new Run(schedule, breaking);
        breaking.cluster().prepared(run::prepare).concluded(run::conclude).run(run::work);
        run.judge();
    }

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private final class Run {
        private final Schedule schedule;
        private final BreakingCluster breaking;
        private final Set<Integer> ended = new TreeSet<>();

        /** The tickets that were held or given up. */
        private final Set<Long> tickets = new TreeSet<>();

        private RdmaPtr<?> pointer = RdmaPtr.nullPointer();

        /** The counter, and behind it a word of each thread. */
        private long words;

        private @Nullable ComputeThread inside;
        private long lastTicket = -1;
        private long entered;
        private boolean isConcluded;

        Run(Schedule schedule, BreakingCluster breaking) {
            this.schedule = schedule;
            this.breaking = breaking;
        }

        void prepare(ComputeThread ct) {
            if (ct.id() == 0) {
                pointer = creator.create(ct);
                words = ct.allocateOn(1, (1L + threads) * Long.BYTES);
                for (int i = 0; i <= threads; i++) {
                    ct.write(words + (long) i * Long.BYTES, 0);
                }
            }
        }

        private long ownWord(ComputeThread ct) {
            return words + (1L + ct.id()) * Long.BYTES;
        }

        void work(ComputeThread ct) {
            SplittableRandom random = schedule.choices(ct.id());
            LockHandle[] views = new LockHandle[1 + random.nextInt(MAX_VIEWS)];
            for (int i = 0; i < views.length; i++) {
                views[i] = opener.open(pointer, ct);
            }
            for (int i = 1; i <= rounds || i <= MOST_ROUNDS * rounds && !breaking.areBreaksOver(); i++) {
                LockHandle lock = views[random.nextInt(views.length)];
                boolean isTaken = random.nextInt(3) == 0 ? takeAfterPost(i, lock, random, ct) : take(lock, random, ct);
                tickets.add(lock.ticket());
                if (isTaken) {
                    use(lock, random, ct);
                }
            }
            ended.add(ct.id());
        }

        private static boolean take(LockHandle lock, SplittableRandom random, ComputeThread ct) {
            if (random.nextBoolean()) {
                return lock.tryAcquire(random.nextLong(PATIENCE_NANOS), ct).isHeld();
            }
            lock.acquire(ct);
            return true;
        }

        /** Posts to its own word again if the lock reports that it may be lost. */
        private boolean takeAfterPost(long value, LockHandle lock, SplittableRandom random, ComputeThread ct) {
            boolean isTaken;
            while (true) {
                ct.post(ownWord(ct), value);
                try {
                    isTaken = take(lock, random, ct);
                    break;
                } catch (OutcomeUnknownException e) {
                    ct.pause();
                }
            }
            if (ct.read(ownWord(ct)) != value) {
                throw new AssertionError(ct + " has posted " + value + " before it took the lock, and finds "
                        + ct.read(ownWord(ct)) + " without a report");
            }
            return isTaken;
        }

        private void use(LockHandle lock, SplittableRandom random, ComputeThread ct) {
            if (lock.ticket() <= lastTicket) {
                throw new AssertionError(
                        ct + " has the lock with ticket " + lock.ticket() + " after one with ticket " + lastTicket);
            }
            lastTicket = lock.ticket();
            entered++;
            enter(lock, ct);
            for (int i = random.nextInt(MAX_PAUSES); i > 0; i--) {
                ct.pause();
            }
            long value = ct.read(words) + 1;
            while (true) {
                ct.post(words, value);
                inside = null;
                try {
                    lock.release(ct);
                    return;
                } catch (OutcomeUnknownException e) {
                    enter(lock, ct); // it has not released the lock
                }
            }
        }

        private void enter(LockHandle lock, ComputeThread ct) {
            if (inside != null || lastTicket != lock.ticket()) {
                throw new AssertionError(ct + " has the lock with ticket " + lock.ticket() + ", and so has " + inside
                        + " with ticket " + lastTicket);
            }
            inside = ct;
        }

        /** No thread uses the lock any more. */
        void conclude(ComputeThread ct) {
            if (ct.id() != 0) {
                return;
            }
            opener.open(pointer, ct).checkFree(tickets, ct);
            long counted = ct.read(words);
            if (counted != entered) {
                throw new AssertionError("the lock was acquired " + entered + " times, but only " + counted
                        + " increments made inside are left");
            }
            isConcluded = true;
        }

        void judge() {
            for (int thread = 0; thread < threads; thread++) {
                if (!ended.contains(thread)) {
                    throw new AssertionError("thread " + thread + " has not ended after lanes broke");
                }
            }
            if (breaking.areBreaksOver() && !isConcluded) {
                throw new AssertionError("the threads have not met after all breaks");
            }
        }
    }
}
