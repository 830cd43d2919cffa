// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import dev.remus.cli.progress.Progress;
import dev.remus.node.ComputeThread;
import dev.remus.tools.harness.Deadline;
import dev.remus.tools.harness.RunLength;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Repeats the workload of a {@link KvExperiment} on a {@link KvPeer}. It runs as many threads as the cluster has, all
 * in this JVM, and each draws the same operations as its Compute Thread.
 */
final class PeerRun {
    private static final long POLL_MILLIS = 20;

    private final KvWorkload workload;
    private final int threads;
    private final String name;
    private final Progress progress;
    private volatile boolean stopping;

    /**
     * @param name of the peer, for the progress
     * @param progress receives it
     */
    PeerRun(KvWorkload workload, int threads, String name, Progress progress) {
        this.workload = workload;
        this.threads = threads;
        this.name = name;
        this.progress = progress;
    }

    /**
     * Runs the workload on threads of its own.
     *
     * @param ct polled while it runs, so that an abort of the cluster ends the run too
     * @return operations per second of all threads together
     * @throws IllegalStateException if the audit does not balance
     */
    double run(KvPeer peer, ComputeThread ct) throws IOException, InterruptedException {
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            workers.add(new Worker(i, workload.map().arranged(peer.connect())));
        }
        long records = workload.records();
        Progress.Counter loaded =
                progress.phase(name + "-load", records, records).counter();
        KvClient loader = workers.get(0).client;
        if (!loader.loadAtOnce(workload.records(), loaded::set)) {
            loader.load(0, records, loaded::set);
        }
        if (workload.warmUpNanos() > 0) {
            runAll(workers, RunLength.ofNanos(workload.warmUpNanos()), name + "-warm-up", ct);
            workers.forEach(worker -> worker.client.forget());
        }
        long start = System.nanoTime();
        runAll(workers, workload.length(), name, ct);
        long nanos = System.nanoTime() - start;
        return audit(workers, peer.count()) * 1e9 / nanos;
    }

    /** Compares the books; returns the number of operations. */
    private long audit(List<Worker> workers, KvFound found) {
        long[] totals = new long[KvMetric.values().length];
        for (Worker worker : workers) {
            long[] counts = worker.client.counts();
            for (int i = 0; i < totals.length; i++) {
                totals[i] += counts[i];
            }
        }
        long keys = totals[KvMetric.LOADED.ordinal()]
                + totals[KvMetric.ADDED.ordinal()]
                - totals[KvMetric.REMOVED.ordinal()];
        if (found.keys() != keys || found.sum() != totals[KvMetric.SUM.ordinal()]) {
            throw new IllegalStateException(
                    "the books of the baseline do not balance: " + found.keys() + " keys found, " + keys + " expected");
        }
        return totals[KvMetric.OP_COUNT.ordinal()];
    }

    private Progress.Phase phase(String phaseName, RunLength length) {
        long all = length.isTimed() ? 0 : Math.multiplyExact(length.operations(), threads);
        return length.isTimed() ? progress.timedPhase(phaseName, length.nanos()) : progress.phase(phaseName, all, all);
    }

    private void runAll(List<Worker> workers, RunLength length, String phaseName, ComputeThread ct)
            throws InterruptedException {
        Progress.Phase phase = phase(phaseName, length);
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> running = new ArrayList<>();
        for (Worker worker : workers) {
            Progress.Counter counter = phase.counter();
            Thread thread = new Thread(() -> worker.run(length, start, counter), "peer-" + worker.number);
            thread.setDaemon(true);
            thread.start();
            running.add(thread);
        }
        start.countDown();
        try {
            for (Thread thread : running) {
                while (thread.isAlive()) {
                    thread.join(POLL_MILLIS);
                    ct.pause();
                }
            }
        } finally {
            stopping = running.stream().anyMatch(Thread::isAlive);
        }
        for (Worker worker : workers) {
            if (worker.failure != null) {
                throw new IllegalStateException("the baseline failed: " + worker.failure.getMessage(), worker.failure);
            }
        }
    }

    private final class Worker {
        private final int number;
        private final KvClient client;
        private volatile @Nullable RuntimeException failure;

        Worker(int number, KvStore store) {
            this.number = number;
            this.client = new KvClient(store, workload, number, threads, System::nanoTime);
        }

        void run(RunLength length, CountDownLatch start, Progress.Counter counter) {
            try {
                start.await();
                Deadline deadline = length.startNow(System::nanoTime);
                for (long done = 0; done < length.operations() && !deadline.isOver() && !stopping; ) {
                    client.operate();
                    counter.set(++done);
                }
            } catch (InterruptedException e) {
                failure = new IllegalStateException("interrupted", e);
            } catch (RuntimeException e) {
                failure = e;
            }
        }
    }
}
