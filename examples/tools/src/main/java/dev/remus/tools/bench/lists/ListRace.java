// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.lists;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.structures.RemoteLongSet;
import dev.remus.tools.bench.suite.BenchCluster;
import dev.remus.tools.harness.HeapLazyListSet;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A throughput measurement in which threads of this process use one list with random keys, half of them present at
 * first.
 *
 * @param fabric the name of the fabric
 * @param threads the number of threads
 * @param keys the size of the key range
 * @param updates the percentage of operations that insert or remove, half each; the others are searches
 * @param millis the duration
 * @param layout how the nodes of the list lie in memory at first
 */
record ListRace(String fabric, int threads, int keys, int updates, int millis, ListLayout layout) {
    private static final int PERCENT = 100;

    /** Room for all inserted nodes, because removed nodes are not reclaimed during a race. */
    private static final int SEGMENT_LOG2 = 26;

    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

    private interface Operations {
        void operate(int percent, long key);
    }

    /**
     * The clock of a thread. On shared memory, where it waits for no network, that of its processor time: a thread that
     * other processes interrupt loses none.
     */
    private long now() {
        return fabric.equals("shm") ? CLOCK.getCurrentThreadCpuTime() : System.nanoTime();
    }

    private double perSecond(AtomicLong operations, AtomicLong nanos) {
        return operations.get() * 1e9 * threads / nanos.get();
    }

    /** Operations per second of all threads on a list in remote memory. */
    double run(ListKind kind) throws Exception {
        AtomicLong operations = new AtomicLong();
        AtomicLong nanos = new AtomicLong();
        cluster().run(ct -> {
            if (ct.id() == 0) {
                RdmaPtr<?> This = kind.create(ct);
                ct.root().set(This);
                fill(kind.open(This.raw()), ct);
            }
            ct.barrier();
            RemoteLongSet set = kind.open(ct.root().get().raw());
            set.contains(keys, ct); // fills the cache, if there is one
            long start = now();
            long done = operate(ct.id(), (percent, key) -> {
                if (percent >= updates) {
                    set.contains(key, ct);
                } else if (percent % 2 == 0) {
                    set.insert(key, ct);
                } else {
                    set.remove(key, ct);
                }
            });
            operations.addAndGet(done);
            nanos.addAndGet(now() - start);
            ct.barrier();
            if (ct.id() == 0) {
                set.checkedSize(ct);
            }
        });
        return perSecond(operations, nanos);
    }

    private BenchCluster cluster() {
        return new BenchCluster(
                fabric, 1, threads, SEGMENT_LOG2, settings -> settings.segmentsPerNode(layout.segments()));
    }

    private void fill(RemoteLongSet set, ComputeThread ct) {
        layout.keys(keys).forEach(key -> set.insert(key, ct));
    }

    /** Operations per second of all threads on the textbook's list on the Java heap. */
    double runOnHeap() throws InterruptedException {
        HeapLazyListSet set = new HeapLazyListSet();
        layout.keys(keys).forEach(set::insert);
        AtomicLong operations = new AtomicLong();
        AtomicLong nanos = new AtomicLong();
        CountDownLatch ready = new CountDownLatch(threads);
        Thread[] workers = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            int id = i;
            workers[i] = new Thread(() -> {
                ready.countDown();
                try {
                    ready.await();
                } catch (InterruptedException e) {
                    return;
                }
                long start = now();
                operations.addAndGet(operate(id, (percent, key) -> {
                    if (percent >= updates) {
                        set.contains(key);
                    } else if (percent % 2 == 0) {
                        set.insert(key);
                    } else {
                        set.remove(key);
                    }
                }));
                nanos.addAndGet(now() - start);
            });
            workers[i].setDaemon(true);
            workers[i].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        set.checkedSize();
        return perSecond(operations, nanos);
    }

    private long operate(int id, Operations operations) {
        SplittableRandom random = new SplittableRandom(id);
        long end = System.nanoTime() + millis * 1_000_000L;
        long done = 0;
        while (System.nanoTime() < end) {
            operations.operate(random.nextInt(PERCENT), random.nextInt(keys));
            done++;
        }
        return done;
    }
}
