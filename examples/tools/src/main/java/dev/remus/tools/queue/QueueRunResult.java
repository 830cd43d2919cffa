// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import dev.remus.cli.cluster.EmulatedLatency;
import dev.remus.config.ClusterConfig;
import dev.remus.node.SegmentUse;
import dev.remus.tools.harness.ReclamationLine;
import dev.remus.tools.latency.Latencies;
import dev.remus.tools.latency.LatencyFiles;
import dev.remus.tools.verify.Verification;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The result of a {@link QueueExperiment}, over all threads of the cluster that are left. */
public final class QueueRunResult {
    private final QueueWorkload workload;
    private final ClusterConfig cluster;
    private final long[] totals;
    private final Optional<Latencies<QueueOperationKind>> latencies;
    private final QueueRest rest;
    private final long nanos;
    private final boolean isWhole;
    private final List<SegmentUse> segments;
    private Optional<Verification> verification = Optional.empty();

    QueueRunResult(
            QueueWorkload workload,
            ClusterConfig cluster,
            long[] totals,
            Optional<Latencies<QueueOperationKind>> latencies,
            QueueRest rest,
            long nanos,
            List<SegmentUse> segments) {
        this(workload, cluster, totals, latencies, rest, nanos, segments, true);
    }

    private QueueRunResult(
            QueueWorkload workload,
            ClusterConfig cluster,
            long[] totals,
            Optional<Latencies<QueueOperationKind>> latencies,
            QueueRest rest,
            long nanos,
            List<SegmentUse> segments,
            boolean isWhole) {
        this.isWhole = isWhole;
        this.segments = segments;
        this.workload = workload;
        this.cluster = cluster;
        this.totals = totals.clone();
        this.latencies = latencies;
        this.rest = rest;
        this.nanos = nanos;
        if (isWhole) { // at the borders of a window, operations are incomplete
            checkParts(QueueMetric.ENQ_ALL, QueueMetric.ENQ_HOP);
            checkParts(QueueMetric.DEQ_ALL, QueueMetric.DEQ_HOP);
            long hops = get(QueueMetric.ENQ_HOP) + get(QueueMetric.DEQ_HOP);
            check(hops + get(QueueMetric.BCAST_ALL) <= get(QueueMetric.ENQ_ALL) + get(QueueMetric.DEQ_ALL));
        }
    }

    private void checkParts(QueueMetric whole, QueueMetric part) {
        check(get(part) <= get(whole));
    }

