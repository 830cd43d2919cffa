// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.recovery;

/**
 * What followed a death.
 *
 * @param node the Compute Node that was killed
 * @param waiters the number of threads that wanted the lock
 * @param firstNanos the shortest wait, which is about that of the first thread that got it
 * @param lastNanos the longest wait
 */
record Recovery(int node, int waiters, long firstNanos, long lastNanos) {}
