// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.util.ArrayList;
import java.util.List;
import net.openhft.chronicle.core.UnsafeMemory;

/**
 * Lower bound for a search in a lazy list on mapped memory: links are raw addresses, without interfaces, checks or
 * metrics. The list is a copy of a given list, with each node at the same offset of the same segment in another
 * cluster.
 */
final class FloorList implements AutoCloseable {
    private final OneProcess twin = new OneProcess();
    private final List<MappedByteBuffer> segments = new ArrayList<>();
    private final long head;
    private final long tail;

    FloorList(ListState original) throws IOException {
        for (int i = 0; i < twin.configuration().segmentsPerNode(); i++) {
            segments.add(SameMemory.of(twin, i));
        }
        ComputeThread ct = original.ct();
        long first = ct.read(original.This().raw());
        long last = ct.read(original.This().raw() + 8);
        head = address(first);
        tail = address(last);
        for (long node = first; node != last; node = ct.read(node + 8)) {
            UnsafeMemory.MEMORY.writeLong(address(node), ct.read(node));
            UnsafeMemory.MEMORY.writeLong(address(node) + 8, address(ct.read(node + 8)));
        }
    }

    private long address(long pointer) {
        return LocalBuffer.address(segments.get(RdmaPtr.segment(pointer))) + RdmaPtr.offset(pointer);
    }

    boolean contains(long key) {
        long curr = UnsafeMemory.MEMORY.readVolatileLong(null, head + 8);
        while (curr != tail) {
            long found = UnsafeMemory.MEMORY.readVolatileLong(null, curr);
            if (found >= key) {
                return found == key && !RdmaPtr.isMarked(UnsafeMemory.MEMORY.readVolatileLong(null, curr + 8));
            }
            curr = RdmaPtr.unmarked(UnsafeMemory.MEMORY.readVolatileLong(null, curr + 8));
        }
        return false;
    }

    @Override
    public void close() {
        twin.close();
    }
}
