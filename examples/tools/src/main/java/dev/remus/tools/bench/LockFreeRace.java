package dev.remus.tools.bench;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Fabric;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.MemoryNode;
import dev.remus.structures.RemoteQueue;
import dev.remus.tools.queue.QueueKind;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A measurement of one queue over shared memory: several threads of this process enqueue and dequeue with equal
 * probability. Pools are large enough that no element is reused.
 *
 * @param kind the queue
 * @param threads the number of threads
 * @param operations operations of each thread at most
 * @param millis the time limit
 */
record LockFreeRace(QueueKind kind, int threads, int operations, long millis) {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final int MAX_ELEMENT_BYTES = 256;
    private static final int OPERATIONS_PER_LOOK = 64;

    /**
     * The result of one or several races.
     *
     * @param operations of all threads together
     * @param nanos the time that they took
     * @param roundTrips of all operations
     */
    record Result(long operations, long nanos, long roundTrips) {
        static final Result NONE = new Result(0, 0, 0);

        Result plus(Result other) {
            return new Result(operations + other.operations, nanos + other.nanos, roundTrips + other.roundTrips);
        }

        double operationsPerSecond() {
            return operations * 1e9 / nanos;
        }

        double roundTripsPerOperation() {
            return (double) roundTrips / operations;
        }
    }

    /** Repeats the race until the timed parts have taken the time limit together. */
    Result repeat() throws Exception {
        Result all = Result.NONE;
        while (all.nanos() < millis * 1_000_000) {
            all = all.plus(run());
        }
        return all;
    }

    private ClusterConfig config() {
        long bytes = (long) threads * (operations + 2) * MAX_ELEMENT_BYTES;
        return ClusterConfig.builder()
                .cluster("bench-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet())
                .memoryNodes(0, 0)
                .computeNodes(0, 0)
                .threadsPerNode(threads)
                .segmentSizeLog2(Long.SIZE - Long.numberOfLeadingZeros(bytes))
                .build();
    }

    /**
     * Runs the race once.
     *
     * @throws IllegalStateException if the items left in the queue do not match the operations
     */
    Result run() throws Exception {
        ClusterConfig config = config();
        Fabric fabric = Fabric.of(config);
        AtomicLong nanos = new AtomicLong();
        AtomicLong roundTrips = new AtomicLong();
        AtomicLong done = new AtomicLong();
        AtomicLong balance = new AtomicLong();
        try (MemoryNode memory = MemoryNode.start(config, 0, fabric);
                ComputeNode compute = ComputeNode.connect(config, 0, fabric)) {
            compute.runThreads(ct -> {
                if (ct.id() == 0) {
                    ct.root().set(kind.create(operations, ct));
                }
                ct.barrier();
                RemoteQueue<Long> queue = kind.open(ct.root().get(), ct);
                queue.tryEnqueue(0L, ct); // creates the pool, if creation is lazy
                ct.barrier();
                long start = ct.nanoTime();
                long before = ct.metrics().roundTrips();
                balance.addAndGet(1 + operate(queue, start, done, ct));
                roundTrips.addAndGet(ct.metrics().roundTrips() - before);
                ct.barrier();
                if (ct.id() == 0) {
                    nanos.set(ct.nanoTime() - start);
                    long left = 0;
                    while (queue.tryDequeue(ct).isItem()) {
                        left++;
                    }
                    if (left != balance.get()) {
                        throw new IllegalStateException(
                                kind + ", " + threads + " threads: " + left + " items were left instead of " + balance);
                    }
                }
            });
        }
        return new Result(done.get(), nanos.get(), roundTrips.get());
    }

    /** The number of enqueued items minus the number of dequeued items. */
    private long operate(RemoteQueue<Long> queue, long start, AtomicLong done, ComputeThread ct) {
        long balance = 0;
        long i = 0;
        for (; i < operations; i++) {
            if (i % OPERATIONS_PER_LOOK == 0 && ct.nanoTime() - start > millis * 1_000_000) {
                break;
            }
            if (ct.random().nextBoolean()) {
                balance += queue.tryEnqueue(i, ct) ? 1 : 0;
            } else {
                balance -= queue.tryDequeue(ct).isItem() ? 1 : 0;
            }
        }
        done.addAndGet(i);
        return balance;
    }
}
