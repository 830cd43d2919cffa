// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.RemoteSequence;
import dev.remus.fabric.Words;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.util.List;

/**
 * Blocking operations on mapped memory, one instruction each.
 *
 * <p>Every WRITE is placed at once, since a volatile store is visible to all processors. {@link #place} therefore needs
 * only a fence, for posted WRITEs.
 */
final class ShmMemory extends BlockingOperations {
    /** A {@link SegmentTable}. */
    private final long[] base;

    /** Keeps the segments mapped while this is reachable. */
    private final List<ShmLink> links;

    ShmMemory(List<ShmLink> links) {
        this.links = List.copyOf(links);
        base = SegmentTable.of(links);
    }

    private long address(long pointer) {
        return SegmentTable.address(base, pointer);
    }

    @Override
    public long mappedAt(long pointer) {
        return address(pointer);
    }

    @Override
    public long read(long pointer) {
        return Words.read(address(pointer));
    }

    @Override
    public void write(long pointer, long value) {
        Words.write(address(pointer), value);
    }

    @Override
    public void post(long pointer, long value) {
        Words.write(address(pointer), value);
    }

    @Override
    public long compareAndSwap(long pointer, long expected, long desired) {
        return Words.compareAndSwap(address(pointer), expected, desired);
    }

    @Override
    public long fetchAndAdd(long pointer, long delta) {
        return Words.fetchAndAdd(address(pointer), delta);
    }

    @Override
    public void read(long pointer, LocalBuffer to, long toOffset, int length) {
        Words.read(address(pointer), to.address() + toOffset, length);
        Reference.reachabilityFence(to);
    }

    @Override
    public void write(long pointer, LocalBuffer from, long fromOffset, int length) {
        Words.write(from.address() + fromOffset, address(pointer), length);
        Reference.reachabilityFence(from);
    }

    @Override
    public void postFetchAndAdd(long pointer, long delta) {
        Words.fetchAndAdd(address(pointer), delta);
    }

    @Override
    public void postRelease(long lock, long mark) {
        Words.compareAndSwap(address(lock), mark, 0);
    }

    @Override
    public void place() {
        VarHandle.fullFence();
    }

    @Override
    public int unplacedLanes() {
        return 0;
    }

    @Override
    public RemoteSequence newSequence() {
        return new ShmSequence(base, links);
    }
}
