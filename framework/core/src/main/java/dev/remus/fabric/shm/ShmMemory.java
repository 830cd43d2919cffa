// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.Environment;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.RealEnvironment;
import dev.remus.fabric.RemoteSequence;
import dev.remus.fabric.Words;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.util.List;

/**
 * Blocking operations on mapped memory, one instruction each. None of them waits, so a virtual thread that polls would
 * keep its processor for ever: now and then it lets others use it.
 *
 * <p>Every WRITE is placed at once, since a volatile store is visible to all processors. {@link #place} therefore needs
 * only a fence, for posted WRITEs.
 */
final class ShmMemory extends BlockingOperations {
    /** A {@link SegmentTable}. */
    private final long[] base;

    /** Keeps the segments mapped while this is reachable. */
    private final List<ShmLink> links;

    private final Environment.Pauses pauses = RealEnvironment.INSTANCE.newPauses();

    ShmMemory(List<ShmLink> links) {
        this.links = List.copyOf(links);
        base = SegmentTable.of(links);
    }

    private long address(long pointer) {
        return SegmentTable.address(base, pointer);
    }

    /** The address for an operation that a loop may repeat until another thread has changed something. */
    private long addressInTurn(long pointer) {
        pauses.yieldIfDue();
        return address(pointer);
    }

    @Override
    public long mappedAt(long pointer) {
        return address(pointer);
    }

    @Override
    public long read(long pointer) {
        return Words.read(addressInTurn(pointer));
    }

    @Override
    public void write(long pointer, long value) {
        Words.write(addressInTurn(pointer), value);
    }

    @Override
    public void post(long pointer, long value) {
        Words.write(address(pointer), value);
    }

    @Override
    public long compareAndSwap(long pointer, long expected, long desired) {
        return Words.compareAndSwap(addressInTurn(pointer), expected, desired);
    }

    @Override
    public long fetchAndAdd(long pointer, long delta) {
        return Words.fetchAndAdd(addressInTurn(pointer), delta);
    }

    @Override
    public void read(long pointer, LocalBuffer to, long toOffset, int length) {
        Words.read(addressInTurn(pointer), to.address() + toOffset, length);
        Reference.reachabilityFence(to);
    }

    @Override
    public void write(long pointer, LocalBuffer from, long fromOffset, int length) {
        Words.write(from.address() + fromOffset, addressInTurn(pointer), length);
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
        return new ShmSequence(base, links, pauses);
    }
}
