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

    /** On the model, each thread acquires the lock so often at least, and all of them together. */
    private static final int LEAST_ACQUISITIONS = 4;

    private static final int LEAST_ACQUISITIONS_OF_ALL = 1_000;

    /** In the first ones all threads arrive at once, and none can know how long a turn takes. */
    private static final int UNCOUNTED = 2;

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
        private volatile long counter;

        Run(LocksPoint point, ContestedLock lock) {
            this.point = point;
            this.lock = lock;
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
            for (long i = 0; i < UNCOUNTED; i++) {
                result.writes += use(user, i, ct) ? 0 : 1;
            }
            long trips = ct.metrics().roundTrips();
            long inside = 0;
            result.began = ct.nanoTime();
            for (long now = result.began; goesOn(result, now); now = ct.nanoTime()) {
                boolean reads = point.kind().reads(ct.id() + result.acquisitions);
                user.acquire(reads);
                try {
                    result.count(reads, ct.nanoTime() - now);
                    long before = ct.metrics().roundTrips();
                    section(reads, ct);
                    inside += ct.metrics().roundTrips() - before;
                } finally {
                    user.release(reads); // threads of this process may wait for it without noticing that the node ends
                }
            }
            result.ended = ct.nanoTime();
            result.roundTrips = ct.metrics().roundTrips() - trips - inside;
            synchronized (results) {
                results.add(result);
            }
        }

        private boolean goesOn(Result result, long now) {
            if (!point.isModel()) {
                return now - result.began < millis * NANOS_PER_MILLI;
            }
            return result.acquisitions < Math.max(LEAST_ACQUISITIONS, LEAST_ACQUISITIONS_OF_ALL / point.threads());
        }

        /** Returns whether it was a reader. */
        private boolean use(ContestedLock.User user, long i, ComputeThread ct) {
            boolean reads = point.kind().reads(ct.id() + i);
            user.acquire(reads);
            try {
                section(reads, ct);
            } finally {
                user.release(reads);
            }
            return reads;
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
            long began =
                    results.stream().mapToLong(result -> result.began).min().orElseThrow();
            long ended =
                    results.stream().mapToLong(result -> result.ended).max().orElseThrow();
            double acquisitions =
                    results.stream().mapToLong(result -> result.acquisitions).sum();
            return new LocksFigures(
                    acquisitions * 1e9 / (ended - began),
                    results.stream().mapToLong(result -> result.waited).sum() / acquisitions,
                    results.stream().mapToLong(result -> result.longest).max().orElseThrow(),
                    results.stream().mapToLong(result -> result.roundTrips).sum() / acquisitions);
        }
    }

    /** What a thread did. */
    private static final class Result {
        private long acquisitions;
        private long writes;
        private long began;
        private long ended;
        private long waited;
        private long longest;
        private long roundTrips;

        void count(boolean reads, long nanos) {
            acquisitions++;
            writes += reads ? 0 : 1;
            waited += nanos;
            longest = Math.max(longest, nanos);
        }
    }
}
