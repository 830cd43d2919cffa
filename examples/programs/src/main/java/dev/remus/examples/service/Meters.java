// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service;

import dev.remus.node.ComputeNode;
import dev.remus.observe.RemusMeters;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * What Prometheus reads at {@code /metrics}:
 *
 * <pre>
 *   remus_service_requests_seconds  latencies of requests for keys; labels method and status
 *   remus_service_errors_total      those that ended with a status of 500 or more
 *   remus_service_busy              requests that run or wait for a Compute Thread
 *   remus_service_map_entries       entries of the map, counted at most every 5 s; absent before the first count
 *   remus_operations_total ...      remote operations: {@link RemusMeters}
 * </pre>
 */
final class Meters {
    private static final Duration[] BOUNDS = {
        Duration.ofNanos(250_000),
        Duration.ofMillis(1),
        Duration.ofMillis(4),
        Duration.ofMillis(16),
        Duration.ofMillis(64),
        Duration.ofMillis(256),
        Duration.ofSeconds(1),
        Duration.ofSeconds(4)
    };

    /** Counting takes a round trip for each bucket of the map. */
    private static final long COUNT_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private volatile double entries = Double.NaN;
    private long countedNanos;

    /** Adds what a node has to show once it has joined. */
    void watch(ComputeNode node, ThreadPool threads) {
        new RemusMeters(node).bindTo(registry);
        Gauge.builder("remus.service.busy", threads, ThreadPool::busy)
                .description("Requests that run or wait for a Compute Thread")
                .register(registry);
        Gauge.builder("remus.service.map.entries", this, meters -> meters.entries)
                .description("Entries of the map")
                .register(registry);
    }

    /** Counts a request that has ended. */
    void count(String method, int status, long nanos) {
        Timer.builder("remus.service.requests")
                .description("Requests for keys")
                .tags("method", method, "status", Integer.toString(status))
                .serviceLevelObjectives(BOUNDS)
                .register(registry)
                .record(nanos, TimeUnit.NANOSECONDS);
        registry.counter("remus.service.errors").increment(status >= 500 ? 1 : 0);
    }

    /** All of it, in the text format of Prometheus. */
    Answer answer(ThreadPool threads) {
        countEntries(threads);
        return new Answer(
                200, registry.scrape().getBytes(StandardCharsets.UTF_8), "text/plain; version=0.0.4; charset=utf-8");
    }

    /** Without an answer of the threads, the last figure stays. */
    private synchronized void countEntries(ThreadPool threads) {
        long now = System.nanoTime();
        if (Double.isNaN(entries) || now - countedNanos > COUNT_AGAIN_NANOS) {
            try {
                entries = threads.call((map, ct) -> map.size(ct));
                countedNanos = now;
            } catch (Refusal e) {
                // busy, or about to end
            }
        }
    }
}
