package dev.remus.tools.harness;

import dev.remus.tools.latency.Latencies;

/**
 * What all threads of a run together have counted and measured.
 *
 * @param tally the counts
 * @param latencies how long operations took; nothing if that was not to be measured
 * @param nanos how long the run took
 */
record Totals(Tally tally, Latencies<OperationKind> latencies, long nanos) {}
