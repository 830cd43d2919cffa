// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import dev.remus.node.ComputeThread;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A record of the owner of each block, kept on the Java heap beside a simulated run, in which one thread runs at a
 * time. A block is entered after it was handed out, and is free in the book before it is freed in memory, so no free
 * block ever has an owner in the book.
 */
final class BlockBook {
    /** A block that was handed out at least once. */
    static final class Block {
        final long pointer;
        final long bytes;

        /** The owner; if the block is free, the thread that gave it back. */
        int thread;

        boolean isFree;

        /** The number of times it was handed out. */
        int uses;

        private Block(long pointer, long bytes) {
            this.pointer = pointer;
            this.bytes = bytes;
        }

        private long end() {
            return pointer + bytes;
        }

        @Override
        public String toString() {
            return "the block of " + bytes + " bytes at (" + RdmaPtr.toString(pointer) + ")";
        }
    }

    private final ClusterConfig config;
    private final SegmentLayout layout;
    private final TreeMap<Long, Block> blocks = new TreeMap<>();

    BlockBook(ClusterConfig config) {
        this.config = config;
        this.layout = new SegmentLayout(config);
    }

    /** Enters an allocated block: it must lie in a segment, and overlap no block that has an owner. */
    Block handedOut(long pointer, long bytes, ComputeThread ct) {
        long size = SegmentLayout.blockBytes(bytes);
        long offset = RdmaPtr.offset(pointer);
        if (!config.isMemoryNode(RdmaPtr.node(pointer))
                || RdmaPtr.segment(pointer) >= config.segmentsPerNode()
                || offset % SegmentLayout.BLOCK != 0
                || offset < SegmentHeader.BYTES
                || offset + size > layout.end(RdmaPtr.segment(pointer))) {
            throw new AssertionError(ct + " was given (" + RdmaPtr.toString(pointer) + ") for " + bytes
                    + " bytes: no block can be there");
        }
        Map.Entry<Long, Block> before = blocks.lowerEntry(pointer + size);
        if (before != null && before.getValue().end() > pointer) {
            Block other = before.getValue();
            if (!other.isFree) {
                throw new AssertionError(ct + " was given (" + RdmaPtr.toString(pointer) + ") for " + bytes + " bytes: "
                        + other + " is there, which thread " + other.thread + " has");
            }
            if (other.pointer != pointer || other.bytes != size) {
                throw new AssertionError(ct + " was given (" + RdmaPtr.toString(pointer) + ") for " + bytes
                        + " bytes, but the block given back there is " + other);
            }
        }
        Block block = blocks.computeIfAbsent(pointer, p -> new Block(p, size));
        block.thread = ct.id();
        block.isFree = false;
        block.uses++;
        return block;
    }

    /** Marks a block free that a thread is about to give back. */
    void freed(Block block, ComputeThread ct) {
        block.thread = ct.id();
        block.isFree = true;
    }

    /** The block that was handed out at a pointer. */
    Block at(long pointer) {
        return Objects.requireNonNull(blocks.get(pointer), "no block was ever handed out there");
    }

    /** The end of the part of a segment that was ever handed out. */
    long used(int node, int segment) {
        long first = RdmaPtr.raw(node, segment, 0);
        Map.Entry<Long, Block> last = blocks.lowerEntry(first + config.segmentBytes());
        return last == null || last.getKey() < first
                ? SegmentHeader.BYTES
                : RdmaPtr.offset(last.getValue().end());
    }

    /** The bytes of a segment's blocks that have an owner. */
    long inUse(int node, int segment) {
        return blocks.values().stream()
                .filter(b -> !b.isFree && RdmaPtr.node(b.pointer) == node && RdmaPtr.segment(b.pointer) == segment)
                .mapToLong(b -> b.bytes)
                .sum();
    }

    /** The end of a segment's blocks. */
    long end(int segment) {
        return layout.end(segment);
    }

    /** The number of free blocks of this size that a thread gave back, on Memory Nodes on which it may allocate. */
    long givenBack(long bytes, ComputeThread ct) {
        long size = SegmentLayout.blockBytes(bytes);
        return blocks.values().stream()
                .filter(b -> b.isFree && b.thread == ct.id() && b.bytes == size && mayUse(RdmaPtr.node(b.pointer), ct))
                .count();
    }

    /** The number of free blocks on a Memory Node. */
    long free(int node) {
        return blocks.values().stream()
                .filter(b -> b.isFree && RdmaPtr.node(b.pointer) == node)
                .count();
    }

    /** A free block that another thread gave back. */
    Optional<Block> freeOfAnother(ComputeThread ct) {
        return blocks.values().stream()
                .filter(b -> b.isFree && b.thread != ct.id())
                .findFirst();
    }

    /** Whether a thread may allocate on a Memory Node. */
    boolean mayUse(int node, ComputeThread ct) {
        return !config.allocationPolicy().isLocal() || node == ct.nodeId();
    }
}
