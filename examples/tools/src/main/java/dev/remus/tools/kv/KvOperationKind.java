// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

/** The kind of an operation on a map. */
enum KvOperationKind {
    /** Looks up a key. */
    READ(KvMetric.READ_T, KvMetric.READ_F),
    /** Sets the value of a key. */
    UPDATE(KvMetric.UPDATE_T, KvMetric.UPDATE_F),
    /** Adds a key that was never used. */
    INSERT(KvMetric.INSERT_T, KvMetric.INSERT_F),
    /** Reads a value and replaces it, if nobody else has meanwhile; else again. */
    RMW(KvMetric.RMW_T, KvMetric.RMW_F),
    /** Removes a key. */
    REMOVE(KvMetric.REMOVE_T, KvMetric.REMOVE_F),
    /** Finds some keys that follow one another. */
    SCAN(KvMetric.SCAN_T, KvMetric.SCAN_F);

    private final KvMetric hit;
    private final KvMetric miss;

    KvOperationKind(KvMetric hit, KvMetric miss) {
        this.hit = hit;
        this.miss = miss;
    }

    /** The metric that counts operations of this kind, by whether the key was as expected. */
    KvMetric metric(boolean isHit) {
        return isHit ? hit : miss;
    }
}
