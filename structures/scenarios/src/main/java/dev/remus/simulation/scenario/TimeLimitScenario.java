// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.lock.RemoteCohortLock;
import dev.remus.lock.RemoteLatch;
import dev.remus.lock.RemoteReadWriteLock;
import dev.remus.lock.RemoteSemaphore;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.Arrays;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * One thread keeps something for which threads wait with a time limit, until all others have waited in vain. They must
 * not give up sooner, nor wait for ever. Then they come one after the other, and get it when the first thread gives it
 * back. Where the order is promised, the threads of each node get it in the order in which they came. At the end it is
 * free, and a thread that does not wait at all gets it.
 *
 * <p>There are no faults; those of the schedule are ignored.
 *
 * @param threads the number of threads, which is even; half of them are on each of two nodes
 * @param rounds the number of times each waits in vain, and the number of times each gets it at the end
 * @param kind what is kept
 */
public record TimeLimitScenario(int threads, int rounds, Kind kind) implements Scenario {
    /** What a thread keeps. */
    public enum Kind {
        /** A {@link RemoteCohortLock}. */
        COHORT_LOCK(true),
        /** A {@link RemoteReadWriteLock}, as a reader or as a writer. */
        READ_WRITE_LOCK(false),
        /** All permits of a {@link RemoteSemaphore}. */
        PERMITS(false),
        /** The last count of a {@link RemoteLatch}. */
        LATCH(false);

        /** Whether the threads of a node get it in their order. */
        private final boolean isFair;

        Kind(boolean isFair) {
            this.isFair = isFair;
        }
    }

    private static final int KEEPER = 0;
    private static final int MOST_PERMITS = 3;
    private static final int MAX_PAUSES = 3;
    private static final long SHORT_NANOS = 20_000;
    private static final long LONG_NANOS = 20_000_000;

    /** Longer than any wait with a limit. */
    private static final long QUIET_NANOS = 10_000_000_000L;

    /** Rejects parameters that cannot be run. */
    public TimeLimitScenario {
        if (threads < 2 || threads % 2 != 0 || rounds < 1) {
            throw new IllegalArgumentException("threads " + threads + ", rounds " + rounds
                    + ": needs an even number of threads, and at least one round");
        }
    }

    /** A thread's handle to what is kept. */
    private interface Handle {
        /** The first thread keeps all of it; at once, since no other thread has begun. */
        void keep(ComputeThread ct);

        /** Gives it back. */
        void giveBack(ComputeThread ct);

        boolean tryAcquire(long nanos, ComputeThread ct);

        void release(ComputeThread ct);

