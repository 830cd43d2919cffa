package dev.remus.tools.queue;

import dev.remus.node.ComputeThread;
import dev.remus.node.ThreadMetrics;
import dev.remus.structures.Dequeued;
import dev.remus.structures.RemoteQueue;
import dev.remus.tools.latency.Latencies;
import dev.remus.tools.queue.QueueWorkload.Pattern;
import java.util.Optional;
import java.util.SplittableRandom;

/** Executes one thread's operations on a queue, and counts and checks its items for the audit. */
final class QueueAudit {
    private final RemoteQueue<Long> queue;
    private final ComputeThread ct;
    private final long[] counts = new long[QueueMetric.values().length];

    private final ItemAudit items;

    /** Whether the queue was drained, which is not part of the run. */
    private boolean isDrained;

    /** The latencies of this thread's operations, if they are recorded. */
    private final Optional<Latencies<QueueOperationKind>> latencies;

    /** @param latency whether to record the latency of each operation */
    QueueAudit(RemoteQueue<Long> queue, boolean latency, ComputeThread ct) {
        this.queue = queue;
        this.ct = ct;
        this.items = new ItemAudit(ct.id(), ct.threads());
        this.latencies = latency ? Optional.of(new Latencies<>(QueueOperationKind.class)) : Optional.empty();
    }

    /** Executes the next operation of a workload; returns 1 if it counts towards the thread's operations, else 0. */
    int operate(QueueWorkload workload, SplittableRandom random) {
        boolean consumes = ct.id() < workload.consumers(ct.threads());
        boolean done =
                consumes || workload.consumers(ct.threads()) == 0 && random.nextBoolean() ? dequeue() : enqueue();
        if (workload.pattern() == Pattern.PRODUCER_CONSUMER && !done) {
            ct.pause();
            return 0;
        }
        count(QueueMetric.OP_COUNT, 1);
        return 1;
    }

    private boolean enqueue() {
        long item = items.next();
        long start = ct.nanoTime();
        boolean done = queue.tryEnqueue(item, ct);
        took(QueueOperationKind.ENQUEUE, ct.nanoTime() - start);
        if (done) {
            items.enqueued();
        }
        count(done ? QueueMetric.ENQUEUED : QueueMetric.FULL, 1);
        return done;
    }

    private boolean dequeue() {
        long start = ct.nanoTime();
        Dequeued<Long> dequeued = queue.tryDequeue(ct);
        took(QueueOperationKind.DEQUEUE, ct.nanoTime() - start);
        count(
                switch (dequeued.kind()) {
                    case ITEM -> QueueMetric.DEQUEUED;
                    case EMPTY -> QueueMetric.EMPTY;
                    case NOT_READY -> QueueMetric.NOT_READY;
                },
                1);
        if (dequeued.isItem()) {
            items.dequeued(dequeued.item());
        }
        return dequeued.isItem();
    }

    private void took(QueueOperationKind operation, long nanos) {
        count(operation == QueueOperationKind.ENQUEUE ? QueueMetric.ENQ_ALL : QueueMetric.DEQ_ALL, nanos);
        if (latencies.isPresent()) {
            latencies.get().record(operation, nanos);
        }
    }

    /** Dequeues the remaining items after the run, while no other thread uses the queue; returns their number. */
    long drain() {
        readPhases();
        isDrained = true;
        long remaining = 0;
        for (Dequeued<Long> d = queue.tryDequeue(ct); d.isItem(); d = queue.tryDequeue(ct)) {
            items.dequeued(d.item());
            remaining++;
        }
        return remaining;
    }

    /** Adds a thread's remote operations up to now: call it with -1 before the run and with 1 after it. */
    void addRemoteOperations(ThreadMetrics metrics, int sign) {
        count(QueueMetric.READ, sign * metrics.reads());
        count(QueueMetric.WRITE, sign * metrics.writes());
        count(QueueMetric.CAS, sign * metrics.compareAndSwaps());
        count(QueueMetric.FAA, sign * metrics.fetchAndAdds());
        count(QueueMetric.ROUND_TRIPS, sign * metrics.roundTrips());
    }

    void count(QueueMetric metric, long amount) {
        counts[metric.ordinal()] += amount;
    }

    /** The latencies of the operations; empty if they are not recorded. */
    Optional<Latencies<QueueOperationKind>> latencies() {
        return latencies;
    }

    /** All counts, by the ordinals of {@link QueueMetric}. */
    long[] counts() {
        counts[QueueMetric.REORDERED.ordinal()] = items.reordered();
        counts[QueueMetric.CHECK_ENQUEUED.ordinal()] = items.enqueuedChecksum();
        counts[QueueMetric.CHECK_DEQUEUED.ordinal()] = items.dequeuedChecksum();
        if (!isDrained) {
            readPhases();
        }
        return counts.clone();
    }

    /** Counts the times of the parts of operations up to now: those of draining would exceed the whole. */
    private void readPhases() {
        if (queue instanceof Phased phased) {
            PhaseTimes times = phased.times();
            counts[QueueMetric.ENQ_HOP.ordinal()] = times.nanos(PhaseTimes.Phase.ENQ_HOP);
            counts[QueueMetric.DEQ_HOP.ordinal()] = times.nanos(PhaseTimes.Phase.DEQ_HOP);
            counts[QueueMetric.BCAST_ALL.ordinal()] = times.nanos(PhaseTimes.Phase.BCAST_ALL);
        }
    }
}
