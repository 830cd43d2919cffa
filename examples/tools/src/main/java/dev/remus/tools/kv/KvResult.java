// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import dev.remus.cli.cluster.EmulatedLatency;
import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeThread;
import dev.remus.node.SegmentUse;
import dev.remus.tools.harness.ReclamationLine;
import dev.remus.tools.latency.Latencies;
import dev.remus.tools.latency.LatencyFiles;
import dev.remus.tools.verify.Verification;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The result of a {@link KvExperiment}, over all threads of the cluster that are left.
 *
 * @param workload the workload, with the seed on which the nodes agreed
 * @param cluster the configuration of the cluster
 * @param audit the counts, and what is in the map at the end
 * @param latencies the latencies of the operations, in nanoseconds; empty histograms if they were not recorded
 * @param load what loading has cost
 * @param nanos the duration of the run, from before the first to after the last operation of any thread
 * @param segments how full the segments were at the end
 * @param baselines the operations per second of the baselines that have repeated the workload
 * @param verification the verdict on the operations, if they were recorded
 */
record KvResult(
        KvWorkload workload,
        ClusterConfig cluster,
        KvBooks audit,
        Latencies<KvOperationKind> latencies,
        KvLoad load,
        long nanos,
        List<SegmentUse> segments,
        List<Baseline> baselines,
        Optional<Verification> verification) {
    private static final int NAME_WIDTH = 15;

    /**
     * What a baseline has done.
     *
     * @param kind the baseline
     * @param throughput its operations per second
     */
    record Baseline(KvBaseline kind, double throughput) {}

    static KvResult of(
            KvWorkload workload,
            ComputeThread ct,
            KvBooks audit,
            Latencies<KvOperationKind> latencies,
            KvLoad load,
            long nanos,
            Optional<Verification> verification) {
        return new KvResult(
                workload, ct.config(), audit, latencies, load, nanos, SegmentUse.of(ct), List.of(), verification);
    }

    /** This result together with that of another baseline. */
    KvResult with(Baseline other) {
        List<Baseline> more = new ArrayList<>(baselines);
        more.add(other);
        return new KvResult(
                workload, cluster, audit, latencies, load, nanos, segments, List.copyOf(more), verification);
    }

    /** The same if the run ended this long after its start at the latest. */
    KvResult within(long limit) {
        return new KvResult(
                workload, cluster, audit, latencies, load, Math.min(nanos, limit), segments, baselines, verification);
    }

    /** A count, over all threads that are left. */
    long get(KvMetric metric) {
        return audit.get(metric);
    }

    /** Operations per second of all threads together; 0 if there were none. */
    double throughput() {
        return get(KvMetric.OP_COUNT) * 1e9 / Math.max(1, nanos);
    }

    /** Whether the audit balances. */
    boolean isBalanced() {
        return audit.isBalanced(workload.records());
    }

    /** Whether nothing shows that the map broke its promise. */
    boolean isRight() {
        return isBalanced() && verification.map(Verification::isAccepted).orElse(true);
    }

    /** The audit in one line. */
    String books() {
        return audit.text(workload.records());
    }

    /** The metrics by the keys of {@code metrics.txt}, in its order; the duration is in microseconds. */
    Map<String, Long> metrics() {
        Map<String, Long> metrics = new LinkedHashMap<>();
        metrics.put("duration", nanos / 1000);
        metrics.put("threads", (long) cluster.totalThreads());
        metrics.put("throughput", Math.round(throughput()));
        for (KvMetric metric : KvMetric.values()) {
            metrics.put(metric.key(), get(metric));
        }
        if (load.isKnown()) {
            metrics.put("load_duration", load.nanos() / 1000);
            metrics.put("load_bytes", load.bytes());
        }
        metrics.putAll(LatencyFiles.metrics("", latencies));
        baselines.forEach(other -> metrics.put(other.kind() + "_throughput", Math.round(other.throughput())));
        metrics.put("found", audit.found().keys());
        audit.losses().addTo(metrics);
        metrics.put("balanced", isBalanced() ? 1L : 0L);
        return metrics;
    }

    /** The result as lines of text, each terminated by a line feed. */
    String toTable() {
        StringBuilder text = new StringBuilder();
        line(
                text,
                "map",
                "%s, %,d records of %d + %d bytes",
                workload.map().nameFor(workload.valueBytes()),
                workload.records(),
                Long.BYTES,
                workload.valueBytes());
        if (load.isKnown()) {
            line(
                    text,
                    "loading",
                    "%.3f s, %.1f bytes of remote memory for each record",
                    load.nanos() / 1e9,
                    load.bytesPerRecord(workload.records()));
        }
        line(text, "workload", "%s; keys %s", workload.mix(), workload.choice());
        if (workload.rate() > 0) {
            line(text, "rate", "%,d op/s requested; latencies count from when an operation is due", workload.rate());
        }
        line(
                text,
                "threads",
                "%,d on %,d Compute Nodes%s",
                cluster.totalThreads(),
                cluster.computeNodes(),
                audit.losses().suffix());
        line(text, "seed", "%d", workload.seed());
        line(text, "operations", "%,d", get(KvMetric.OP_COUNT));
        EmulatedLatency.of(cluster).ifPresent(latency -> line(text, "latency", "emulated: %s", latency));
        line(text, "time", "%.3f s%s", nanos / 1e9, earlyEnd());
        line(text, "throughput", "%,.0f op/s", throughput());
        baselines.forEach(other -> line(
                text, "  " + other.kind().place(), "%,.0f op/s, %s", other.throughput(), compared(other.throughput())));
        for (KvOperationKind kind : KvOperationKind.values()) {
            long hits = get(kind.metric(true));
            long misses = get(kind.metric(false));
            if (hits + misses > 0) {
                line(text, Latencies.title(kind), "%,d hits %,d misses%s", hits, misses, details(kind));
                latencies.summary(kind).ifPresent(latency -> line(text, "  latency", "%s", latency));
            }
        }
        line(
                text,
                "per operation",
                "%.2f reads, %.2f writes, %.2f CAS, %.2f FAA, %.2f round trips",
                perOperation(KvMetric.READ),
                perOperation(KvMetric.WRITE),
                perOperation(KvMetric.CAS),
                perOperation(KvMetric.FAA),
                perOperation(KvMetric.ROUND_TRIPS));
        new ReclamationLine(
                        get(KvMetric.EPOCHS),
                        get(KvMetric.RETIREMENTS),
                        get(KvMetric.RETIRED_MOST),
                        get(KvMetric.RETIRED_IN_EPOCH_MOST),
                        get(KvMetric.RECLAMATION_ROUND_TRIPS),
                        get(KvMetric.STALLS))
                .text(cluster, get(KvMetric.OP_COUNT))
                .ifPresent(line -> line(text, "reclamation", "%s", line));
        text.append("books: ").append(books()).append('\n');
        verification.ifPresent(verdict -> text.append(verdict.line()).append('\n'));
        return text.toString();
    }

    private String earlyEnd() {
        boolean isShort = workload.length().isTimed()
                ? nanos < workload.length().nanos()
                : get(KvMetric.OP_COUNT) < workload.length().operations() * cluster.totalThreads();
        if (verification.isPresent() && isShort) {
            return ": the logs of the operations are full";
        }
        boolean isEarly = workload.length().isTimed()
                && workload.mix().insert() > 0
                && nanos < workload.length().nanos()
                && get(KvMetric.OP_COUNT) < workload.length().operations();
        return isEarly ? ": no room for more records; raise --seg-size or --segs-per-mn" : "";
    }

    private String compared(double other) {
        boolean isMore = other > throughput();
        return String.format(
                Locale.ROOT,
                isMore ? "%.2f times as many" : "we have %.1f times as many",
                isMore ? other / throughput() : throughput() / other);
    }

    private String details(KvOperationKind kind) {
        return switch (kind) {
            case RMW -> String.format(Locale.ROOT, ", %,d times again", get(KvMetric.RMW_AGAIN));
            case SCAN -> {
                long scans = get(KvMetric.SCAN_T) + get(KvMetric.SCAN_F);
                yield String.format(Locale.ROOT, ", %.1f entries each", (double) get(KvMetric.SCANNED) / scans);
            }
            default -> "";
        };
    }

    private double perOperation(KvMetric metric) {
        return (double) get(metric) / Math.max(1, get(KvMetric.OP_COUNT));
    }

    private static void line(StringBuilder text, String name, String format, Object... values) {
        text.append(String.format(Locale.ROOT, "%-" + NAME_WIDTH + "s", name))
                .append(String.format(Locale.ROOT, format, values))
                .append('\n');
    }
}