        /** Fails if it is shown as free while it is kept, or as kept when it is free. */
        default void checkShown(boolean isKept, ComputeThread ct) {}
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(threads)
                        .computeNodes(2, 3)
                        .threadsPerNode(threads / 2)
                        .build(),
                schedule.withFaults(Set.of()));
        Run run = new Run(schedule);
        cluster.simulator().quietAfter(QUIET_NANOS);
        cluster.prepared(run::prepare).concluded(run::conclude).run(run::work);
        run.judge();
    }

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private final class Run {
        private final Schedule schedule;

        /** The order in which the threads come when all have waited in vain. */
        private final int[] order;

        private final int permits;
        private final boolean isKeptByReader;
        private final Set<Integer> ended = new TreeSet<>();
        private final int[] lastOfNode = new int[2];
        private RdmaPtr<?> shared = RdmaPtr.nullPointer();
        private boolean isKept;
        private int haveWaitedInVain;
        private int haveCome;

        Run(Schedule schedule) {
            this.schedule = schedule;
            SplittableRandom random = schedule.choices(-1);
            permits = 1 + random.nextInt(MOST_PERMITS);
            isKeptByReader = random.nextBoolean();
            order = shuffled(random);
            Arrays.fill(lastOfNode, -1);
        }

        private int[] shuffled(SplittableRandom random) {
            int[] shuffled = new int[threads - 1];
            for (int i = 0; i < shuffled.length; i++) {
                int other = random.nextInt(i + 1);
                shuffled[i] = shuffled[other];
                shuffled[other] = i + 1;
            }
            return shuffled;
        }

        void prepare(ComputeThread ct) {
            if (ct.id() == KEEPER) {
                shared = switch (kind) {
                    case COHORT_LOCK -> CohortLockHandle.create(ct);
                    case READ_WRITE_LOCK -> ReadWriteHandle.create(ct);
                    case PERMITS -> RemoteSemaphore.create(permits, ct);
                    case LATCH -> RemoteLatch.create(1, ct);
                };
            }
        }

        void work(ComputeThread ct) {
            SplittableRandom random = schedule.choices(ct.id());
            Handle handle = open(isKeptByReader || random.nextBoolean(), ct);
            if (ct.id() == KEEPER) {
                handle.keep(ct);
                isKept = true;
                await(() -> haveCome == threads - 1, ct);
                handle.checkShown(true, ct);
                isKept = false;
                handle.giveBack(ct);
            } else {
                await(() -> isKept, ct);
                waitInVain(handle, random, ct);
                come(handle, ct);
            }
            for (int i = 0; i < rounds; i++) {
                acquire(handle, ct);
                for (int pauses = random.nextInt(MAX_PAUSES); pauses > 0; pauses--) {
                    ct.pause();
                }
                handle.release(ct);
            }
            ended.add(ct.id());
        }

        private static void await(BooleanSupplier isDone, ComputeThread ct) {
            while (!isDone.getAsBoolean()) {
                ct.pause();
            }
        }

        private void waitInVain(Handle handle, SplittableRandom random, ComputeThread ct) {
            for (int i = 0; i < rounds; i++) {
                long nanos =
                        random.nextInt(3) == 0 ? 0 : random.nextLong(random.nextBoolean() ? LONG_NANOS : SHORT_NANOS);
                long start = ct.nanoTime();
                boolean isAcquired = handle.tryAcquire(nanos, ct);
                long waited = ct.nanoTime() - start;
                if (isAcquired) {
                    throw new AssertionError(ct + " has got what thread " + KEEPER + " keeps");
                }
                if (waited < nanos) {
                    throw new AssertionError(ct + " has waited " + waited + " ns instead of " + nanos + " ns");
                }
                handle.checkShown(true, ct);
            }
            haveWaitedInVain++;
        }

        private void come(Handle handle, ComputeThread ct) {
            await(() -> haveWaitedInVain == threads - 1 && order[haveCome] == ct.id(), ct);
            int place = haveCome++;
            acquire(handle, ct);
            int node = ct.id() / (threads / 2);
            if (kind.isFair && place < lastOfNode[node]) {
                throw new AssertionError(ct + " has come as number " + place + ", and gets it after number "
                        + lastOfNode[node] + " of the same node");
            }
            lastOfNode[node] = place;
            handle.release(ct);
        }

        private void acquire(Handle handle, ComputeThread ct) {
            if (!handle.tryAcquire(Long.MAX_VALUE, ct) || isKept) {
                throw new AssertionError(ct + " has not waited until thread " + KEEPER + " gave back what it kept");
            }
        }

        /** No thread waits any more. */
        void conclude(ComputeThread ct) {
            if (ct.id() == KEEPER) {
                for (boolean writes : new boolean[] {false, true}) {
                    Handle handle = open(writes, ct);
                    handle.checkShown(false, ct);
                    if (!handle.tryAcquire(0, ct)) {
                        throw new AssertionError("it is free, and a thread that does not wait does not get it");
                    }
                    handle.release(ct);
                }
            }
        }

        void judge() {
            for (int thread = 0; thread < threads; thread++) {
                if (!ended.contains(thread)) {
                    throw new AssertionError("thread " + thread + " waits for ever, or has not given up in time");
                }
            }
        }

        private Handle open(boolean writes, ComputeThread ct) {
            return switch (kind) {
                case COHORT_LOCK -> new Locked(ReadWriteHandle.writer(new CohortLockHandle(shared, ct)), true, true);
                case READ_WRITE_LOCK -> new Locked(ReadWriteHandle.open(shared, ct), !isKeptByReader, writes);
                case PERMITS -> new Permits(new RemoteSemaphore(new RdmaPtr<>(shared.raw()), ct), permits);
                case LATCH -> new Opened(new RemoteLatch(new RdmaPtr<>(shared.raw()), ct));
            };
        }
    }

    private record Locked(ReadWriteHandle lock, boolean keepsAsWriter, boolean writes) implements Handle {
        @Override
        public void keep(ComputeThread ct) {
            lock.tryAcquire(keepsAsWriter, Long.MAX_VALUE, ct);
        }

        @Override
        public void giveBack(ComputeThread ct) {
            lock.release(keepsAsWriter, ct);
        }

        @Override
        public boolean tryAcquire(long nanos, ComputeThread ct) {
            return lock.tryAcquire(writes, nanos, ct).isHeld();
        }

        @Override
        public void release(ComputeThread ct) {
            lock.release(writes, ct);
        }
    }

    private record Permits(RemoteSemaphore semaphore, int permits) implements Handle {
        @Override
        public void keep(ComputeThread ct) {
            for (int i = 0; i < permits; i++) {
                semaphore.acquire(ct);
            }
        }

        @Override
        public void giveBack(ComputeThread ct) {
            for (int i = 0; i < permits; i++) {
                semaphore.release(ct);
            }
        }

        @Override
        public boolean tryAcquire(long nanos, ComputeThread ct) {
            return semaphore.tryAcquire(nanos, ct);
        }

        @Override
        public void release(ComputeThread ct) {
            semaphore.release(ct);
        }

        @Override
        public void checkShown(boolean isKept, ComputeThread ct) {
            int available = semaphore.available(ct);
            if (available != (isKept ? 0 : permits)) {
                throw new AssertionError(available + " of " + permits + " permits are shown as available, when "
                        + (isKept ? "one thread keeps all" : "no thread holds any"));
            }
        }
    }

    private record Opened(RemoteLatch latch) implements Handle {
        @Override
        public void keep(ComputeThread ct) {}

        @Override
        public void giveBack(ComputeThread ct) {
            latch.countDown(ct);
        }

        @Override
        public boolean tryAcquire(long nanos, ComputeThread ct) {
            return latch.tryAwait(nanos, ct).isOpen();
        }

        @Override
        public void release(ComputeThread ct) {}
    }
}
