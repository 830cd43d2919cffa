// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.node.ComputeThread;
import dev.remus.node.ThreadMetrics;
import java.util.Arrays;

/** The counts of one thread. */
final class Tally {
    private final long[] counts;
    private final Ledger ledger;

    /** All counts are 0. */
    Tally() {
        this(new long[0]);
    }

    /** @param first the first counts, by the ordinals of {@link Metric}; all others are 0 */
    Tally(long[] first) {
        this(first, Ledger.NONE);
    }

    /** All counts are 0, and the audited ones outlive the thread. */
    Tally(Ledger ledger) {
        this(new long[0], ledger);
    }

    private Tally(long[] first, Ledger ledger) {
        this.counts = Arrays.copyOf(first, Metric.values().length);
        this.ledger = ledger;
    }

    /** All counts, by the ordinals of {@link Metric}. */
    long[] counts() {
        return counts.clone();
    }

    void count(Metric metric) {
        counts[metric.ordinal()]++;
        if (metric.isAudited()) {
            ledger.record(metric.ordinal(), counts[metric.ordinal()]);
        }
    }

    void add(Metric metric, long amount) {
        counts[metric.ordinal()] += amount;
    }

    void add(Tally others) {
        for (Metric metric : Metric.values()) {
            add(metric, others.get(metric));
        }
    }

    long get(Metric metric) {
        return counts[metric.ordinal()];
    }

    /** Starts counting the thread's remote operations. */
    void startCounting(ComputeThread ct) {
        addRemoteOperations(ct.metrics(), -1);
    }

    /** Stops counting the thread's remote operations. */
    void stopCounting(ComputeThread ct) {
        addRemoteOperations(ct.metrics(), 1);
    }

    private void addRemoteOperations(ThreadMetrics metrics, int sign) {
        add(Metric.WRITE, sign * metrics.writes());
        add(Metric.BYTES_WRITE, sign * metrics.writeBytes());
        add(Metric.READ, sign * metrics.reads());
        add(Metric.BYTES_READ, sign * metrics.readBytes());
        add(Metric.FAA, sign * metrics.fetchAndAdds());
        add(Metric.CAS, sign * metrics.compareAndSwaps());
        add(Metric.ROUND_TRIPS, sign * metrics.roundTrips());
        add(Metric.CACHE_HITS, sign * metrics.cacheHits());
        add(Metric.CACHE_MISSES, sign * metrics.cacheMisses());
        add(Metric.EPOCHS, sign * metrics.epochs());
        add(Metric.RETIREMENTS, sign * metrics.retirements());
        add(Metric.RECLAMATION_ROUND_TRIPS, sign * metrics.reclamationRoundTrips());
        add(Metric.STALLS, sign * metrics.stalls());
    }
}
