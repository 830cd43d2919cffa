// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.transfers;

/**
 * The latency of a transfer with nothing else outstanding.
 *
 * @param direction the direction of its bytes
 * @param bytes its size
 * @param medianNanos the median of the samples
 * @param p99Nanos the 99th percentile of the samples; for transfers too short for the clock, a sample is the mean of
 *     several transfers (see {@link Meter})
 * @param samples the number of samples
 */
record Latency(Direction direction, int bytes, double medianNanos, double p99Nanos, int samples) {}
