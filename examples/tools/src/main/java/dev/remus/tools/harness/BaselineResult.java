// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.tools.latency.Latencies;
import dev.remus.tools.latency.LatencySummary;
import java.util.Optional;

/** The result of a {@link HeapBaseline}, whose audit has balanced. */
public final class BaselineResult {
    private final Tally totals;
    private final long nanos;
    private final Latencies<OperationKind> latencies;

    BaselineResult(Tally totals, long nanos, Latencies<OperationKind> latencies) {
        this.totals = totals;
        this.nanos = nanos;
        this.latencies = latencies;
    }

    /** A count, over all threads; those of remote operations are 0. */
    public long get(Metric metric) {
        return totals.get(metric);
    }

    /** The duration of the run, in microseconds. */
    public long micros() {
        return nanos / 1000;
    }

    /** Operations per second of all threads together; 0 if there were none. */
    public double throughput() {
        return get(Metric.OP_COUNT) == 0 ? 0 : get(Metric.OP_COUNT) * 1e9 / Math.max(1, nanos);
    }

    /** The latency distribution, in nanoseconds. */
    Latencies<OperationKind> latencies() {
        return latencies;
    }

    /** Empty if there was no such operation, or latencies were not recorded. */
    Optional<LatencySummary> latency(OperationKind kind) {
        return latencies.summary(kind);
    }
}
