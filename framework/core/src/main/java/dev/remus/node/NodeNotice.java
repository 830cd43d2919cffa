// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.memory.SegmentLayout;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A Compute Node's text on the notice board of its fabric, for programs that watch the cluster. The text has lines
 * {@code name=value}. Names of an opened Compute Thread's lines end in its index on the node:
 *
 * <pre>
 *   nanos=...                     when this was written: nanoseconds since a fixed moment
 *   threads=8                     the number of ids of Compute Threads in the cluster
 *   first=4                       the id of the first Compute Thread of this node
 *   thread.0=5 1 0 2 8            READs, WRITEs, COMPARE_AND_SWAPs, FETCH_AND_ADDs, round trips so far
 *   holds.0=18014398509482048     the locks that it holds, with blanks between
 *   awaits.1=1801439850948:queue  the lock that it waits for, with its {@link LockKind} unless it is a ticket lock
 *   epoch=16384                   the pointer to the epoch, which the announcements of all threads follow; only with
 *                                 {@code --reclaim epochs}
 *   retired=1234 78976            the blocks that this node has retired and not reclaimed, and their bytes
 *   stalled=2 1 12 1234           the node and the index of a thread that holds the epoch up, for how many seconds,
 *                                 and the retired blocks of this node
 *   figure.work=run 1234          a figure of the program, see {@link NodeFigures}
 *   failed=...                    the reason of the node's failure, if it has failed
 * </pre>
 */
final class NodeNotice {
    private NodeNotice() {}

    static String text(
            long nanos,
            ClusterConfig config,
            int node,
            int life,
            AtomicReferenceArray<ComputeThread> threads,
            NodeEpochs epochs,
            Map<Object, Object> objects,
            String failure) {
        StringBuilder text = new StringBuilder("nanos=").append(nanos).append('\n');
        text.append("threads=").append(config.threadIds()).append('\n');
        text.append("first=").append(ThreadIds.id(config, node, life, 0)).append('\n');
        if (config.reclaim() == Reclamation.EPOCHS) {
            text.append("epoch=").append(new SegmentLayout(config).epoch()).append('\n');
        }
        long retiredBytes = epochs.pool().bytes();
        for (int i = 0; i < threads.length(); i++) {
            ComputeThread thread = threads.get(i);
            if (thread != null) {
                ThreadMetrics m = thread.metrics();
                retiredBytes += m.retiredBytes();
                HeldLocks locks = thread.locks();
                line(
                        text,
                        "thread",
                        i,
                        m.reads() + " " + m.writes() + " " + m.compareAndSwaps() + " " + m.fetchAndAdds() + " "
                                + m.roundTrips());
                line(text, "holds", i, locks.describeHeld());
                line(text, "awaits", i, locks.describeAwaited());
            }
        }
        text.append("retired=")
                .append(epochs.retired())
                .append(' ')
                .append(retiredBytes)
                .append('\n');
        String stalled = epochs.notice(nanos);
        if (!stalled.isEmpty()) {
            text.append("stalled=").append(stalled).append('\n');
        }
        NodeFigures.of(objects)
                .forEach((name, figure) -> text.append("figure.")
                        .append(name)
                        .append('=')
                        .append(oneLine(figure))
                        .append('\n'));
        if (!failure.isEmpty()) {
            text.append("failed=").append(oneLine(failure)).append('\n');
        }
        return text.toString();
    }

    private static String oneLine(String text) {
        return text.replaceAll("[\\p{Cntrl}\\s]+", " ").replace("\\", "\\\\");
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
