// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.tools.latency.Latencies;
import dev.remus.tools.verify.Verification;
import java.util.Optional;

/**
 * The counts and measurements of a run, over all threads that are left.
 *
 * @param tally the counts
 * @param ofLost those counts of lost threads on which the audit relies
 * @param losses the lost threads
 * @param latencies the latencies of the operations; empty if they were not measured
 * @param nanos the duration of the run
 * @param verification the verdict on the operations, if they were recorded
 */
record Totals(
        Tally tally,
        Tally ofLost,
        Losses losses,
        Latencies<OperationKind> latencies,
        long nanos,
        Optional<Verification> verification) {}
