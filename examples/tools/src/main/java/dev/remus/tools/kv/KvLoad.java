package dev.remus.tools.kv;

/**
 * What loading the records has cost.
 *
 * @param nanos from before the first record to after the last one of any thread
 * @param bytes the remote memory that the threads have taken meanwhile, in advance too ({@link
 *     dev.remus.node.SegmentUse})
 */
record KvLoad(long nanos, long bytes) {
    double bytesPerRecord(long records) {
        return (double) bytes / records;
    }
}
