// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;

/** The state that the threads of one {@link IntSetExperiment} share: also the time of a round trip. */
final class SharedIntSetExperiment extends SharedRounds<OperationKind> {
    private final RemoteLong roundTripNanos = longField();

    /** @param verifies whether the threads record their operations */
    SharedIntSetExperiment(boolean verifies, ComputeThread ct) {
        super(OperationKind.class, Metric.of(ct.config()).size(), verifies, ct);
    }

    @Override
    protected void initMore(ComputeThread ct) {
        super.initMore(ct);
        roundTripNanos.store(0, ct);
    }

    /**
     * The time of a round trip while all threads make them, in nanoseconds: the mean over all threads. All threads must
     * call it, and get the same value.
     */
    long meanRoundTrip(ComputeThread ct) {
        roundTripNanos.fetchAdd(RoundTrip.measure(pointer(), ct), ct);
        ct.barrier();
        return roundTripNanos.load(ct) / ct.threads();
    }
}
