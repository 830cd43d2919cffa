// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.ShadowOperations;
import dev.remus.memory.RdmaPtr;
import org.jspecify.annotations.Nullable;

/**
 * Access to shadow words at once, in the middle of a thread's step: no other agent goes on meanwhile. The shadow of a
 * Memory Node that is lost is empty, so the access itself finds the loss.
 *
 * <p>An enumeration of schedules learns of the READs, because the outcome of a check depends on the states of blocks,
 * which operations change. It learns of no change made here: whether a word is marked depends only on the order of
 * accesses to that word, which it knows.
 */
final class SimShadow implements ShadowOperations {
    private final SimNetwork network;
    private final String cluster;

    SimShadow(SimNetwork network, String cluster) {
        this.network = network;
        this.cluster = cluster;
    }

    private @Nullable SimSegment segment(long pointer) {
        SimMemory memory = network.memory(new NodeId(cluster, RdmaPtr.node(pointer)));
        return memory == null ? null : memory.segment(RdmaPtr.segment(pointer));
    }

    @Override
    public void read(long pointer, LocalBuffer to, long toOffset, int length) {
        synchronized (network.simulator()) {
            SimSegment segment = segment(pointer);
            boolean isEnumerated = network.simulator().world().isEnumerated();
            for (int i = 0; i < length; i += Long.BYTES) {
                long offset = RdmaPtr.offset(pointer) + i;
                long value = segment == null ? 0 : isEnumerated ? segment.read(offset) : segment.get(offset);
                to.putLong(toOffset + i, value);
            }
        }
    }

    @Override
    public void write(long pointer, LocalBuffer from, int length) {
        synchronized (network.simulator()) {
            SimSegment segment = segment(pointer);
            for (int i = 0; i < length && segment != null; i += Long.BYTES) {
                segment.preset(RdmaPtr.offset(pointer) + i, from.getLong(i));
            }
        }
    }

    @Override
    public long compareAndSwap(long pointer, long expected, long desired) {
        synchronized (network.simulator()) {
            SimSegment segment = segment(pointer);
            long found = segment == null ? expected : segment.get(RdmaPtr.offset(pointer));
            if (segment != null && found == expected) {
                segment.preset(RdmaPtr.offset(pointer), desired);
            }
            return found;
        }
    }
}
