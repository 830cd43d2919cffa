package dev.remus.node;

import dev.remus.config.ClusterConfig;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Collectors;

/**
 * What a Compute Node puts on the notice board of its fabric, for programs that watch the cluster. Lines
 * {@code name=value}; those of a Compute Thread that has been opened end in its index on the node:
 *
 * <pre>
 *   nanos=...                     when this was written: nanoseconds since some fixed moment
 *   threads=8                     how many Compute Threads the cluster has
 *   first=4                       the id of the first Compute Thread of this node
 *   thread.0=5 1 0 2 8            READs, WRITEs, COMPARE_AND_SWAPs, FETCH_AND_ADDs, round trips so far
 *   holds.0=18014398509482048     the locks that it has
 *   awaits.0=18014398509482048    the one that it waits for
 *   failed=...                    why the node has failed, if it has
 * </pre>
 */
final class NodeNotice {
    /**
     * What a Compute Thread counts, which outlives it.
     *
     * @param metrics what it has done
     * @param locks which locks it has
     */
    record Figures(ThreadMetrics metrics, HeldLocks locks) {}

    private NodeNotice() {}

    static String text(
            long nanos, ClusterConfig config, int node, AtomicReferenceArray<Figures> threads, String failure) {
        StringBuilder text = new StringBuilder("nanos=").append(nanos).append('\n');
        text.append("threads=").append(config.totalThreads()).append('\n');
        text.append("first=")
                .append((node - config.firstComputeNode()) * config.threadsPerNode())
                .append('\n');
        for (int i = 0; i < threads.length(); i++) {
            Figures figures = threads.get(i);
            if (figures != null) {
                ThreadMetrics m = figures.metrics();
                HeldLocks locks = figures.locks();
                line(
                        text,
                        "thread",
                        i,
                        m.reads() + " " + m.writes() + " " + m.compareAndSwaps() + " " + m.fetchAndAdds() + " "
                                + m.roundTrips());
                line(
                        text,
                        "holds",
                        i,
                        Arrays.stream(locks.held()).mapToObj(Long::toString).collect(Collectors.joining(" ")));
                line(text, "awaits", i, locks.awaited() == 0 ? "" : Long.toString(locks.awaited()));
            }
        }
        if (!failure.isEmpty()) {
            String line = failure.replaceAll("[\\p{Cntrl}\\s]+", " ").replace("\\", "\\\\");
            text.append("failed=").append(line).append('\n');
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String name, int index, String value) {
        if (!value.isEmpty()) {
            text.append(name)
                    .append('.')
                    .append(index)
                    .append('=')
                    .append(value)
                    .append('\n');
        }
    }
}
