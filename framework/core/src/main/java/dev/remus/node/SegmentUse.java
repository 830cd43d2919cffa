// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The fill level of a segment. Freed blocks count as used: they are kept for the next allocation. So do blocks that a
 * thread has taken in advance, at most 4 KiB for each thread.
 *
 * @param memoryNode the id of its Memory Node
 * @param segment the segment's number, from 0
 * @param used the bytes that threads have ever taken, including the header
 * @param bytes the bytes that can be allocated, including the header
 */
public record SegmentUse(int memoryNode, int segment, long used, long bytes) {
    /**
     * The fill level of each segment of each Memory Node, in their order. For reports: two round trips for each
     * segment.
     *
     * @param ct the calling thread
     */
    public static List<SegmentUse> of(ComputeThread ct) {
        ClusterConfig config = ct.config();
        List<SegmentUse> all = new ArrayList<>();
        for (int m = config.firstMemoryNode(); m <= config.lastMemoryNode(); m++) {
            for (int s = 0; s < config.segmentsPerNode(); s++) {
                long end = ct.parts.checked.readHeader(SegmentLayout.header(m, s, SegmentHeader.END));
                long allocated = ct.parts.checked.readHeader(SegmentLayout.header(m, s, SegmentHeader.ALLOCATED));
                all.add(new SegmentUse(m, s, Math.min(allocated, end), end)); // failed allocations raise it too
            }
        }
        return List.copyOf(all);
    }

    /**
     * The bytes of all blocks that are allocated, and neither freed nor retired. For tests which show that a structure
     * loses no block. One round trip for each 4 KiB that were ever taken, and two for each segment.
     *
     * @param ct the calling thread
     * @throws IllegalStateException without {@code --check-memory}
     */
    public static long liveBytes(ComputeThread ct) {
        if (!ct.config().checkMemory()) {
            throw new IllegalStateException(
                    "only " + ClusterSettings.CHECK_MEMORY.names() + " keeps the states of blocks");
        }
        BlockShadow shadow =
                new BlockShadow(ct.config(), ct.parts.checked.newShadow(ct.parts.operations), ct.parts.operations);
        return of(ct).stream()
                .mapToLong(use -> shadow.liveBytes(RdmaPtr.raw(use.memoryNode, use.segment, 0), use.used))
                .sum();
    }
}
