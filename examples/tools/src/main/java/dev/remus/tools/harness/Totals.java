package dev.remus.tools.harness;

import dev.remus.tools.latency.Latencies;

/**
 * The counts and measurements of a run, over all threads.
 *
 * @param tally the counts
 * @param latencies the latencies of the operations; empty if they were not measured
 * @param nanos the duration of the run
 */
record Totals(Tally tally, Latencies<OperationKind> latencies, long nanos) {}
