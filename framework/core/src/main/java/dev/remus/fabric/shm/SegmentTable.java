// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import java.util.List;

/** Where the segments of all connected Memory Nodes start, by the upper 16 bits of a pointer (node and segment). */
final class SegmentTable {
    private SegmentTable() {}

    /** The table of these links, valid while they are reachable. */
    static long[] of(List<ShmLink> links) {
        int highest = links.stream().mapToInt(ShmLink::memoryNode).max().orElse(0);
        long[] base = new long[(highest + 1) << 6];
        for (ShmLink link : links) {
            for (int i = 0; i < link.segments(); i++) {
                base[link.memoryNode() << 6 | i] = link.mapping(i).address();
            }
        }
        return base;
    }

    /** The address at which a pointer's word is mapped. */
    static long address(long[] base, long pointer) {
        return base[(int) (pointer >>> 48)] + (pointer & 0xFFFF_FFFF_FFFFL);
    }
}
