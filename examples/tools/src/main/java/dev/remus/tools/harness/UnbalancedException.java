package dev.remus.tools.harness;

import org.jspecify.annotations.Nullable;

/** An {@link IntSetExperiment} has found that the set is wrong. The message has all figures. */
public final class UnbalancedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient IntSetResult result;

    UnbalancedException(String what, IntSetResult result, @Nullable Throwable cause) {
        super(
                what + ": " + result.books() + "; get " + result.hitsAndMisses(Metric.GET_T, Metric.GET_F) + ", insert "
                        + result.hitsAndMisses(Metric.INS_T, Metric.INS_F) + ", remove "
                        + result.hitsAndMisses(Metric.RMV_T, Metric.RMV_F) + "; seed "
                        + result.workload().seed(),
                cause);
        this.result = result;
    }

    /** What came out, wrong as it is. */
    public IntSetResult result() {
        return result;
    }
}
