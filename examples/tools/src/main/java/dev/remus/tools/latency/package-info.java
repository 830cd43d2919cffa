/**
 * How long operations take: {@link dev.remus.tools.latency.Latencies} records it on each thread, {@link
 * dev.remus.tools.latency.LatencyExchange} brings what all threads of a cluster have recorded to one of them, and {@link
 * dev.remus.tools.latency.LatencyFiles} writes it down for the reports.
 *
 * <p>Depends on the framework only.
 */
@NullMarked
package dev.remus.tools.latency;

import org.jspecify.annotations.NullMarked;
