// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import dev.remus.fabric.Environment;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.Operation;
import dev.remus.fabric.RealEnvironment;
import dev.remus.fabric.SingleOperations;
import dev.remus.fabric.Words;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Objects;

/**
 * Single operations that return no sooner than on the emulated hardware. The instruction is executed at once, and then
 * the thread waits, as others wait for completions.
 *
 * <p>They exist because a lane takes as much of the processor as a switch between two virtual threads, so that a
 * measurement would be one of lanes.
 */
final class EmulatedOperations extends SingleOperations {
    private static final int SEGMENT_BITS = 6;
    private static final int NODE_SHIFT = 48 + SEGMENT_BITS;

    /** A {@link SegmentTable}. */
    private final long[] base;

    /** By node. */
    private final EmulatedPath[] paths;

    /** Keeps the segments mapped while this is reachable. */
    @SuppressWarnings({"unused", "FieldCanBeLocal"})
    private final List<ShmLink> links;

    private final Environment.Pauses pauses = RealEnvironment.INSTANCE.newPauses();

    /** @param links links with a path */
    EmulatedOperations(List<ShmLink> links) {
        this.links = List.copyOf(links);
        this.base = SegmentTable.of(links);
        this.paths = new EmulatedPath[base.length >> SEGMENT_BITS];
        links.forEach(link -> paths[link.memoryNode()] = Objects.requireNonNull(link.path(), "emulated"));
    }

    private long address(long pointer) {
        return SegmentTable.address(base, pointer);
    }

    @Override
    public long read(long pointer) {
        long due = due(Operation.READ, pointer, Long.BYTES);
        long value = Words.read(address(pointer));
        await(due);
        return value;
    }

    @Override
    public long compareAndSwap(long pointer, long expected, long desired) {
        long due = due(Operation.COMPARE_AND_SWAP, pointer, Long.BYTES);
        long old = Words.compareAndSwap(address(pointer), expected, desired);
        await(due);
        return old;
    }

    @Override
    public long fetchAndAdd(long pointer, long delta) {
        long due = due(Operation.FETCH_AND_ADD, pointer, Long.BYTES);
        long old = Words.fetchAndAdd(address(pointer), delta);
        await(due);
        return old;
    }

    @Override
    public void read(long pointer, LocalBuffer to, long toOffset, int length) {
        long due = due(Operation.READ, pointer, length);
        Words.read(address(pointer), to.address() + toOffset, length);
        Reference.reachabilityFence(to);
        await(due);
    }

    private long due(Operation operation, long pointer, int length) {
        return paths[(int) (pointer >>> NODE_SHIFT)].completes(operation, pointer, length, System.nanoTime());
    }

    private void await(long due) {
        pauses.beforeFirstPoll();
        long left = due - System.nanoTime();
        for (int attempt = 0; left > 0; attempt++) {
            pauses.pause(attempt, left);
            left = due - System.nanoTime();
        }
    }
}
