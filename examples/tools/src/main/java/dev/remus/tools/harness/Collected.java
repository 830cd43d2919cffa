// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.tools.latency.Latencies;
import dev.remus.tools.verify.Verification;
import java.util.Optional;

/**
 * What the thread that leads has collected from all others after a run. It is collected again by the next one if that
 * thread is lost.
 *
 * @param <K> the kinds of operations
 */
public final class Collected<K extends Enum<K>> {
    private Optional<Latencies<K>> latencies = Optional.empty();
    private Optional<Verification> verification = Optional.empty();

    /** The latencies of all threads; empty if they were not measured. */
    public Optional<Latencies<K>> latencies() {
        return latencies;
    }

    /** Replaces the latencies. */
    public void setLatencies(Latencies<K> ofAll) {
        latencies = Optional.of(ofAll);
    }

    /** The verdict on the operations, if they were recorded. */
    public Optional<Verification> verification() {
        return verification;
    }

    /** Replaces the verdict. */
    public void setVerification(Verification verdict) {
        verification = Optional.of(verdict);
    }
}
