// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

/**
 * What loading the records has cost.
 *
 * @param nanos from before the first record to after the last one of any thread
 * @param bytes the remote memory that the threads have taken meanwhile, in advance too ({@link
 *     dev.remus.node.SegmentUse})
 */
record KvLoad(long nanos, long bytes) {
    /** For a thread that was not there ({@link dev.remus.tools.harness.LateThreads}). */
    static final KvLoad UNKNOWN = new KvLoad(-1, -1);

    boolean isKnown() {
        return !equals(UNKNOWN);
    }

    double bytesPerRecord(long records) {
        return (double) bytes / records;
    }
}
