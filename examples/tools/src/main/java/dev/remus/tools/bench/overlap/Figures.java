// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.overlap;

/**
 * The figures of one measurement.
 *
 * @param perSecond operations per second
 * @param perCore operations per second of processor time; the same, unless other programs use the processors
 * @param processorNanos processor time of an operation, in nanoseconds
 * @param median the median latency of an operation, in nanoseconds
 * @param p99 its 99th percentile
 * @param bytes bytes on the Java heap for an operation
 */
record Figures(double perSecond, double perCore, double processorNanos, double median, double p99, double bytes) {}
