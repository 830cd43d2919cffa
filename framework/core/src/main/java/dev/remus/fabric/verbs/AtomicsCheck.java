// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Completions;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Lane;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.RemoteSegment;
import java.util.concurrent.TimeUnit;

/**
 * Checks that a device returns the results of atomics in the machine's byte order. Some devices always return them in
 * big-endian order ({@code IBV_EXP_ATOMIC_HCA_REPLY_BE}), and standard verbs do not report it. So each Memory Node has
 * a word of eight different bytes, and each new link adds 0 to it once.
 */
final class AtomicsCheck {
    /** The size of the memory that contains the word. */
    static final long BYTES = 4096;

    /** The value of the word. */
    static final long VALUE = 0x0102_0304_0506_0708L;

    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private AtomicsCheck() {}

    /** @throws FabricException if the result is wrong or does not arrive */
    static void check(Lane lane, RemoteSegment testWord, ProtectionDomain domain) {
        LocalBuffer result = domain.borrowPage();
        lane.post(new Chain(1).fetchAndAdd(testWord, 0, 0, result, 0).signalled(0));
        Completions completions = new Completions(1);
        long deadline = System.nanoTime() + TIMEOUT_NANOS;
        while (lane.poll(completions) == 0) {
            if (System.nanoTime() - deadline > 0) {
                throw new FabricException(lane + ": the first FETCH_AND_ADD does not complete");
            }
            Thread.onSpinWait();
        }
        if (completions.status(0) != CompletionStatus.SUCCESS) {
            throw new FabricException(lane + ": the first FETCH_AND_ADD failed: " + completions.status(0));
        }
        long old = result.getLong(0);
        domain.returnPage(result); // not after a failure: the device may still write to it
        if (old != VALUE) {
            throw new FabricException(
                    lane + ": the RDMA device " + domain.limits().device()
                            + " returned 0x" + Long.toHexString(old) + " for a FETCH_AND_ADD on a word that holds 0x"
                            + Long.toHexString(VALUE)
                            + (old == Long.reverseBytes(VALUE)
                                    ? ": it uses the other byte order, so this fabric cannot use it"
                                    : ""));
        }
    }
}
