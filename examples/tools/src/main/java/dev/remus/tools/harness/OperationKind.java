// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import java.util.Locale;

/** The kind of an operation on a set. */
enum OperationKind {
    GET(Metric.GET_T, Metric.GET_F),
    INSERT(Metric.INS_T, Metric.INS_F),
    REMOVE(Metric.RMV_T, Metric.RMV_F);

    private final Metric hit;
    private final Metric miss;

    OperationKind(Metric hit, Metric miss) {
        this.hit = hit;
        this.miss = miss;
    }

    /** The metric that counts operations of this kind with this answer. */
    Metric metric(boolean answer) {
        return answer ? hit : miss;
    }

    /** The name in tables and result files, such as {@code get}. */
    String title() {
        return name().toLowerCase(Locale.ROOT);
    }
}