    private void check(boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException("the parts of operations exceed the whole: " + metrics());
        }
    }

    /** The result of a part of a run in which all threads were busy throughout; it has no audit. */
    static QueueRunResult ofWindow(QueueWorkload workload, ClusterConfig cluster, long[] totals, long nanos) {
        return new QueueRunResult(
                workload, cluster, totals, Optional.empty(), QueueRest.of(0), nanos, List.of(), false);
    }

    /** Adds the verdict on the operations. */
    void verified(Verification verdict) {
        verification = Optional.of(verdict);
    }

    /** The verdict on the operations, if they were recorded. */
    Optional<Verification> verification() {
        return verification;
    }

    /** The latency distribution, in nanoseconds; empty if it was not recorded. */
    Optional<Latencies<QueueOperationKind>> latencies() {
        return latencies;
    }

    /** How full the segments were at the end. */
    List<SegmentUse> segments() {
        return segments;
    }

    /** The configuration of the cluster. */
    ClusterConfig cluster() {
        return cluster;
    }

    /** The workload of the run. */
    public QueueWorkload workload() {
        return workload;
    }

    /** A count or time, over all threads. */
    public long get(QueueMetric metric) {
        return totals[metric.ordinal()];
    }

    /** Operations per second of all threads together: the paper's b = n * p / t. */
    public double throughput() {
        return get(QueueMetric.OP_COUNT) * 1e9 / Math.max(1, nanos);
    }

    /** The mean time of an operation, measured by the threads; for a part of a run, computed by Little's law. */
    public double microsPerOperation() {
        if (!isWhole) { // most of its operations may have begun before it or ended after it
            return nanos / 1e3 * cluster.totalThreads() / Math.max(1, get(QueueMetric.OP_COUNT));
        }
        return (get(QueueMetric.ENQ_ALL) + get(QueueMetric.DEQ_ALL)) / 1e3 / Math.max(1, get(QueueMetric.OP_COUNT));
    }

    /** Whether no item was lost or duplicated and, if the queue guarantees it, each producer's items came in order. */
    public boolean isBalanced() {
        return (isComplete() || !isWhole)
                && (get(QueueMetric.REORDERED) == 0 || !workload.queue().keepsOrder());
    }

    /** If threads were lost, the items cannot be compared: which ones were in flight is unknown. Their number can. */
    private boolean isComplete() {
        return rest.losses().isEmpty()
                ? enqueued() == dequeued() + rest.left()
                        && get(QueueMetric.CHECK_ENQUEUED) == get(QueueMetric.CHECK_DEQUEUED)
                : rest.losses().explain(enqueued() - dequeued() - rest.left());
    }

    private long enqueued() {
        return get(QueueMetric.ENQUEUED) + rest.enqueuedByLost();
    }

    private long dequeued() {
        return get(QueueMetric.DEQUEUED) + rest.dequeuedByLost();
    }

    /** The audit in one line. */
    public String books() {
        if (!isWhole) {
            return String.format(
                    Locale.ROOT,
                    "a part of a run: %,d enqueued, %,d dequeued",
                    get(QueueMetric.ENQUEUED),
                    get(QueueMetric.DEQUEUED));
        }
        String reordered = get(QueueMetric.REORDERED) == 0
                ? "each producer's in order"
                : String.format(Locale.ROOT, "%,d out of order", get(QueueMetric.REORDERED));
        return String.format(
                Locale.ROOT,
                "%,d enqueued%s %,d dequeued + %,d left%s%s, %s: %s",
                enqueued(),
                rest.losses().isEmpty() ? " =" : ",",
                dequeued(),
                rest.left(),
                rest.outOfReach() == 0 ? "" : String.format(Locale.ROOT, " (%,d out of reach)", rest.outOfReach()),
                sameness(),
                reordered,
                isBalanced() ? "balanced" : "NOT BALANCED");
    }

    private String sameness() {
        if (!rest.losses().isEmpty()) {
            return rest.losses().allowance();
        }
        return isComplete() ? ", none lost or duplicated" : ", but they are NOT THE SAME ITEMS";
    }

    /** The metrics by the keys of {@code metrics.txt}, in its order; the duration is in microseconds. */
    public Map<String, Long> metrics() {
        Map<String, Long> metrics = new LinkedHashMap<>();
        metrics.put("duration", nanos / 1000);
        metrics.put("threads", (long) cluster.totalThreads());
        metrics.put("throughput", Math.round(throughput()));
        for (QueueMetric metric : QueueMetric.of(cluster)) {
            metrics.put(metric.key(), get(metric));
        }
        for (QueueMetric time : QueueMetric.values()) {
            if (time.isTime() && isWhole && get(time) > 0) {
                metrics.put(time.meanKey(), Math.round((double) get(time) / Math.max(1, operations(time))));
            }
        }
        latencies.ifPresent(kept -> metrics.putAll(LatencyFiles.metrics("", kept)));
        if (isWhole) {
            metrics.put("left", rest.left());
            rest.losses().addTo(metrics);
            metrics.put("balanced", isBalanced() ? 1L : 0L);
        }
        return metrics;
    }

    /** The result as lines of text, each terminated by a line feed. */
    public String toTable() {
        StringBuilder text = new StringBuilder();
        line(text, "queue", "%s, room for %,d items", workload.queue(), workload.capacity());
        line(text, "workload", "%s", workload.pattern());
        line(
                text,
                "threads",
                "%,d on %,d Compute Nodes%s",
                cluster.totalThreads(),
                cluster.computeNodes(),
                rest.losses().suffix());
        line(text, "seed", "%d", workload.seed());
        line(text, "operations", "%,d", get(QueueMetric.OP_COUNT));
        EmulatedLatency.of(cluster).ifPresent(latency -> line(text, "latency", "emulated: %s", latency));
        line(text, "time", "%.3f s", nanos / 1e9);
        line(text, "throughput", "%,.0f op/s", throughput());
        line(text, "enqueue", "%,d items, %,d times full", get(QueueMetric.ENQUEUED), get(QueueMetric.FULL));
        latency(text, QueueOperationKind.ENQUEUE);
        line(
                text,
                "dequeue",
                "%,d items, %,d times empty, %,d times not ready",
                get(QueueMetric.DEQUEUED),
                get(QueueMetric.EMPTY),
                get(QueueMetric.NOT_READY));
        latency(text, QueueOperationKind.DEQUEUE);
        for (QueueMetric metric : QueueMetric.values()) {
            if (metric.isTime()) {
                time(text, metric, operations(metric));
            }
        }
        line(
                text,
                "per operation",
                "%.1f reads, %.1f writes, %.1f CAS, %.1f FAA, %.1f round trips",
                perOperation(QueueMetric.READ),
                perOperation(QueueMetric.WRITE),
                perOperation(QueueMetric.CAS),
                perOperation(QueueMetric.FAA),
                perOperation(QueueMetric.ROUND_TRIPS));
        new ReclamationLine(
                        get(QueueMetric.EPOCHS),
                        get(QueueMetric.RETIREMENTS),
                        get(QueueMetric.RETIRED_MOST),
                        get(QueueMetric.RETIRED_IN_EPOCH_MOST),
                        get(QueueMetric.RECLAMATION_ROUND_TRIPS),
                        get(QueueMetric.STALLS))
                .text(cluster, get(QueueMetric.OP_COUNT))
                .ifPresent(line -> line(text, "reclamation", "%s", line));
        text.append("books: ").append(books()).append('\n');
        verification.ifPresent(v -> text.append(v.line()).append('\n'));
        return text.toString();
    }

    /** The operations that a time belongs to: enqueues, dequeues, or both. */
    private long operations(QueueMetric time) {
        long enqueues = get(QueueMetric.ENQUEUED) + get(QueueMetric.FULL);
        long dequeues = get(QueueMetric.DEQUEUED) + get(QueueMetric.EMPTY) + get(QueueMetric.NOT_READY);
        return switch (time) {
            case ENQ_ALL, ENQ_HOP -> enqueues;
            case DEQ_ALL, DEQ_HOP -> dequeues;
            default -> enqueues + dequeues;
        };
    }

    private double perOperation(QueueMetric metric) {
        return (double) get(metric) / Math.max(1, get(QueueMetric.OP_COUNT));
    }

    private void latency(StringBuilder text, QueueOperationKind operation) {
        latencies.flatMap(kept -> kept.summary(operation)).ifPresent(summary -> line(text, "  latency", "%s", summary));
    }

    private void time(StringBuilder text, QueueMetric metric, long operations) {
        if (get(metric) > 0) {
            String name = metric.name().toLowerCase(Locale.ROOT);
            line(text, name, "%.2f µs per operation", get(metric) / 1e3 / Math.max(1, operations));
        }
    }

    private static void line(StringBuilder text, String name, String format, Object... values) {
        text.append(String.format(Locale.ROOT, "%-15s", name))
                .append(String.format(Locale.ROOT, format, values))
                .append('\n');
    }
}
