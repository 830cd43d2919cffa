// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.buffered;

import dev.remus.tools.latency.Latencies;
import dev.remus.tools.latency.LatencySummary;
import dev.remus.tools.queue.QueueOperationKind;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The result of a {@link BufferedTrial}. */
final class BufferedResult {
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    private final BufferedPoint point;
    private final long[] consumer;
    private final long[][] producers;
    private final Latencies<QueueOperationKind> latencies;

    /** @param counts of all threads: the first dequeued, the last enqueued */
    BufferedResult(BufferedPoint point, long[][] counts, Latencies<QueueOperationKind> latencies) {
        this.point = point;
        this.consumer = counts[0];
        this.producers = Arrays.copyOfRange(counts, counts.length - point.producers(), counts.length);
        this.latencies = latencies;
    }

    BufferedPoint point() {
        return point;
    }

    private static long get(long[] thread, BufferedMetric metric) {
        return thread[metric.ordinal()];
    }

    private long ofProducers(BufferedMetric metric) {
        return Stream.of(producers).mapToLong(thread -> get(thread, metric)).sum();
    }

    /** Items per second that the consumer dequeued while the producers were busy or, with room for all, afterwards. */
    double throughput() {
        return get(consumer, BufferedMetric.ITEMS_MEANWHILE)
                * NANOS_PER_SECOND
                / Math.max(1, get(consumer, BufferedMetric.NANOS_MEANWHILE));
    }

    /** Round trips of a call that enqueues, waiting included. */
    double roundTripsOfEnqueue() {
        return ratio(ofProducers(BufferedMetric.ROUND_TRIPS), ofProducers(BufferedMetric.OPERATIONS));
    }

    /** Round trips of a call that dequeues, waiting included. */
    double roundTripsOfDequeue() {
        return ratio(get(consumer, BufferedMetric.ROUND_TRIPS), get(consumer, BufferedMetric.OPERATIONS));
    }

    /** The mean time of a call that enqueues, in microseconds. */
    double meanEnqueue() {
        return ratio(ofProducers(BufferedMetric.TIMED_NANOS), ofProducers(BufferedMetric.TIMED)) / NANOS_PER_MICRO;
    }

    /** The mean time of a call that dequeues, in microseconds. */
    double meanDequeue() {
        return ratio(get(consumer, BufferedMetric.TIMED_NANOS), get(consumer, BufferedMetric.TIMED)) / NANOS_PER_MICRO;
    }

    /** The fewest items of a producer, divided by the most: 1 if all enqueued as many. */
    double fewestToMostItems() {
        double[] items = ofEach(thread -> get(thread, BufferedMetric.ITEMS));
        return DoubleStream.of(items).min().orElse(0)
                / Math.max(1, DoubleStream.of(items).max().orElse(0));
    }

    /** The fairness of items: 1 if all producers enqueued as many, 1/n if one of n enqueued all. */
    double fairnessOfItems() {
        return Fairness.jain(ofEach(thread -> get(thread, BufferedMetric.ITEMS)));
    }

    /** The fairness of waiting: 1 if an enqueue of each producer took as long on average. */
    double fairnessOfWaiting() {
        return Fairness.jain(
                ofEach(thread -> ratio(get(thread, BufferedMetric.TIMED_NANOS), get(thread, BufferedMetric.TIMED))));
    }

    /** The shortest mean enqueue of a producer, divided by the longest. */
    double shortestToLongestWait() {
        double[] waits =
                ofEach(thread -> ratio(get(thread, BufferedMetric.TIMED_NANOS), get(thread, BufferedMetric.TIMED)));
        return DoubleStream.of(waits).min().orElse(0)
                / Math.max(1, DoubleStream.of(waits).max().orElse(0));
    }

    private double[] ofEach(ToDoubleFunction<long[]> value) {
        return Stream.of(producers).mapToDouble(value).toArray();
    }

    private static double ratio(long part, long whole) {
        return (double) part / Math.max(1, whole);
    }

    /** Whether no item was lost or duplicated, and the order was kept if the queue promises that. */
    boolean isBalanced() {
        return ofProducers(BufferedMetric.ITEMS)
                        == get(consumer, BufferedMetric.ITEMS) + get(consumer, BufferedMetric.LEFT)
                && ofProducers(BufferedMetric.CHECK_ENQUEUED) == get(consumer, BufferedMetric.CHECK_DEQUEUED)
                && (get(consumer, BufferedMetric.REORDERED) == 0
                        || !point.series().keepsOrder());
    }

    /** The audit in one line. */
    String books() {
        return String.format(
                Locale.ROOT,
                "%s: %,d enqueued, %,d dequeued, %,d left, %,d out of order: %s",
                point,
                ofProducers(BufferedMetric.ITEMS),
                get(consumer, BufferedMetric.ITEMS),
                get(consumer, BufferedMetric.LEFT),
                get(consumer, BufferedMetric.REORDERED),
                isBalanced() ? "balanced" : "NOT BALANCED");
    }

    /** The figures by their names in the table. */
    Map<String, Double> figures() {
        Map<String, Double> figures = new LinkedHashMap<>();
        if (point.load() != BufferedLoad.ROOM) {
            figures.put(BufferedFigure.THROUGHPUT.column(), throughput());
        }
        figures.put(BufferedFigure.ENQUEUE_MEAN.column(), meanEnqueue());
        addPercentiles(QueueOperationKind.ENQUEUE, BufferedFigure.ENQUEUE_P50, BufferedFigure.ENQUEUE_P99, figures);
        figures.put(BufferedFigure.DEQUEUE_MEAN.column(), meanDequeue());
        addPercentiles(QueueOperationKind.DEQUEUE, BufferedFigure.DEQUEUE_P50, BufferedFigure.DEQUEUE_P99, figures);
        figures.put(BufferedFigure.ENQUEUE_TRIPS.column(), roundTripsOfEnqueue());
        figures.put(BufferedFigure.DEQUEUE_TRIPS.column(), roundTripsOfDequeue());
        if (point.load() == BufferedLoad.FULL) {
            figures.put(BufferedFigure.ITEMS_MIN_MAX.column(), fewestToMostItems());
            figures.put(BufferedFigure.ITEMS_JAIN.column(), fairnessOfItems());
            figures.put(BufferedFigure.WAIT_MIN_MAX.column(), shortestToLongestWait());
            figures.put(BufferedFigure.WAIT_JAIN.column(), fairnessOfWaiting());
        }
        return figures;
    }

    private void addPercentiles(
            QueueOperationKind kind, BufferedFigure p50, BufferedFigure p99, Map<String, Double> figures) {
        Optional<LatencySummary> summary = latencies.summary(kind);
        if (summary.isPresent()) {
            figures.put(p50.column(), summary.get().p50() / NANOS_PER_MICRO);
            figures.put(p99.column(), summary.get().p99() / NANOS_PER_MICRO);
        }
    }
}
