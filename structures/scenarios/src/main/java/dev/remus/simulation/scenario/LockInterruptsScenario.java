// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.sim.Fault;
import dev.remus.lock.Acquisition;
import dev.remus.lock.LeaderSlot;
import dev.remus.lock.RemoteCohortLock;
import dev.remus.lock.RemoteLock;
import dev.remus.lock.RemoteQueueLock;
import dev.remus.lock.RemoteReadWriteLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Threads take a lock again and again, and are interrupted several times while they wait: for the lock, inside, or as
 * they release it. An interrupted wait ends with an exception, and what the thread has requested may take effect later.
 * A thread that is interrupted goes on with its next attempt. Two must never be inside, nobody is told that a holder
 * died, and all must finish. At the end the lock is free, and nothing that was written inside is lost or comes late.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even
 * @param rounds the number of times each tries, at least
 * @param hasReaders whether two of three attempts are those of readers
 * @param creator makes the lock
 * @param opener makes a thread's handle to it
 */
public record LockInterruptsScenario(
        int threads, int rounds, boolean hasReaders, LockHandle.Creator creator, ReadWriteHandle.Opener opener)
        implements Scenario {
    private static final int MOST_ROUNDS = 6;
    private static final int MAX_PAUSES = 3;
    private static final long PATIENCE_NANOS = 20_000;

    /** Longer than tickets that nobody claims delay a lock: each is polled 128 times, at intervals of up to 33 ms. */
    private static final long LONG_NANOS = 30_000_000_000L;

    /** Rejects parameters that cannot be run. */
    public LockInterruptsScenario {
        if (rounds < 1) {
            throw new IllegalArgumentException(rounds + " rounds: needs at least one");
        }
    }

    /** The scenario with a {@link RemoteLock}. */
    public static LockInterruptsScenario remoteLock(int threads, int rounds) {
        return alone(threads, rounds, RemoteLockHandle::create, RemoteLockHandle::new);
    }

    /** The scenario with a {@link RemoteQueueLock}. */
    public static LockInterruptsScenario queueLock(int threads, int rounds) {
        return alone(threads, rounds, QueueLockHandle::create, QueueLockHandle::new);
    }

    /** The scenario with a {@link RemoteCohortLock}. */
    public static LockInterruptsScenario cohortLock(int threads, int rounds) {
        return alone(threads, rounds, CohortLockHandle::create, CohortLockHandle::new);
    }

    /** The scenario with a {@link LeaderSlot}. */
    public static LockInterruptsScenario leaderSlot(int threads, int rounds) {
        return alone(threads, rounds, LeaderSlot::create, LeaderHandle::new);
    }

    /** The scenario with a {@link RemoteReadWriteLock}. */
    public static LockInterruptsScenario readWriteLock(int threads, int rounds) {
        return new LockInterruptsScenario(threads, rounds, true, ReadWriteHandle::create, ReadWriteHandle::open);
    }

    /** The scenario with a lock that one thread holds at a time. */
    static LockInterruptsScenario alone(int threads, int rounds, LockHandle.Creator creator, LockHandle.Opener opener) {
        return new LockInterruptsScenario(
                threads, rounds, false, creator, (pointer, ct) -> ReadWriteHandle.writer(opener.open(pointer, ct)));
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        BreakingCluster breaking = new BreakingCluster(threads, Fault.INTERRUPTED_THREADS, false, schedule);
        breaking.cluster().simulator().quietAfter(LONG_NANOS);
        Run run = new Run(breaking);
        breaking.cluster()
                .prepared(run::prepare)
                .concluded(run::conclude)
                .run(ct -> run.work(schedule.choices(ct.id()), ct));
        run.judge();
    }

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private final class Run {
        private final BreakingCluster breaking;
        private final Set<Integer> readers = new TreeSet<>();
        private final Set<Integer> ended = new TreeSet<>();
        private RdmaPtr<?> shared = RdmaPtr.nullPointer();

        /** A word that each writer counts up. */
        private long word;

        private @Nullable ComputeThread writer;
        private long counted;
        private boolean isConcluded;

        Run(BreakingCluster breaking) {
            this.breaking = breaking;
        }

        void prepare(ComputeThread ct) {
            if (ct.id() == 0) {
                shared = creator.create(ct);
                word = ct.allocateOn(1, Long.BYTES);
                ct.write(word, 0);
            }
        }

        void work(SplittableRandom random, ComputeThread ct) {
            ReadWriteHandle lock = opener.open(shared, ct);
            for (int i = 0; i < rounds || i < MOST_ROUNDS * rounds && !breaking.areBreaksOver(); i++) {
                boolean writes = !hasReaders || random.nextInt(3) == 0;
                if (isTaken(lock, writes, random, ct)) {
                    if (writes) {
                        write(random, ct);
                    } else {
                        read(random, ct);
                    }
                    release(lock, writes, ct);
                }
            }
            untilDone(ct::pause); // an interrupt that is due
            ended.add(ct.id());
        }

        private boolean isTaken(ReadWriteHandle lock, boolean writes, SplittableRandom random, ComputeThread ct) {
            long patience = random.nextBoolean() ? Long.MAX_VALUE : random.nextLong(PATIENCE_NANOS);
            Acquisition acquisition;
            try {
                acquisition = lock.tryAcquire(writes, patience, ct);
            } catch (NodeLostException e) {
                throw e;
            } catch (FabricException e) { // it was interrupted, and has left the line
                return false;
            }
            if (acquisition == Acquisition.HOLDER_DIED) {
                throw new AssertionError(ct + " was told that a holder died, but nobody has");
            }
            return acquisition.isHeld();
        }

        private void write(SplittableRandom random, ComputeThread ct) {
            enter(true, ct);
            pauseSometimes(random, ct);
            long[] value = {0};
            untilDone(() -> value[0] = ct.read(word) + 1);
            if (value[0] != counted + 1) {
                throw new AssertionError(ct + " has the lock and reads " + (value[0] - 1)
                        + ", when the last writer has written " + counted);
            }
            counted++;
            untilDone(() -> ct.write(word, value[0]));
            pauseSometimes(random, ct);
        }

        private void read(SplittableRandom random, ComputeThread ct) {
            enter(false, ct);
            long[] value = {0};
            untilDone(() -> value[0] = ct.read(word));
            pauseSometimes(random, ct);
            if (value[0] != counted) {
                throw new AssertionError(ct + " reads " + value[0] + ", when the last writer has written " + counted);
            }
        }

        private void enter(boolean writes, ComputeThread ct) {
            if (writer != null || writes && !readers.isEmpty()) {
                throw new AssertionError(ct + " has the lock, and so has " + (writer == null ? readers : writer));
            }
            if (writes) {
                writer = ct;
            } else {
                readers.add(ct.id());
            }
        }

        /** A release that throws has not begun. */
        private void release(ReadWriteHandle lock, boolean writes, ComputeThread ct) {
            while (true) {
                writer = writes ? null : writer;
                readers.remove(ct.id());
                try {
                    lock.release(writes, ct);
                    return;
                } catch (NodeLostException e) {
                    throw e;
                } catch (FabricException e) {
                    enter(writes, ct);
                }
            }
        }

        private static void pauseSometimes(SplittableRandom random, ComputeThread ct) {
            for (int i = random.nextInt(MAX_PAUSES); i > 0; i--) {
                untilDone(ct::pause);
            }
        }

        /** Repeats what can be repeated until it is not interrupted. */
        private static void untilDone(Runnable action) {
            boolean isDone = false;
            while (!isDone) {
                try {
                    action.run();
                    isDone = true;
                } catch (NodeLostException e) {
                    throw e;
                } catch (FabricException e) {
                    // it was interrupted
                }
            }
        }

        /** No thread uses the lock any more. */
        void conclude(ComputeThread ct) {
            if (ct.id() != 0) {
                return;
            }
            ReadWriteHandle lock = opener.open(shared, ct);
            for (boolean writes : new boolean[] {false, true}) {
                if (lock.tryAcquire(writes, LONG_NANOS, ct) != Acquisition.NORMAL) {
                    throw new AssertionError("the lock is not free when no thread uses it");
                }
                lock.release(writes, ct);
            }
            if (ct.read(word) != counted) {
                throw new AssertionError(
                        "writers have counted to " + counted + ", but the word is " + ct.read(word) + " at the end");
            }
            isConcluded = true;
        }

        void judge() {
            for (int thread = 0; thread < threads; thread++) {
                if (!ended.contains(thread)) {
                    throw new AssertionError("thread " + thread + " has not ended after threads were interrupted");
                }
            }
            if (breaking.areBreaksOver() && !isConcluded) {
                throw new AssertionError("the threads have not met after all interrupts");
            }
        }
    }
}
