package dev.remus.tools.bench.transfers;

/**
 * How long a transfer takes with nothing else outstanding.
 *
 * @param direction where its bytes go
 * @param bytes how many
 * @param medianNanos half of the samples took no longer
 * @param p99Nanos 99 of 100 samples took no longer; a sample of transfers that are shorter than the clock can measure is the
 *     mean of several (see {@link Meter})
 * @param samples how many there were
 */
record Latency(Direction direction, int bytes, double medianNanos, double p99Nanos, int samples) {}
