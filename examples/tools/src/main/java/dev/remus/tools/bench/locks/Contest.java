// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.locks;

import dev.remus.fabric.CostModel;
import dev.remus.fabric.sim.RandomScheduler;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.tools.bench.suite.BenchCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * All threads acquire one lock again and again. Inside, a writer adds 1 to a counter, a reader READs it, and both READ
 * it more often in long sections. At the end the counter must be right.
 *
 * @param millis the duration on this machine
 * @param model the hardware of the model
 * @param seed the seed of the model's choices
 */
record Contest(long millis, CostModel model, long seed) {
    /** READs inside a short section. */
    static final int SHORT = 1;
    /** READs inside a long section. */
    static final int LONG = 20;

    private static final int SEGMENT_LOG2 = 20;
    private static final int THREADS_PER_NODE = 10;

    /** Each node of the model is connected to all others. */
    private static final int MOST_NODES = 100;

    private static final long NANOS_PER_MILLI = 1_000_000;

    /** On this machine, so many acquisitions of a thread do not count. */
    private static final int UNCOUNTED = 2;

    /**
     * On the model, so many turns of each thread do not count: in the first ones all threads arrive at once, and none
     * can know how long a turn takes. A turn is an acquisition, or as many as one of a writer comes with.
     */
    private static final int UNCOUNTED_TURNS = 4;

    /** So many turns of each thread count then at least, and so many acquisitions of all together. */
    private static final int LEAST_TURNS = 2;

    private static final int LEAST_ACQUISITIONS_OF_ALL = 1_000;

    LocksFigures measure(LocksPoint point) throws Exception {
        try (ContestedLock lock = point.kind().start()) {
            Run run = new Run(point, lock);
            if (point.isModel()) {
                simulate(point, run);
            } else {
                new BenchCluster("shm", 1, point.threads(), SEGMENT_LOG2).run(ct -> {
                    run.prepare(ct);
                    ct.barrier();
                    run.work(ct);
                    ct.barrier();
                    run.conclude(ct);
                });
            }
            return run.figures();
        }
    }

    /** The lock is on a node without threads; the others are Memory Nodes too, and read their own memory by loads. */
    private void simulate(LocksPoint point, Run run) throws Exception {
        int nodes = nodes(point.threads());
        Schedule schedule = new Schedule(seed, new RandomScheduler(seed), Set.of(), Set.of())
                .observedBy(s -> s.costs(model).maxSteps(Long.MAX_VALUE));
        new SimulatedCluster(
                        SimulatedCluster.small(2)
                                .memoryNodes(0, nodes)
                                .computeNodes(1, nodes)
                                .threadsPerNode(point.threads() / nodes)
                                .segmentSizeLog2(SEGMENT_LOG2)
                                .checkMemory(false)
                                .build(),
                        schedule)
                .withLocalReads()
                .prepared(run::prepare)
                .concluded(run::conclude)
                .run(run::work);
    }

    /** Ten threads on a node if that is even, or more where there are many; no node has a thread less. */
    private static int nodes(int threads) {
        int perNode = Math.min(threads, Math.max(THREADS_PER_NODE, threads / MOST_NODES));
        while (threads % perNode != 0) {
            perNode--;
        }
        return threads / perNode;
    }

    /** One run, with the results of its threads. */
    private final class Run {
        private final LocksPoint point;
        private final ContestedLock lock;
        private final List<Result> results = new ArrayList<>();
        private final CountedSpan span;
        private volatile long counter;

        Run(LocksPoint point, ContestedLock lock) {
            this.point = point;
            this.lock = lock;
            long perTurn = point.kind().acquisitionsPerWriter();
            long least = Math.max(perTurn * LEAST_TURNS, LEAST_ACQUISITIONS_OF_ALL / point.threads());
            this.span = new CountedSpan(point.threads(), perTurn * UNCOUNTED_TURNS, least);
        }

        void prepare(ComputeThread ct) {
            if (ct.id() == 0) {
                counter = ct.allocateOn(0, Long.BYTES);
                ct.write(counter, 0);
                lock.create(ct);
            }
        }

        void work(ComputeThread ct) throws Exception {
            ContestedLock.User user = lock.open(ct);
            Result result = new Result();
            if (!point.isModel()) {
                for (long i = 0; i < UNCOUNTED; i++) {
                    use(user, result, ct.nanoTime(), ct);
                }
                result.forget();
            }
            result.began = ct.nanoTime();
            for (long now = result.began; goesOn(result, now); now = ct.nanoTime()) {
                use(user, result, now, ct);
            }
            result.ended = ct.nanoTime();
            synchronized (results) {
                results.add(result);
            }
        }

        private boolean goesOn(Result result, long now) {
            return point.isModel() ? !span.isOver() : now - result.began < millis * NANOS_PER_MILLI;
        }

        private void use(ContestedLock.User user, Result result, long start, ComputeThread ct) {
            boolean reads = point.kind().reads(ct.id() + result.all);
            long trips = ct.metrics().roundTrips();
            long inside = 0;
            user.acquire(reads);
            long now = ct.nanoTime();
            boolean counts = !point.isModel() || span.acquired(result.all, result.acquisitions, now);
            result.all++;
            try {
                long before = ct.metrics().roundTrips();
                section(reads, ct);
                inside = ct.metrics().roundTrips() - before;
                result.writes += reads ? 0 : 1;
            } finally {
                user.release(reads); // threads of this process may wait for it without noticing that the node ends
            }
            if (counts) {
                result.count(now - start, ct.metrics().roundTrips() - trips - inside);
            }
        }

        private void section(boolean reads, ComputeThread ct) {
            long value = ct.read(counter);
            for (int i = SHORT; i < point.reads(); i++) {
                ct.read(counter);
            }
            if (!reads) {
                ct.write(counter, value + 1);
            }
        }

        void conclude(ComputeThread ct) {
            if (ct.id() == 0) {
                long counted = ct.read(counter);
                long writes =
                        results.stream().mapToLong(result -> result.writes).sum();
                if (counted != writes) {
                    throw new IllegalStateException("inside " + point.kind() + " " + writes
                            + " threads added 1 to a counter one after the other, and it is " + counted);
                }
            }
        }

        LocksFigures figures() {
            double acquisitions =
                    results.stream().mapToLong(result -> result.acquisitions).sum();
            return new LocksFigures(
                    acquisitions * 1e9 / (point.isModel() ? span.nanos() : nanos()),
                    results.stream().mapToLong(result -> result.waited).sum() / acquisitions,
                    results.stream().mapToLong(result -> result.longest).max().orElseThrow(),
                    results.stream().mapToLong(result -> result.roundTrips).sum() / acquisitions);
        }

        private long nanos() {
            long began =
                    results.stream().mapToLong(result -> result.began).min().orElseThrow();
            long ended =
                    results.stream().mapToLong(result -> result.ended).max().orElseThrow();
            return ended - began;
        }
    }

    /** What a thread did. */
    private static final class Result {
        /** How often it has acquired the lock, whether that counts or not. */
        private long all;

        private long writes;
        private long acquisitions;
        private long began;
        private long ended;
        private long waited;
        private long longest;
        private long roundTrips;

        void count(long nanos, long trips) {
            acquisitions++;
            waited += nanos;
            longest = Math.max(longest, nanos);
            roundTrips += trips;
        }

        /** Counts anew. */
        void forget() {
            acquisitions = 0;
            waited = 0;
            longest = 0;
            roundTrips = 0;
        }
    }
}
