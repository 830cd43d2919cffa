// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.buffered;

import dev.remus.cli.progress.Progress;
import dev.remus.node.ComputeThread;
import dev.remus.structures.Dequeued;
import dev.remus.structures.RingQueue;
import dev.remus.tools.latency.Latencies;
import dev.remus.tools.queue.ItemAudit;
import dev.remus.tools.queue.QueueOperationKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One run: threads enqueue into a buffered queue, and the thread with id 0 dequeues. It counts, times and audits all
 * items. One object serves all threads; each calls {@link #run} once.
 */
class BufferedTrial {
    /** The item that a producer enqueues last; the consumer does not count it. */
    static final Long END = -1L;

    /** READs for each item by which the consumer of a {@link BufferedLoad#FULL} buffer is slower than the producers. */
    private static final int READS_OF_WORK = 16;

    private final BufferedPoint point;
    private final BufferedEffort effort;
    private final Progress progress;

    /** @param progress receives the number of dequeued items, if it is known how many there will be */
    BufferedTrial(BufferedPoint point, BufferedEffort effort, Progress progress) {
        this.point = point;
        this.effort = effort;
        this.progress = progress;
    }

    /** Enqueues items. A test overrides it, to lose one. */
    void enqueue(RingQueue<Long> queue, List<Long> items, ComputeThread ct) {
        point.series().enqueue(queue, items, ct);
    }

    /**
     * Runs one thread's part. The last threads enqueue.
     *
     * @return the result on the thread with id 0; empty on all others
     */
    Optional<BufferedResult> run(ComputeThread ct) {
        boolean isConsumer = ct.id() == 0;
        boolean isProducer = ct.id() >= ct.threads() - point.producers();
        BufferedTrialState shared = new BufferedTrialState(ct.threads());
        if (isConsumer) {
            shared.publish(point.series().create(effort.capacity(point), ct), ct);
        }
        ct.barrier();
        shared.find(ct);
        Part part = new Part(point.series().open(shared.queue(ct), ct), ct);
        ct.barrier();
        if (isProducer) {
            part.produce();
        }
        if (point.load() == BufferedLoad.ROOM) {
            ct.barrier();
        }
        if (isConsumer) {
            part.consume();
        }
        ct.barrier();
        if (isConsumer) {
            part.drain();
        }
        shared.store(part.counts(), ct);
        shared.collect(part.latencies, ct);
        ct.barrier();
        if (!isConsumer) {
            return Optional.empty();
        }
        BufferedResult result = new BufferedResult(point, shared.counts(ct), part.latencies);
        part.queue.destroy(ct);
        shared.withdraw(ct);
        return Optional.of(result);
    }

    /** The part of one thread. */
    private final class Part {
        final RingQueue<Long> queue;
        final Latencies<QueueOperationKind> latencies = new Latencies<>(QueueOperationKind.class);

        private final ComputeThread ct;
        private final ItemAudit audit;
        private final long[] counts = new long[BufferedMetric.values().length];
        private final int sampling = effort.samplingOf(point);
        private int ends;

        Part(RingQueue<Long> queue, ComputeThread ct) {
            this.queue = queue;
            this.ct = ct;
            this.audit = new ItemAudit(ct.id(), ct.threads());
        }

        private void add(BufferedMetric metric, long amount) {
            counts[metric.ordinal()] += amount;
        }

        private long get(BufferedMetric metric) {
            return counts[metric.ordinal()];
        }

        void produce() {
            List<Long> batch = new ArrayList<>();
            boolean isTimed = point.load() != BufferedLoad.ROOM;
            add(BufferedMetric.ROUND_TRIPS, -ct.metrics().roundTrips());
            long start = ct.nanoTime();
            long now = start;
            while (isTimed ? now - start < effort.nanosOf(point) : get(BufferedMetric.ITEMS) < effort.items()) {
                batch.clear();
                long most = isTimed ? point.batch() : effort.items() - get(BufferedMetric.ITEMS);
                while (batch.size() < Math.min(point.batch(), most)) {
                    batch.add(audit.next());
                    audit.enqueued();
                }
                if (get(BufferedMetric.OPERATIONS) % sampling == 0) {
                    long before = ct.nanoTime();
                    enqueue(queue, batch, ct);
                    now = took(QueueOperationKind.ENQUEUE, before);
                } else {
                    enqueue(queue, batch, ct);
                }
                add(BufferedMetric.OPERATIONS, 1);
                add(BufferedMetric.ITEMS, batch.size());
            }
            ct.place(); // waits for what was only posted
            add(BufferedMetric.NANOS, ct.nanoTime() - start);
            add(BufferedMetric.ROUND_TRIPS, ct.metrics().roundTrips());
            if (isTimed) {
                enqueue(queue, List.of(END), ct);
            }
        }

        void consume() {
            add(BufferedMetric.ROUND_TRIPS, -ct.metrics().roundTrips());
            long all = (long) effort.items() * point.producers();
            Progress.Counter counter = progress.phase("run", all, all).counter();
            long begin = ct.nanoTime();
            long start = begin;
            while (!isConsumed()) {
                boolean isSampled = get(BufferedMetric.OPERATIONS) % sampling == 0;
                long before = isSampled ? ct.nanoTime() : 0;
                if (isSampled && before - begin < producing()) {
                    counts[BufferedMetric.ITEMS_MEANWHILE.ordinal()] = get(BufferedMetric.ITEMS);
                    counts[BufferedMetric.NANOS_MEANWHILE.ordinal()] = before - start;
                }
                if (point.batch() == 1) {
                    taken(queue.dequeue(ct));
                } else {
                    queue.dequeueAll(point.batch(), this::taken, ct);
                }
                if (isSampled) {
                    took(QueueOperationKind.DEQUEUE, before);
                }
                if (get(BufferedMetric.OPERATIONS) == 0) {
                    start = ct.nanoTime(); // the wait for the first item does not count
                }
                add(BufferedMetric.OPERATIONS, 1);
                counter.set(get(BufferedMetric.ITEMS));
                work();
            }
            add(BufferedMetric.NANOS, ct.nanoTime() - start);
            add(BufferedMetric.ROUND_TRIPS, ct.metrics().roundTrips());
        }

        /** How long producers are busy, so that throughput does not include draining the queue after them. */
        private long producing() {
            return point.load() == BufferedLoad.ROOM ? Long.MAX_VALUE : effort.nanosOf(point);
        }

        private boolean isConsumed() {
            return point.load() == BufferedLoad.ROOM
                    ? get(BufferedMetric.ITEMS) == (long) effort.items() * point.producers()
                    : ends == point.producers();
        }

        private void taken(Long item) {
            if (item.equals(END)) {
                ends++;
            } else {
                audit.dequeued(item);
                add(BufferedMetric.ITEMS, 1);
            }
        }

        private void work() {
            for (int i = 0; point.load() == BufferedLoad.FULL && i < READS_OF_WORK; i++) {
                ct.root().get();
            }
        }

        private long took(QueueOperationKind kind, long before) {
            long now = ct.nanoTime();
            latencies.record(kind, now - before);
            add(BufferedMetric.TIMED, 1);
            add(BufferedMetric.TIMED_NANOS, now - before);
            return now;
        }

        /** Dequeues what a relaxed queue may have kept behind the last item of a producer. */
        void drain() {
            for (Dequeued<Long> d = queue.tryDequeue(ct); d.isItem(); d = queue.tryDequeue(ct)) {
                audit.dequeued(d.item());
                add(BufferedMetric.LEFT, 1);
            }
        }

        long[] counts() {
            add(BufferedMetric.REORDERED, audit.reordered());
            add(BufferedMetric.CHECK_ENQUEUED, audit.enqueuedChecksum());
            add(BufferedMetric.CHECK_DEQUEUED, audit.dequeuedChecksum());
            return counts;
        }
    }
}
