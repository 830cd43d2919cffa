// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import dev.remus.fabric.Environment;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.RemoteSequence;
import dev.remus.fabric.Words;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.util.List;

/**
 * Executes each operation when it is added. Consecutive WRITEs need no fence between them, since other threads see the
 * stores of one thread in the order in which they were released. A READ or atomic after a WRITE needs one, and so does
 * the end.
 */
final class ShmSequence extends RemoteSequence {
    /** A {@link SegmentTable}. */
    private final long[] base;

    /** Keeps the segments mapped while this is reachable. */
    @SuppressWarnings({"unused", "FieldCanBeLocal"})
    private final List<ShmLink> links;

    private final Environment.Pauses pauses;

    /** Whether stores may still be in the processor's store buffer. */
    private boolean written;

    ShmSequence(long[] base, List<ShmLink> links, Environment.Pauses pauses) {
        this.base = base;
        this.links = links;
        this.pauses = pauses;
    }

    @Override
    public void clear() {
        drain();
    }

    @Override
    public void read(long pointer, LocalBuffer to, long toOffset, int length) {
        drain();
        Words.read(SegmentTable.address(base, pointer), to.address() + toOffset, length);
        Reference.reachabilityFence(to);
    }

    @Override
    public void write(long pointer, LocalBuffer from, long fromOffset, int length) {
        Words.writeReleased(from.address() + fromOffset, SegmentTable.address(base, pointer), length);
        Reference.reachabilityFence(from);
        written = true;
    }

    @Override
    public void compareAndSwap(long pointer, long expected, long desired, LocalBuffer result, long resultOffset) {
        drain();
        result.putLong(resultOffset, Words.compareAndSwap(SegmentTable.address(base, pointer), expected, desired));
    }

    @Override
    public void fetchAndAdd(long pointer, long delta, LocalBuffer result, long resultOffset) {
        drain();
        result.putLong(resultOffset, Words.fetchAndAdd(SegmentTable.address(base, pointer), delta));
    }

    @Override
    public void execute() {
        drain();
        pauses.yieldIfDue();
    }

    @Override
    public void post() {
        written = false; // stores drain by themselves, and place() has a fence
    }

    private void drain() {
        if (written) {
            written = false;
            VarHandle.fullFence();
        }
    }
}
