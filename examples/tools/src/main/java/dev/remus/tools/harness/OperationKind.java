package dev.remus.tools.harness;

import java.util.Locale;

/** What an operation on a set does. */
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

    /** What counts the operations of this kind with that answer. */
    Metric metric(boolean answer) {
        return answer ? hit : miss;
    }

    /** The name in tables and result files, such as {@code get}. */
    String title() {
        return name().toLowerCase(Locale.ROOT);
    }
}
