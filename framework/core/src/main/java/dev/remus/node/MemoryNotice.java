// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.PeerState;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import java.util.List;
import java.util.Locale;

/**
 * A Memory Node's text on the notice board of its fabric, for programs that watch the cluster, as {@link NodeNotice}
 * is a Compute Node's. The Memory Node reads its own memory for it, so no other node notices.
 *
 * <pre>
 *   nanos=...                     when this was written: nanoseconds since a fixed moment
 *   segment.0=4096 1048576        the bytes of the segment that were ever allocated, with the header, and its size
 *   peer.1=joined                 the state of a Compute Node
 *   epochs=17 18 0 17             the epoch and the announcements of all threads, by their ids, if this node holds
 *                                 them; see {@link EpochTable}
 *   lost.2=ended                  a node that was lost, and how
 * </pre>
 */
final class MemoryNotice {
    /** The most threads whose announcements are shown. */
    private static final int MAX_THREADS = 4096;

    private MemoryNotice() {}

    static String text(
            long nanos,
            ClusterConfig config,
            MemoryEndpoint endpoint,
            SegmentLayout layout,
            PeerState[] peers,
            List<NodeLostException> losses) {
        StringBuilder text = new StringBuilder("nanos=").append(nanos).append('\n');
        for (int s = 0; s < config.segmentsPerNode(); s++) {
            long end = layout.end(s);
            long used = Math.min(end, endpoint.get(s, SegmentHeader.ALLOCATED));
            text.append("segment.").append(s).append('=').append(used).append(' ');
            text.append(end).append('\n');
        }
        for (int i = 0; i < peers.length; i++) {
            text.append("peer.").append(config.firstComputeNode() + i).append('=');
            text.append(peers[i].name().toLowerCase(Locale.ROOT)).append('\n');
        }
        long epoch = layout.epoch();
        boolean isHere = config.reclaim() == Reclamation.EPOCHS && RdmaPtr.node(epoch) == endpoint.node();
        if (isHere && config.threadIds() <= MAX_THREADS) {
            text.append("epochs=");
            for (int i = 0; i <= config.threadIds(); i++) {
                long word = RdmaPtr.offset(epoch) + (long) i * Long.BYTES;
                text.append(i == 0 ? "" : " ").append(endpoint.get(RdmaPtr.segment(epoch), word));
            }
            text.append('\n');
        }
        for (NodeLostException loss : losses) {
            text.append("lost.")
                    .append(loss.node())
                    .append('=')
                    .append(loss.kind())
                    .append('\n');
        }
        return text.toString();
    }
}
