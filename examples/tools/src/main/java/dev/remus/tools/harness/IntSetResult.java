// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeThread;
import dev.remus.node.SegmentUse;
import dev.remus.tools.latency.Latencies;
import dev.remus.tools.latency.LatencySummary;
import dev.remus.tools.verify.Verification;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The result of an {@link IntSetExperiment}, over all threads of the cluster that are left. */
public final class IntSetResult {
    /** The size of a set too damaged to count. */
    static final long DAMAGED = -1;

    private final String set;
    private final IntSetWorkload workload;
    private final ClusterConfig cluster;
    private final Totals totals;
    private final long size;
    private final Optional<BaselineResult> baseline;
    private final List<SegmentUse> segments;

    IntSetResult(String set, IntSetWorkload workload, ComputeThread ct, Totals totals, long size) {
        this(set, workload, ct.config(), totals, size, Optional.empty(), SegmentUse.of(ct));
    }

    private IntSetResult(
            String set,
            IntSetWorkload workload,
            ClusterConfig cluster,
            Totals totals,
            long size,
            Optional<BaselineResult> baseline,
            List<SegmentUse> segments) {
        this.segments = segments;
        this.set = set;
        this.workload = workload;
        this.cluster = cluster;
        this.totals = totals;
        this.size = size;
        this.baseline = baseline;
    }

    /** This result together with that of a baseline. */
    public IntSetResult withBaseline(BaselineResult other) {
        return new IntSetResult(set, workload, cluster, totals, size, Optional.of(other), segments);
    }

    /** The result of the baseline, if one ran. */
    public Optional<BaselineResult> baseline() {
        return baseline;
    }

    /** Empty if there was no such operation, or latencies were not recorded. */
    Optional<LatencySummary> latency(OperationKind kind) {
        return totals.latencies().summary(kind);
    }

    /** The verdict on the operations, if they were recorded. */
    public Optional<Verification> verification() {
        return totals.verification();
    }

    /** The latency distribution, in nanoseconds. */
    Latencies<OperationKind> latencies() {
        return totals.latencies();
    }

    /** How full the segments were at the audit. */
    public List<SegmentUse> segments() {
        return segments;
    }

    /** The name of the set. */
    public String set() {
        return set;
    }

    /** The workload, with all automatic choices made. */
    public IntSetWorkload workload() {
        return workload;
    }

    /** The configuration of the cluster. */
    public ClusterConfig cluster() {
        return cluster;
    }

    /** The threads that were lost. */
    Losses losses() {
        return totals.losses();
    }

    /** A count, over all threads that are left. */
    public long get(Metric metric) {
        return totals.tally().get(metric);
    }

    /** The duration of the run in microseconds, from before the first to after the last operation of any thread. */
    public long micros() {
        return totals.nanos() / 1000;
    }

    /** Operations per second of all threads together; 0 if there were none. */
    public double throughput() {
        return get(Metric.OP_COUNT) == 0 ? 0 : get(Metric.OP_COUNT) * 1e9 / Math.max(1, totals.nanos());
    }

    /** The number of keys that a walk through the set found at the end; -1 if the set was too damaged to count. */
    public long size() {
        return size;
    }

    /** A count for the audit, over all threads, including lost ones. */
    long audited(Metric metric) {
        return get(metric) + totals.ofLost().get(metric);
    }

    /** The expected number of keys: the prefilled, plus the inserted, less the removed. */
    public long expectedSize() {
        return audited(Metric.PREFILLED) + audited(Metric.INS_T) - audited(Metric.RMV_T);
    }

    /**
     * Whether all prefilled keys were inserted and the set ends with the expected number of keys. If threads were lost,
     * each may have left a part of its prefilled keys out, and have had one operation in flight.
     */
    public boolean isBalanced() {
        return size != DAMAGED && losses().explain(size - expectedSize()) && isPrefilled();
    }

    private boolean isPrefilled() {
        return audited(Metric.PREFILLED) == workload.prefilledKeys()
                || !losses().isEmpty() && audited(Metric.PREFILLED) < workload.prefilledKeys();
    }

    /** The audit in one line. */
    public String books() {
        String prefilled = audited(Metric.PREFILLED) == workload.prefilledKeys()
                ? " prefilled"
                : " (instead of " + workload.prefilledKeys() + ") prefilled";
        return audited(Metric.PREFILLED) + prefilled + " + " + audited(Metric.INS_T) + " inserted - "
                + audited(Metric.RMV_T) + " removed = " + expectedSize() + losses().allowance() + verdict();
    }

    private String verdict() {
        if (size == DAMAGED) {
            return ", cannot be counted: NOT BALANCED";
        }
        String found = size == expectedSize() && losses().isEmpty() ? " found: " : ", but " + size + " found: ";
        if (isBalanced() && !losses().isEmpty()) {
            found = ", " + size + " found: ";
        }
        return found + (isBalanced() ? "balanced" : "NOT BALANCED");
    }

    String hitsAndMisses(Metric hit, Metric miss) {
        return String.format(Locale.ROOT, "%,d hits %,d misses", get(hit), get(miss));
    }
}
