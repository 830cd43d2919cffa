// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import dev.remus.node.ComputeThread;
import dev.remus.node.ThreadMetrics;
import dev.remus.structures.Dequeued;
import dev.remus.structures.RemoteQueue;
import dev.remus.structures.verify.QueueCodes;
import dev.remus.tools.harness.Ledger;
import dev.remus.tools.latency.Latencies;
import dev.remus.tools.queue.QueueWorkload.Pattern;
import dev.remus.tools.verify.RunLog;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;

/** Executes one thread's operations on a queue, and counts and checks its items for the audit. */
final class QueueAudit {
    private static final long NEVER = Long.MIN_VALUE;

    private final RemoteQueue<Long> queue;
    private final ComputeThread ct;
    private final long[] counts = new long[QueueMetric.values().length];

    private final ItemAudit items;

    private final Ledger ledger;

    /** Whether the queue was drained, which is not part of the run. */
    private boolean isDrained;

    /** The items that were left after the run, as far as this thread has drained them. */
    private long left;

    /** When this thread first failed to find an item or room, if it has not succeeded since; else {@link #NEVER}. */
    private long failingSince = NEVER;

    /** The latencies of this thread's operations, if they are recorded. */
    private final Optional<Latencies<QueueOperationKind>> latencies;

    private final RunLog log;

    /** Whether the last recorded operation found the queue empty. */
    private boolean foundEmpty;

    /** @param latency whether to record the latency of each operation */
    QueueAudit(RemoteQueue<Long> queue, boolean latency, ComputeThread ct) {
        this(queue, latency, RunLog.none(), Ledger.NONE, ct);
    }

    /**
     * @param latency whether to record the latency of each operation
     * @param log gets the operations with their results
     * @param ledger gets the items that were enqueued, dequeued and drained, as in {@link #row}
     */
    QueueAudit(RemoteQueue<Long> queue, boolean latency, RunLog log, Ledger ledger, ComputeThread ct) {
        this.log = log;
        this.ledger = ledger;
        this.queue = queue;
        this.ct = ct;
        this.items = new ItemAudit(ct.id(), ct.threads());
        this.latencies = latency ? Optional.of(new Latencies<>(QueueOperationKind.class)) : Optional.empty();
    }

    /** Begins to keep latencies over time, if they are recorded; all threads do that at the same moment. */
    void begin() {
        latencies.ifPresent(kept -> kept.begin(ct.nanoTime()));
    }

    /** Executes the next operation of a workload; returns 1 if it counts towards the thread's operations, else 0. */
    int operate(QueueWorkload workload, SplittableRandom random) {
        boolean hasRoles = workload.consumers(ct.config().totalThreads()) > 0;
        boolean done = (hasRoles ? workload.consumes(ct) : random.nextBoolean()) ? dequeue(workload) : enqueue();
        if (workload.pattern() == Pattern.PRODUCER_CONSUMER && !done) {
            failingSince = failingSince == NEVER ? ct.nanoTime() : failingSince;
            ct.pause();
            return 0;
        }
        failingSince = NEVER;
        count(QueueMetric.OP_COUNT, 1);
        return 1;
    }

    /**
     * Whether a node is lost, and this thread has found neither an item nor room for so long that it may wait for a
     * lost thread.
     */
    boolean waitsInVain() {
        return failingSince != NEVER
                && ct.peers().isAnyNodeLost()
                && ct.nanoTime() - failingSince > ct.config().lossTimeout().toNanos();
    }

    private boolean enqueue() {
        long item = items.next();
        long start = ct.nanoTime();
        log.call(QueueCodes.ENQUEUE, item, start);
        boolean done = queue.tryEnqueue(item, ct);
        long end = ct.nanoTime();
        took(QueueOperationKind.ENQUEUE, end - start, end);
        if (done) {
            items.enqueued();
            log.returned(QueueCodes.ENQUEUED, item, end);
            foundEmpty = false;
        } else {
            log.withdraw();
        }
        countItem(done, QueueMetric.ENQUEUED, QueueMetric.FULL);
        return done;
    }

    private boolean dequeue(QueueWorkload workload) {
        long start = ct.nanoTime();
        log.call(QueueCodes.DEQUEUE, 0, start);
        Dequeued<Long> dequeued = queue.tryDequeue(ct);
        long end = ct.nanoTime();
        took(QueueOperationKind.DEQUEUE, end - start, end);
        record(dequeued, end, workload.pattern() == Pattern.PRODUCER_CONSUMER);
        countItem(
                dequeued.isItem(),
                QueueMetric.DEQUEUED,
                dequeued.kind() == Dequeued.Kind.EMPTY ? QueueMetric.EMPTY : QueueMetric.NOT_READY);
        if (dequeued.isItem()) {
            items.dequeued(dequeued.item());
        }
        return dequeued.isItem();
    }

    private void countItem(boolean isItem, QueueMetric item, QueueMetric none) {
        count(isItem ? item : none, 1);
        if (isItem) {
            ledger.record(item.ordinal(), counts[item.ordinal()]);
        }
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

    private void took(QueueOperationKind operation, long nanos, long end) {
        count(operation == QueueOperationKind.ENQUEUE ? QueueMetric.ENQ_ALL : QueueMetric.DEQ_ALL, nanos);
        if (latencies.isPresent()) {
            latencies.get().record(operation, nanos, end);
        }
    }

    /**
     * Dequeues the remaining items after the run, while no other thread uses the queue. A queue with one consumer is
     * drained by that one, or by another thread if it is lost.
     */
    void drain(QueueWorkload workload) {
        readPhases();
        isDrained = true;
        if (workload.queue().hasOneConsumer()
                && !workload.consumes(ct)
                && !ct.peers().isLost(0)) {
            return; // the consumer is not cut off
        }
        for (Dequeued<Long> d = queue.tryDequeue(ct); d.isItem(); d = queue.tryDequeue(ct)) {
            items.dequeued(d.item());
            left++;
            ledger.record(QueueMetric.leftIn(ct.config()), left);
        }
    }

    /** The items that were left after the run, as far as this thread has drained them. */
    long left() {
        return left;
    }

    /** The counts by the ordinals of {@link QueueMetric}, as far as a run has them, then the items that were left. */
    long[] row() {
        long[] row = Arrays.copyOf(counts(), QueueMetric.rowLength(ct.config()));
        int place = QueueMetric.leftIn(ct.config());
        if (place < row.length) {
            row[place] = left;
        }
        return row;
    }

    /** The items that no thread can dequeue, since a lost one stands in the way; 0 if none was lost. */
    long outOfReach(QueueKind kind) {
        return kind.outOfReach(queue, ct);
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
