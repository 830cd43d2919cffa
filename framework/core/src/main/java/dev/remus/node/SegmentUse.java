package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * How full a segment is. Blocks that were freed count as used: they are kept for the next allocation.
 *
 * @param memoryNode the id of its Memory Node
 * @param segment its number there, from 0
 * @param used bytes that have been allocated at some time, the header included
 * @param bytes how many can be
 */
public record SegmentUse(int memoryNode, int segment, long used, long bytes) {
    /**
     * How full each segment of each Memory Node is, in their order. For reports: two round trips for each segment.
     *
     * @param ct the calling thread
     */
    public static List<SegmentUse> of(ComputeThread ct) {
        ClusterConfig config = ct.config();
        List<SegmentUse> all = new ArrayList<>();
        for (int m = config.firstMemoryNode(); m <= config.lastMemoryNode(); m++) {
            for (int s = 0; s < config.segmentsPerNode(); s++) {
                long end = ct.checked().readHeader(SegmentLayout.header(m, s, SegmentHeader.END));
                long allocated = ct.checked().readHeader(SegmentLayout.header(m, s, SegmentHeader.ALLOCATED));
                all.add(new SegmentUse(m, s, Math.min(allocated, end), end)); // an allocation in vain has raised it too
            }
        }
        return List.copyOf(all);
    }
}
