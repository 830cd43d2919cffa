// SPDX-License-Identifier: Apache-2.0
/**
 * Latencies of operations: {@link dev.remus.tools.latency.Latencies} records them on each thread, {@link
 * dev.remus.tools.latency.LatencyExchange} collects those of all threads of a cluster on one thread, and {@link
 * dev.remus.tools.latency.LatencyFiles} writes them to files.
 *
 * <p>Depends only on the framework.
 */
@NullMarked
package dev.remus.tools.latency;

import org.jspecify.annotations.NullMarked;
