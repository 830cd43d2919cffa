// SPDX-License-Identifier: Apache-2.0
package dev.remus.observe;

import dev.remus.node.ComputeNode;
import dev.remus.node.ThreadMetrics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Objects;
import java.util.function.ToLongFunction;

/**
 * The counts of a node's Compute Threads as Micrometer meters, tagged with {@code node} and {@code thread}:
 *
 * <pre>
 *   remus.operations    remote operations; tag kind: read, write, cas, faa
 *   remus.bytes         bytes that READs and WRITEs transferred; tag kind: read, write
 *   remus.round.trips   how often the thread waited for a completion
 * </pre>
 *
 * <p>The meters read the threads' own counters on request, at no cost for the threads. Threads that have not been
 * opened yet count 0.
 *
 * <pre>{@code
 * new RemusMeters(node).bindTo(registry);
 * }</pre>
 */
@SuppressWarnings("exports") // Micrometer: a module that uses it here requires it itself
public final class RemusMeters implements MeterBinder {
    private final ComputeNode node;

    /** @param node the node; keep it reachable as long as it is watched, since the meters alone do not */
    public RemusMeters(ComputeNode node) {
        this.node = Objects.requireNonNull(node, "node");
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (int thread = 0; thread < node.config().threadsPerNode(); thread++) {
            Tags tags =
                    Tags.of(Tag.of("node", Integer.toString(node.id())), Tag.of("thread", Integer.toString(thread)));
            operations("read", ThreadMetrics::reads, thread, tags, registry);
            operations("write", ThreadMetrics::writes, thread, tags, registry);
            operations("cas", ThreadMetrics::compareAndSwaps, thread, tags, registry);
            operations("faa", ThreadMetrics::fetchAndAdds, thread, tags, registry);
            bytes("read", ThreadMetrics::readBytes, thread, tags, registry);
            bytes("write", ThreadMetrics::writeBytes, thread, tags, registry);
            FunctionCounter.builder("remus.round.trips", node, value(ThreadMetrics::roundTrips, thread)::applyAsLong)
                    .description("Waits for a completion")
                    .tags(tags)
                    .register(registry);
        }
    }

    private void operations(
            String kind, ToLongFunction<ThreadMetrics> figure, int thread, Tags tags, MeterRegistry registry) {
        FunctionCounter.builder("remus.operations", node, value(figure, thread)::applyAsLong)
                .description("Remote operations")
                .tags(tags.and("kind", kind))
                .register(registry);
    }

    private void bytes(
            String kind, ToLongFunction<ThreadMetrics> figure, int thread, Tags tags, MeterRegistry registry) {
        FunctionCounter.builder("remus.bytes", node, value(figure, thread)::applyAsLong)
                .description("Bytes carried")
                .baseUnit("bytes")
                .tags(tags.and("kind", kind))
                .register(registry);
    }

    private static ToLongFunction<ComputeNode> value(ToLongFunction<ThreadMetrics> figure, int thread) {
        return n -> n.metrics(thread).map(figure::applyAsLong).orElse(0L);
    }
}
