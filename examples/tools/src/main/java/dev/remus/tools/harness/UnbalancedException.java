// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.tools.verify.Verification;
import org.jspecify.annotations.Nullable;

/** Thrown by an {@link IntSetExperiment} whose audit found an error in the set. The message has all figures. */
public final class UnbalancedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient IntSetResult result;

    UnbalancedException(String finding, IntSetResult result, @Nullable Throwable cause) {
        super(
                finding + ": "
                        + result.verification()
                                .flatMap(Verification::finding)
                                .map(reason -> reason + "; ")
                                .orElse("") + result.books() + "; get "
                        + result.hitsAndMisses(Metric.GET_T, Metric.GET_F)
                        + ", insert "
                        + result.hitsAndMisses(Metric.INS_T, Metric.INS_F) + ", remove "
                        + result.hitsAndMisses(Metric.RMV_T, Metric.RMV_F) + "; seed "
                        + result.workload().seed(),
                cause);
        this.result = result;
    }

    /** The result, which fails the audit. */
    public IntSetResult result() {
        return result;
    }
}
