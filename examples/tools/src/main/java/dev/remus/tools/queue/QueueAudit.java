package dev.remus.tools.queue;

import dev.remus.node.ComputeThread;
import dev.remus.node.ThreadMetrics;
import dev.remus.structures.Dequeued;
import dev.remus.structures.RemoteQueue;
import dev.remus.structures.verify.QueueCodes;
import dev.remus.tools.latency.Latencies;
import dev.remus.tools.queue.QueueWorkload.Pattern;
import dev.remus.tools.verify.RunLog;
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

    private final RunLog log;

    /** Whether the last recorded operation found the queue empty. */
    private boolean foundEmpty;

    /** @param latency whether to record the latency of each operation */
    QueueAudit(RemoteQueue<Long> queue, boolean latency, ComputeThread ct) {
        this(queue, latency, RunLog.none(), ct);
    }

    /**
     * @param latency whether to record the latency of each operation
     * @param log gets the operations with their results
     */
    QueueAudit(RemoteQueue<Long> queue, boolean latency, RunLog log, ComputeThread ct) {
        this.log = log;
        this.queue = queue;
        this.ct = ct;
        this.items = new ItemAudit(ct.id(), ct.threads());
        this.latencies = latency ? Optional.of(new Latencies<>(QueueOperationKind.class)) : Optional.empty();
    }

    /** Executes the next operation of a workload; returns 1 if it counts towards the thread's operations, else 0. */
    int operate(QueueWorkload workload, SplittableRandom random) {
        boolean consumes = ct.id() < workload.consumers(ct.threads());
        boolean done = consumes || workload.consumers(ct.threads()) == 0 && random.nextBoolean()
                ? dequeue(workload)
                : enqueue();
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
        log.call(QueueCodes.ENQUEUE, item, start);
        boolean done = queue.tryEnqueue(item, ct);
        long end = ct.nanoTime();
        took(QueueOperationKind.ENQUEUE, end - start);
        if (done) {
            items.enqueued();
            log.returned(QueueCodes.ENQUEUED, item, end);
            foundEmpty = false;
        } else {
            log.withdraw();
        }
        count(done ? QueueMetric.ENQUEUED : QueueMetric.FULL, 1);
        return done;
    }

    private boolean dequeue(QueueWorkload workload) {
        long start = ct.nanoTime();
        log.call(QueueCodes.DEQUEUE, 0, start);
        Dequeued<Long> dequeued = queue.tryDequeue(ct);
        long end = ct.nanoTime();
        took(QueueOperationKind.DEQUEUE, end - start);
        record(dequeued, end, workload.pattern() == Pattern.PRODUCER_CONSUMER);
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

    /** @param repeats whether the thread tries again and again while the queue is empty; the first time is recorded */
    private void record(Dequeued<Long> dequeued, long end, boolean repeats) {
        boolean isEmpty = dequeued.kind() == Dequeued.Kind.EMPTY;
        if (dequeued.isItem()) {
            log.returned(QueueCodes.ITEM, dequeued.item(), end);
        } else if (isEmpty && !(repeats && foundEmpty)) {
            log.returned(QueueCodes.EMPTY, 0, end);
        } else {
            log.withdraw();
        }
        foundEmpty = isEmpty || foundEmpty && !dequeued.isItem();
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
        count(QueueMetric.EPOCHS, sign * metrics.epochs());
        count(QueueMetric.RETIREMENTS, sign * metrics.retirements());
        count(QueueMetric.RECLAMATION_ROUND_TRIPS, sign * metrics.reclamationRoundTrips());
        count(QueueMetric.STALLS, sign * metrics.stalls());
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
