package dev.remus.tools.kv;

import dev.remus.cli.progress.Progress;
import dev.remus.node.ComputeThread;
import dev.remus.tools.harness.Deadline;
import dev.remus.tools.harness.RunLength;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Repeats the workload of a {@link KvExperiment} on a {@link ConcurrentHashMap}. It runs as many threads as the cluster
 * has, all in this JVM, and each draws the same operations as its Compute Thread. Values are numbers, whatever the size
 * of those in remote memory. No map that processes share can be faster.
 */
final class KvHeapBaseline {
    private static final String PHASE = "heap";
    private static final long POLL_MILLIS = 20;

    private final KvWorkload workload;
    private final int threads;
    private final Progress.Phase phase;
    private final ConcurrentHashMap<Long, Long> map = new ConcurrentHashMap<>();
    private volatile boolean stopping;

    /** @param progress receives the progress */
    KvHeapBaseline(KvWorkload workload, int threads, Progress progress) {
        this.workload = workload;
        this.threads = threads;
        RunLength length = workload.length();
        long all = length.isTimed() ? 0 : Math.multiplyExact(length.operations(), threads);
        this.phase = length.isTimed() ? progress.timedPhase(PHASE, length.nanos()) : progress.phase(PHASE, all, all);
    }

    /**
     * Runs the workload on threads of its own.
     *
     * @param ct polled while it runs, so that an abort of the cluster ends the baseline too
     * @return operations per second of all threads together
     * @throws IllegalStateException if the audit does not balance
     */
    double run(ComputeThread ct) throws InterruptedException {
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            workers.add(new Worker(i));
        }
        workers.get(0).client.load(0, workload.records(), done -> {});
        warmUp(workers, ct);
        long start = System.nanoTime();
        runAll(workers, workload.length(), () -> phase.counter()::set, ct);
        long nanos = System.nanoTime() - start;
        long operations = 0;
        long keys = 0;
        long sum = 0;
        for (Worker worker : workers) {
            long[] counts = worker.client.counts();
            operations += counts[KvMetric.OP_COUNT.ordinal()];
            keys += counts[KvMetric.LOADED.ordinal()]
                    + counts[KvMetric.ADDED.ordinal()]
                    - counts[KvMetric.REMOVED.ordinal()];
            sum += counts[KvMetric.SUM.ordinal()];
        }
        long found = 0;
        for (long value : map.values()) {
            found += value;
        }
        if (map.size() != keys || found != sum) {
            throw new IllegalStateException("the books of the heap baseline do not balance: " + map.size()
                    + " keys found, " + keys + " expected after " + operations + " operations");
        }
        return operations * 1e9 / nanos;
    }

    private void warmUp(List<Worker> workers, ComputeThread ct) throws InterruptedException {
        if (workload.warmUpNanos() > 0) {
            runAll(workers, RunLength.ofNanos(workload.warmUpNanos()), () -> done -> {}, ct);
            workers.forEach(worker -> worker.client.forget());
        }
    }

    private void runAll(List<Worker> workers, RunLength length, Supplier<LongConsumer> progress, ComputeThread ct)
            throws InterruptedException {
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> running = new ArrayList<>();
        for (Worker worker : workers) {
            Thread thread = new Thread(() -> worker.run(length, start, progress.get()), "heap-" + worker.number);
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
            stopping = true;
        }
        stopping = false;
    }

    private final class Worker {
        private final int number;
        private final KvClient client;

        Worker(int number) {
            this.number = number;
            this.client = new KvClient(new HeapKvStore(map), workload, number, threads, System::nanoTime);
        }

        void run(RunLength length, CountDownLatch start, LongConsumer progress) {
            try {
                start.await();
            } catch (InterruptedException e) {
                return;
            }
            Deadline deadline = length.startNow(System::nanoTime);
            for (long done = 0; done < length.operations() && !deadline.isOver() && !stopping; ) {
                client.operate();
                progress.accept(++done);
            }
        }
    }

    /** A map on the heap, as one thread uses it. */
    private record HeapKvStore(ConcurrentHashMap<Long, Long> map) implements KvStore {
        private static long orMissing(@Nullable Long value) {
            return value == null ? MISSING : value;
        }

        @Override
        public long get(long key) {
            return orMissing(map.get(key));
        }

        @Override
        public long put(long key, long value) {
            return orMissing(map.put(key, value));
        }

        @Override
        public boolean replace(long key, long expected, long value) {
            return map.replace(key, expected, value);
        }

        @Override
        public long remove(long key) {
            return orMissing(map.remove(key));
        }
    }
}
