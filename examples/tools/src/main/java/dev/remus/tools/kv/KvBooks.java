// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import dev.remus.tools.harness.Losses;

/**
 * What the audit of a {@link KvExperiment} compares.
 *
 * @param totals the counts of all threads that are left, by the ordinals of {@link KvMetric}
 * @param ofLost those counts of lost threads on which the audit relies
 * @param losses the lost threads
 * @param found what is in the map at the end
 */
record KvBooks(long[] totals, long[] ofLost, Losses losses, KvFound found) {
    /** A count, over all threads that are left. */
    long get(KvMetric metric) {
        return totals[metric.ordinal()];
    }

    private long audited(KvMetric metric) {
        return get(metric) + ofLost[metric.ordinal()];
    }

    private long expectedKeys() {
        return audited(KvMetric.LOADED) + audited(KvMetric.ADDED) - audited(KvMetric.REMOVED);
    }

    /**
     * Whether the map has as many keys as the threads have counted, and their values add up. If threads were lost, each
     * may have left a part of its records out, and have had one operation in flight; the values in it are unknown.
     *
     * @param records the number of keys that are loaded before
     */
    boolean isBalanced(long records) {
        return found.keys() != KvFound.DAMAGED
                && losses.explain(found.keys() - expectedKeys())
                && (doValuesAddUp() || !losses.isEmpty())
                && (audited(KvMetric.LOADED) == records || !losses.isEmpty() && audited(KvMetric.LOADED) < records)
                && get(KvMetric.INSERT_F) == 0;
    }

    private boolean doValuesAddUp() {
        return found.sum() == get(KvMetric.SUM);
    }

    /**
     * The audit in one line.
     *
     * @param records the number of keys that are loaded before
     */
    String text(long records) {
        String loaded = audited(KvMetric.LOADED) == records ? "" : " (instead of " + records + ")";
        String twice = get(KvMetric.INSERT_F) == 0 ? "" : ", " + get(KvMetric.INSERT_F) + " new keys WERE THERE";
        return audited(KvMetric.LOADED) + loaded + " loaded + " + audited(KvMetric.ADDED) + " added - "
                + audited(KvMetric.REMOVED) + " removed = " + expectedKeys() + losses.allowance() + twice
                + verdict(records);
    }

    private String verdict(long records) {
        if (found.keys() == KvFound.DAMAGED) {
            return ", cannot be counted (" + found.damage() + "): NOT BALANCED";
        }
        String end = isBalanced(records) ? ": balanced" : ": NOT BALANCED";
        if (!losses.isEmpty()) {
            return ", " + found.keys() + " found" + end;
        }
        String keys = found.keys() == expectedKeys() ? " found" : ", but " + found.keys() + " found";
        return keys + (doValuesAddUp() ? ", their values add up" : ", their values DO NOT ADD UP") + end;
    }
}
