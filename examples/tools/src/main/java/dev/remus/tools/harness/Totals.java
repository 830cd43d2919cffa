package dev.remus.tools.harness;

import dev.remus.tools.latency.Latencies;
import dev.remus.tools.verify.Verification;
import java.util.Optional;

/**
 * The counts and measurements of a run, over all threads.
 *
 * @param tally the counts
 * @param latencies the latencies of the operations; empty if they were not measured
 * @param nanos the duration of the run
 * @param verification the verdict on the operations, if they were recorded
 */
record Totals(Tally tally, Latencies<OperationKind> latencies, long nanos, Optional<Verification> verification) {}
