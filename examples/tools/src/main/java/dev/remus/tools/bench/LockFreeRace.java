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
 * @param operations operations of each thread
 */
record LockFreeRace(QueueKind kind, int threads, int operations) {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final int MAX_ELEMENT_BYTES = 256;

    /**
     * The result of a race.
     *
     * @param operationsPerSecond of all threads together
     * @param roundTrips per operation
     */
    record Result(double operationsPerSecond, double roundTrips) {}

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
                balance.addAndGet(1 + operate(queue, ct));
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
        double all = (double) threads * operations;
        return new Result(all * 1e9 / nanos.get(), roundTrips.get() / all);
    }

    /** The number of enqueued items minus the number of dequeued items. */
    private long operate(RemoteQueue<Long> queue, ComputeThread ct) {
        long balance = 0;
        for (long i = 0; i < operations; i++) {
            if (ct.random().nextBoolean()) {
                balance += queue.tryEnqueue(i, ct) ? 1 : 0;
            } else {
                balance -= queue.tryDequeue(ct).isItem() ? 1 : 0;
            }
        }
        return balance;
    }
}
