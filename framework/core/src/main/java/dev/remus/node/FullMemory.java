// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.memory.OutOfRemoteMemoryException;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;

/** The failure of an allocation, with the state of each segment. */
final class FullMemory {
    private final ClusterConfig config;
    private final CheckedMemory memory;

    /** The segments that the thread may use, as pointers to their first byte. */
    private final long[] segments;

    FullMemory(ClusterConfig config, CheckedMemory memory, long[] segments) {
        this.config = config;
        this.memory = memory;
        this.segments = segments;
    }

    /** A block that is larger than any segment. */
    OutOfRemoteMemoryException tooLarge(long bytes, long largest) {
        return new OutOfRemoteMemoryException("an object of " + bytes + " bytes does not fit into any segment: the "
                + "largest block is " + largest + " bytes; " + state(bytes) + advice());
    }

    /**
     * No room for a block.
     *
     * @param retired what has become of the blocks that the thread has retired
     */
    OutOfRemoteMemoryException exhausted(long bytes, String retired) {
        return new OutOfRemoteMemoryException(state(bytes) + " " + retired + advice());
    }

    private static String advice() {
        return " Raise " + ClusterSettings.SEGMENT_SIZE_LOG2.names() + " or "
                + ClusterSettings.SEGMENTS_PER_NODE.names() + ", or reclaim more often";
    }

    private String state(long bytes) {
        SegmentLayout layout = new SegmentLayout(config);
        StringBuilder text = new StringBuilder("no segment can serve a request of " + bytes + " bytes ("
                + ClusterSettings.ALLOCATION_POLICY.names() + " " + config.allocationPolicy() + ", "
                + ClusterSettings.CHECK_MEMORY.names() + " " + (config.checkMemory() ? "on" : "off") + "):");
        for (long segment : segments) {
            long end = layout.end(RdmaPtr.segment(segment));
            long allocated = Math.min(end, memory.readHeader(segment + SegmentHeader.ALLOCATED));
            text.append(" node ")
                    .append(RdmaPtr.node(segment))
                    .append(" segment ")
                    .append(RdmaPtr.segment(segment))
                    .append(": ")
                    .append(allocated)
                    .append(" of ")
                    .append(end)
                    .append(" bytes used;");
        }
        return text.toString();
    }
}
