// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import dev.remus.node.ComputeThread;
import dev.remus.tools.harness.RunLength;
import dev.remus.tools.harness.SharedRun;
import dev.remus.tools.harness.Together;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;

/**
 * The workload of a {@link QueueExperiment}. All nodes of a cluster use the same workload; the thread with id 0 gives
 * its seed to all.
 *
 * @param queue the queue
 * @param pattern the pattern of operations
 * @param length the length of each thread's run; with {@link Pattern#PRODUCER_CONSUMER}, operations are the items that
 *     each producer enqueues
 * @param capacity the capacity in items: in all for the buffered queues, per thread for the others
 * @param seed the seed of all random choices
 * @param latency whether to record latencies, for percentiles; takes about 0.5 MB per thread
 */
public record QueueWorkload(
        QueueKind queue, Pattern pattern, RunLength length, int capacity, long seed, boolean latency) {
    /** The pattern of operations. */
    public enum Pattern {
        /**
         * Every thread tries to enqueue or dequeue, with equal probability; FULL and EMPTY count as operations. With
         * one consumer, the thread with id 0 dequeues and the others enqueue.
         */
        RANDOM,
        /**
         * Some threads enqueue, retrying until there is room, and the others dequeue, retrying until there is an item.
         * With one consumer, the thread with id 0 dequeues; otherwise the first half of the threads do.
         */
        PRODUCER_CONSUMER;

        /** As on the command line. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Rejects values out of range. */
    public QueueWorkload {
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(pattern, "pattern");
        Objects.requireNonNull(length, "length");
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity " + capacity + ": needs at least 1");
        }
    }

    /** A workload of a number of operations per thread, without latencies. */
    public QueueWorkload(QueueKind queue, Pattern pattern, long operations, int capacity, long seed) {
        this(queue, pattern, RunLength.ofOperations(operations), capacity, seed, false);
    }

    /** A copy with another seed. */
    public QueueWorkload withSeed(long other) {
        return new QueueWorkload(queue, pattern, length, capacity, other, latency);
    }

    /** A copy with or without recording latencies. */
    public QueueWorkload withLatency(boolean recorded) {
        return new QueueWorkload(queue, pattern, length, capacity, seed, recorded);
    }

    /** A copy that lasts for a time, and records no latencies. */
    QueueWorkload lasting(long nanos) {
        return new QueueWorkload(queue, pattern, RunLength.ofNanos(nanos), capacity, seed, false);
    }

    /** Makes the queue and publishes it with this workload. All threads must call it, and get what they share. */
    SharedRun<QueueOperationKind> share(boolean verifies, ComputeThread ct) {
        SharedRun<QueueOperationKind> shared = handle(verifies, ct);
        Together.once(() -> shared.publish(queue.create(capacity, ct), seed, fingerprint(), ct), ct);
        shared.find(ct);
        return shared;
    }

    /** A handle to what the threads share, which points to nothing yet. */
    SharedRun<QueueOperationKind> handle(boolean verifies, ComputeThread ct) {
        return new SharedRun<>(QueueOperationKind.class, QueueMetric.rowLength(ct.config()), verifies, ct);
    }

    /** This workload with the seed of the first Compute Node, which must have the same one. */
    QueueWorkload agreed(SharedRun<QueueOperationKind> shared, ComputeThread ct) {
        return withSeed(shared.agreeOnSeed(fingerprint(), ct));
    }

    /** The number of threads that only dequeue: those with the lowest ids. */
    public int consumers(int threads) {
        if (queue.hasOneConsumer()) {
            return 1;
        }
        return pattern == Pattern.PRODUCER_CONSUMER ? threads / 2 : 0;
    }

    /**
     * The number of a thread, from 0, that determines what it does. A thread whose node has come back takes the place
     * of the one that was lost, but not of the only consumer: the queue has no other for good.
     */
    private int roleOf(ComputeThread ct) {
        return queue.hasOneConsumer() ? ct.id() : ct.id() % ct.config().totalThreads();
    }

    /** Whether a thread only dequeues. */
    boolean consumes(ComputeThread ct) {
        return roleOf(ct) < consumers(ct.config().totalThreads());
    }

    /** The most operations of a thread. */
    long operationsOf(ComputeThread ct) {
        return operationsOf(roleOf(ct), ct.config().totalThreads());
    }

    /** The most operations of a thread, by its role. */
    long operationsOf(int thread, int threads) {
        if (pattern == Pattern.RANDOM || thread >= consumers(threads)) {
            return length.operations();
        }
        long items = Math.multiplyExact(length.operations(), threads - consumers(threads));
        long each = items / consumers(threads);
        return thread < items % consumers(threads) ? each + 1 : each;
    }

    /** The most operations of a thread that are recorded when a run is verified. */
    long recordedOf(int thread, int threads) {
        long operations = operationsOf(thread, threads);
        boolean repeats = pattern == Pattern.PRODUCER_CONSUMER && thread < consumers(threads);
        return repeats ? 2 * operations + 1 : operations; // before each item and after all, the queue may be empty
    }

    /**
     * A hash of everything that all nodes must agree on. It avoids the record's toString(), whose first call takes a
     * JVM 0.1 s.
     */
    long fingerprint() {
        long[] agreed = {
            queue.ordinal(), pattern.ordinal(), length.operations(), length.nanos(), capacity, latency ? 1 : 0
        };
        return Arrays.hashCode(agreed);
    }
}
