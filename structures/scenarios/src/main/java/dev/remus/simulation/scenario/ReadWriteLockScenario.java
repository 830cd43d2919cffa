// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import static dev.remus.simulation.scenario.TroubledCluster.repeated;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.fabric.sim.Fault;
import dev.remus.lock.Acquisition;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads take a lock as readers and writers, each through one or more views, some of them with a time limit. A writer
 * must be alone. Inside it counts in two words on another Memory Node, and posts them. Each reader and writer must read
 * what the last writer has posted, unless it is told that a writer has died, and all must finish.
 *
 * <p>A trouble is chosen by the scenario itself, which ignores the faults of the schedule then.
 *
 * @param threads the number of threads, which is even
 * @param rounds how often each tries
 * @param trouble what goes wrong
 * @param creator makes the lock
 * @param opener makes a thread's handle to it
 */
public record ReadWriteLockScenario(
        int threads, int rounds, Trouble trouble, LockHandle.Creator creator, ReadWriteHandle.Opener opener)
        implements Scenario {
    /** What goes wrong. */
    public enum Trouble {
        /** The faults of the schedule. */
        NONE,
        /** A node is lost, a thread is delayed, and lanes break a few times. */
        LOSS,
        /** Lanes break many times. */
        BREAKS
    }

    /** With these, threads may end, or wait for one that has, without a mistake of the lock. */
    private static final Set<Fault> MAY_END_THREADS = Set.of(
            Fault.STOPPED_THREADS,
            Fault.LOST_COMPUTE_NODES,
            Fault.LOST_MEMORY_NODES,
            Fault.DOWN_LINKS,
            Fault.LOST_LINKS,
            Fault.STUCK_LANES,
            Fault.INTERRUPTED_THREADS);

    private static final int MOST_ROUNDS = 3;
    private static final int MAX_VIEWS = 3;
    private static final int MAX_PAUSES = 3;
    private static final long PATIENCE_NANOS = 20_000;
    private static final long FIRST_POLL_NANOS = 1_000;
    private static final long LONGEST_POLL_NANOS = 2_000_000;

    /** Longer than the queue of the writers waits for a ticket that was lost as a lane broke. */
    private static final long LONG_NANOS = 1_000_000_000;

    /** Rejects parameters that cannot be run. */
    public ReadWriteLockScenario {
        if (rounds < 1) {
            throw new IllegalArgumentException(rounds + " rounds: needs at least one");
        }
    }

    /** The scenario with a {@link dev.remus.lock.RemoteReadWriteLock}. */
    public ReadWriteLockScenario(int threads, int rounds, Trouble trouble) {
        this(threads, rounds, trouble, ReadWriteHandle::create, ReadWriteHandle::open);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        switch (trouble) {
            case NONE -> {
                ClusterConfig config = SimulatedCluster.small(threads)
                        .onNodeLoss(OnNodeLoss.CONTINUE) // so that the lock itself must handle broken lanes
                        .build();
                SimulatedCluster cluster = new SimulatedCluster(config, schedule);
                Run run = run(cluster, () -> true, schedule);
                if (cluster.struck().stream().noneMatch(strike -> MAY_END_THREADS.contains(strike.fault()))) {
                    run.judge(Set.of());
                }
            }
            case LOSS -> {
                TroubledCluster troubled = new TroubledCluster(threads, schedule);
                run(troubled.cluster(), () -> true, schedule).judge(troubled.lost());
            }
            case BREAKS -> {
                BreakingCluster breaking = new BreakingCluster(threads, Fault.BROKEN_LANES, false, schedule);
                run(breaking.cluster(), breaking::areBreaksOver, schedule).judge(Set.of());
            }
        }
    }

    private Run run(SimulatedCluster cluster, BooleanSupplier mayEnd, Schedule schedule) throws Exception {
        Run run = new Run(trouble == Trouble.LOSS && schedule.choices(-3).nextInt(3) == 0);
        cluster.prepared(run::prepare)
                .concluded(run::conclude)
                .run(ct -> run.work(mayEnd, schedule.choices(ct.id()), ct));
        return run;
    }

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private final class Run {
        private final Set<Integer> readers = new TreeSet<>();
        private final Set<Integer> through = new TreeSet<>();
        private final PostedWords posted = new PostedWords(threads);
        private RdmaPtr<?> shared = RdmaPtr.nullPointer();

        /** Whether each reader tries without a wait until it gets the lock. */
        private final boolean arePolling;

        /** Two words that each writer counts up. */
        private long words;

        private @Nullable ComputeThread writer;
        private long counted;

        /** Whether a thread has learned of a death, and no writer has repaired what the lock protects since. */
        private boolean isUnrepaired;

        /** The number of repairs. */
        private int repairs;

        /** Whether a thread has learned of a death. */
        private boolean isDeathReported;

        /** The writers in whose place others have the lock. */
        private final Set<Integer> replaced = new TreeSet<>();

        Run(boolean arePolling) {
            this.arePolling = arePolling;
        }

        void prepare(ComputeThread ct) {
            if (ct.id() == 0) {
                shared = creator.create(ct);
                posted.allocate(ct);
                words = ct.allocateOn(1, 2L * Long.BYTES);
                ct.write(words, 0);
                ct.write(words + Long.BYTES, 0);
            }
        }

        void work(BooleanSupplier mayEnd, SplittableRandom random, ComputeThread ct) {
            ReadWriteHandle[] views = new ReadWriteHandle[1 + random.nextInt(MAX_VIEWS)];
            for (int i = 0; i < views.length; i++) {
                views[i] = opener.open(shared, ct);
            }
            for (int i = 0; i < rounds || i < MOST_ROUNDS * rounds && !mayEnd.getAsBoolean(); i++) {
                ReadWriteHandle lock = views[random.nextInt(views.length)];
                boolean writes = random.nextInt(3) == 0;
                boolean wasUnrepaired = isUnrepaired;
                int repaired = repairs;
                Acquisition acquisition = acquire(lock, writes, random, ct);
                if (acquisition.isHeld()) {
                    note(acquisition, wasUnrepaired && repaired == repairs);
                    if (writes) {
                        write(lock, acquisition, random, ct);
                    } else {
                        read(lock, acquisition, random, ct);
                    }
                }
            }
            through.add(ct.id());
        }

        private Acquisition acquire(ReadWriteHandle lock, boolean writes, SplittableRandom random, ComputeThread ct) {
            if (arePolling && !writes) {
                return poll(lock, ct);
            }
            long patience = random.nextBoolean() ? Long.MAX_VALUE : random.nextLong(PATIENCE_NANOS);
            long start = ct.nanoTime();
            Acquisition acquisition = posted.before(() -> lock.tryAcquire(writes, patience, ct), ct);
            if (!acquisition.isHeld() && ct.nanoTime() - start < patience) {
                throw new AssertionError(
                        ct + " has given up " + (patience - (ct.nanoTime() - start)) + " ns too early");
            }
            return acquisition;
        }

        private Acquisition poll(ReadWriteHandle lock, ComputeThread ct) {
            Acquisition acquisition = posted.before(() -> lock.tryAcquire(false, 0, ct), ct);
            for (long nanos = FIRST_POLL_NANOS;
                    !acquisition.isHeld();
                    nanos = Math.min(2 * nanos, LONGEST_POLL_NANOS)) { // or the time would hardly go on
                ct.pause(nanos);
                acquisition = posted.before(() -> lock.tryAcquire(false, 0, ct), ct);
            }
            return acquisition;
        }

        /** @param isHalfChanged whether that was so all the time since the thread began to acquire the lock */
        private void note(Acquisition acquisition, boolean isHalfChanged) {
            if (acquisition == Acquisition.HOLDER_DIED) {
                isDeathReported = true;
                isUnrepaired = true;
                if (writer != null) {
                    replaced.add(writer.id());
                    writer = null;
                }
            }
            if (isHalfChanged && acquisition == Acquisition.NORMAL) {
                throw new AssertionError("a writer has died, nobody has repaired what it changed, and a thread that"
                        + " acquires the lock is not told");
            }
        }

        private void read(ReadWriteHandle lock, Acquisition acquisition, SplittableRandom random, ComputeThread ct) {
            checkNoWriter(ct);
            readers.add(ct.id());
            pauseSometimes(random, ct);
            if (acquisition == Acquisition.NORMAL) {
                checkWords(ct);
            }
            readers.remove(ct.id());
            posted.before(() -> release(lock, ct), ct);
        }

        private static boolean release(ReadWriteHandle lock, ComputeThread ct) {
            lock.release(false, ct);
            return true;
        }

        private void write(ReadWriteHandle lock, Acquisition acquisition, SplittableRandom random, ComputeThread ct) {
            enter(ct);
            pauseSometimes(random, ct);
            boolean isRepairing = false;
            long value;
            if (acquisition == Acquisition.NORMAL) {
                checkWords(ct);
                value = counted + 1;
            } else {
                value = Math.max(load(0, ct), load(1, ct)) + 1;
                if (random.nextInt(3) > 0) {
                    lock.makeConsistent();
                    isRepairing = true;
                }
            }
            for (boolean isInside = true; isInside; ) {
                ct.post(words, value);
                pauseSometimes(random, ct);
                ct.post(words + Long.BYTES, value);
                writer = null;
                counted = value;
                if (isRepairing) {
                    isUnrepaired = false;
                    repairs++;
                }
                try {
                    lock.release(true, ct);
                    isInside = false;
                } catch (OutcomeUnknownException e) {
                    enter(ct); // what it has posted may be lost, and it has not released the lock
                }
            }
        }

        private void enter(ComputeThread ct) {
            checkNoWriter(ct);
            readers.removeIf(ct.peers()::isLost);
            if (!readers.isEmpty()) {
                throw new AssertionError(ct + " writes, while threads " + readers + " read");
            }
            writer = ct;
        }

        private void checkNoWriter(ComputeThread ct) {
            if (writer != null) {
                throw new AssertionError(ct + " has the lock, while " + writer + " writes");
            }
        }

        private void checkWords(ComputeThread ct) {
            long first = load(0, ct);
            long second = load(1, ct);
            if (first != counted || second != counted) {
                throw new AssertionError(ct + " has the lock and reads " + first + " and " + second
                        + ", when the last writer has posted " + counted + " twice");
            }
        }

        private long load(int i, ComputeThread ct) {
            return repeated(() -> ct.read(words + (long) i * Long.BYTES), ct);
        }

        private static void pauseSometimes(SplittableRandom random, ComputeThread ct) {
            for (int i = random.nextInt(MAX_PAUSES); i > 0; i--) {
                ct.pause();
            }
        }

        /** No thread uses the lock any more. */
        void conclude(ComputeThread ct) {
            if (ct.id() == 0) {
                ReadWriteHandle lock = opener.open(shared, ct);
                for (boolean writes : new boolean[] {false, true}) {
                    if (!lock.tryAcquire(writes, LONG_NANOS, ct).isHeld()) {
                        throw new AssertionError("the lock is not free when no thread uses it");
                    }
                    lock.release(writes, ct);
                }
            }
        }

        void judge(Set<Integer> lost) {
            for (int thread = 0; thread < threads; thread++) {
                if (!lost.contains(thread) && !through.contains(thread)) {
                    throw new AssertionError(
                            "thread " + thread + " waits for ever for the lock, when threads " + lost + " were lost");
                }
            }
            if (isDeathReported && lost.isEmpty() || !lost.containsAll(replaced)) {
                throw new AssertionError(
                        "a thread was told that a writer has died, and had the lock in place of threads " + replaced
                                + "; lost are " + lost);
            }
        }
    }
}
