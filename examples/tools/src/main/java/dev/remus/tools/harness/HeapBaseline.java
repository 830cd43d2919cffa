// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.cli.progress.Progress;
import dev.remus.node.ComputeThread;
import dev.remus.tools.latency.Latencies;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;

/**
 * Repeats the workload of an {@link IntSetExperiment} on a {@link HeapLazyListSet}. It runs as many threads as the
 * cluster has, all in this JVM, and each draws the same operations as its Compute Thread. No barriers are needed: the
 * garbage collector reclaims.
 */
public final class HeapBaseline {
    private static final String PHASE = "heap";
    private static final long POLL_MILLIS = 20;

    private final IntSetWorkload workload;
    private final int threads;
    private final Progress.Phase phase;
    private final HeapLazyListSet set = new HeapLazyListSet();
    private final CountDownLatch start = new CountDownLatch(1);
    private volatile boolean stopping;

    /**
     * A baseline for a run.
     *
     * @param run the run of the cluster
     * @param progress receives the progress
     */
    public HeapBaseline(IntSetResult run, Progress progress) {
        this.workload = run.workload();
        this.threads = run.cluster().totalThreads();
        this.phase = workload.length().isTimed()
                ? progress.timedPhase(PHASE, workload.length().nanos())
                : progress.phase(PHASE, allOperations(), allOperations());
    }

    private long allOperations() {
        return Math.multiplyExact(workload.length().operations(), threads);
    }

    /**
     * Runs the workload on threads of its own.
     *
     * @param ct polled while it runs, so that an abort of the cluster ends the baseline too
     * @throws IllegalStateException if the audit does not balance
     */
    public BaselineResult run(ComputeThread ct) throws InterruptedException {
        prefill();
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            workers.add(new Worker(i));
        }
        workers.forEach(Thread::start);
        long started = System.nanoTime();
        start.countDown();
        try {
            for (Worker worker : workers) {
                while (worker.isAlive()) {
                    worker.join(POLL_MILLIS);
                    ct.pause();
                }
            }
        } finally {
            stopping = true;
        }
        long ended = workers.stream().mapToLong(worker -> worker.ended).max().orElse(started);
        return collect(workers, ended - started);
    }

    /** Inserts from the highest key down, so that each search ends at once. */
    private void prefill() {
        long keys = workload.prefilledKeys();
        for (long i = keys - 1; i >= 0; i--) {
            set.insert(workload.keys().spread(i, keys));
        }
    }

    private BaselineResult collect(List<Worker> workers, long nanos) {
        Latencies<OperationKind> latencies = new Latencies<>(OperationKind.class);
        Tally totals = new Tally();
        for (Worker worker : workers) {
            latencies.add(worker.latencies);
            totals.add(worker.tally);
        }
        long expected = workload.prefilledKeys() + totals.get(Metric.INS_T) - totals.get(Metric.RMV_T);
        long found = set.checkedSize();
        boolean isComplete = workload.length().isTimed() || totals.get(Metric.OP_COUNT) == allOperations();
        if (found != expected || !isComplete) {
            throw new IllegalStateException("the books of the heap baseline do not balance: " + found + " keys found, "
                    + expected + " expected after " + totals.get(Metric.OP_COUNT) + " operations");
        }
        return new BaselineResult(totals, nanos, latencies);
    }

    private final class Worker extends Thread {
        private final Tally tally = new Tally();
        private final Latencies<OperationKind> latencies = new Latencies<>(OperationKind.class);
        private final SplittableRandom random;
        private long ended;

        Worker(int thread) {
            super("heap-" + thread);
            setDaemon(true);
            random = workload.random(thread);
        }

        @Override
        public void run() {
            try {
                start.await();
            } catch (InterruptedException e) {
                return; // the audit will find too few operations
            }
            Progress.Counter counter = phase.counter();
            RunLength length = workload.length();
            Deadline deadline = length.startNow(System::nanoTime);
            long done = 0;
            while (done < length.operations() && !deadline.isOver() && !stopping) {
                operate();
                counter.set(++done);
            }
            ended = System.nanoTime();
            tally.add(Metric.OP_COUNT, done);
        }

        private void operate() {
            OperationKind kind = workload.drawKind(random);
            long key = workload.keys().draw(random);
            long started = workload.latency() ? System.nanoTime() : 0;
            boolean answer = switch (kind) {
                case GET -> set.contains(key);
                case INSERT -> set.insert(key);
                case REMOVE -> set.remove(key);
            };
            if (workload.latency()) {
                latencies.record(kind, System.nanoTime() - started);
            }
            tally.count(kind.metric(answer));
        }
    }
}
