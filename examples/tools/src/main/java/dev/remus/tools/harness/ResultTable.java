// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.cli.cluster.EmulatedLatency;
import java.util.Locale;

/** The result of an {@link IntSetExperiment} as lines of text, each terminated by a line feed. */
public final class ResultTable {
    private final IntSetResult result;

    /** A table of one result. */
    public ResultTable(IntSetResult result) {
        this.result = result;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        line(text, "set", "%s", result.set());
        line(
                text,
                "threads",
                "%,d on %,d Compute Nodes%s",
                result.cluster().totalThreads(),
                result.cluster().computeNodes(),
                result.losses().suffix());
        line(text, "seed", "%d", result.workload().seed());
        line(text, "operations", "%,d", result.get(Metric.OP_COUNT));
        EmulatedLatency.of(result.cluster()).ifPresent(latency -> line(text, "latency", "emulated: %s", latency));
        line(text, "time", "%.3f s", result.micros() / 1e6);
        line(text, "throughput", "%,.0f op/s", result.throughput());
        result.baseline()
                .ifPresent(heap -> line(
                        text,
                        "  on the heap",
                        "%,.0f op/s, %.2f times as many",
                        heap.throughput(),
                        heap.throughput() / result.throughput()));
        line(text, "get", "%s", result.hitsAndMisses(Metric.GET_T, Metric.GET_F));
        line(text, "insert", "%s", result.hitsAndMisses(Metric.INS_T, Metric.INS_F));
        line(text, "remove", "%s", result.hitsAndMisses(Metric.RMV_T, Metric.RMV_F));
        for (OperationKind kind : OperationKind.values()) {
            result.latency(kind).ifPresent(latency -> line(text, kind.title() + " latency", "%s", latency));
            result.baseline()
                    .flatMap(heap -> heap.latency(kind))
                    .ifPresent(latency -> line(text, "  on the heap", "%s", latency));
        }
        line(
                text,
                "per operation",
                "%.1f reads, %.1f writes, %.1f CAS, %.1f FAA, %.1f round trips",
                perOperation(Metric.READ),
                perOperation(Metric.WRITE),
                perOperation(Metric.CAS),
                perOperation(Metric.FAA),
                perOperation(Metric.ROUND_TRIPS));
        cacheLine(text);
        new ReclamationLine(
                        result.get(Metric.EPOCHS),
                        result.get(Metric.RETIREMENTS),
                        result.get(Metric.RETIRED_MOST),
                        result.get(Metric.RETIRED_IN_EPOCH_MOST),
                        result.get(Metric.RECLAMATION_ROUND_TRIPS),
                        result.get(Metric.STALLS))
                .text(result.cluster(), result.get(Metric.OP_COUNT))
                .ifPresent(line -> line(text, "reclamation", "%s", line));
        text.append("books: ").append(result.books()).append('\n');
        result.verification().ifPresent(v -> text.append(v.line()).append('\n'));
        return text.toString();
    }

    private void cacheLine(StringBuilder text) {
        double hits = perOperation(Metric.CACHE_HITS);
        double misses = perOperation(Metric.CACHE_MISSES);
        if (hits + misses > 0) {
            line(
                    text,
                    "cache",
                    "%.1f hits, %.2f misses per operation, %.2f %% hits",
                    hits,
                    misses,
                    100 * hits / (hits + misses));
        }
    }

    private double perOperation(Metric metric) {
        return (double) result.get(metric) / Math.max(1, result.get(Metric.OP_COUNT));
    }

    private static void line(StringBuilder text, String name, String format, Object... values) {
        text.append(String.format(Locale.ROOT, "%-15s", name))
                .append(String.format(Locale.ROOT, format, values))
                .append('\n');
    }
}
