// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page10;

import dev.remus.lock.RemoteLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteBytes;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;

/**
 * A deque with one lock: items lie in a ring, and two counters name its ends.
 *
 * <p><b>Promises.</b> Linearizable; operations take effect while they hold the lock. Blocking. If a thread is lost with
 * the lock, the next one in line gets it. An operation changes the deque by one store, of a counter, so a lost thread
 * leaves nothing half done, and the result of {@link RemoteLock#acquire} does not matter.
 *
 * <p><b>Round trips.</b> Without contention 8 of a push and of a pop: 2 to acquire, 2 for the ends, 1 for the item, 1
 * for the end that moves, 2 to release.
 */
public final class LockedDeque implements RemoteDeque {
    // #region shared
    /** The data that all handles share. */
    public static final class Shared extends RemoteRecord {
        private final RemoteBytes lock;
        private final RemoteLong left = longField(); // the index of the leftmost item
        private final RemoteLong right = longField(); // the index behind the rightmost item
        private final RemoteLongArray items;

        Shared(int capacity, int threads) {
            lock = bytesField(RemoteLock.bytes(threads));
            items = longArrayField(capacity);
        }
    }

    private final Shared This;
    private final RemoteLock lock;
    // #endregion shared

    /** Makes an empty deque in remote memory. */
    public static RdmaPtr<Shared> create(int capacity, ComputeThread ct) {
        Shared shared = new Shared(capacity, ct.threads());
        shared.allocate(ct);
        RemoteLock lock = new RemoteLock(ct.threads());
        lock.at(shared.lock.pointer());
        lock.init(ct);
        shared.left.store(0, ct);
        shared.right.store(0, ct);
        return new RdmaPtr<>(shared.pointer());
    }

    /** Makes a thread's own handle to a deque of that capacity. */
    public LockedDeque(RdmaPtr<Shared> This, int capacity, ComputeThread ct) {
        this.This = new Shared(capacity, ct.threads());
        this.This.at(This);
        lock = new RemoteLock(ct.threads());
        lock.at(this.This.lock.pointer());
    }

    // #region operations
    @Override
    public boolean push(Side side, int item, ComputeThread ct) {
        lock.acquire(ct);
        try {
            long left = This.left.load(ct);
            long right = This.right.load(ct);
            if (right - left == This.items.length()) {
                return false;
            }
            if (side == Side.LEFT) {
                This.items.store(slot(left - 1), item, ct);
                This.left.store(left - 1, ct);
            } else {
                This.items.store(slot(right), item, ct);
                This.right.store(right + 1, ct);
            }
            return true;
        } finally {
            lock.release(ct);
        }
    }

    @Override
    public long pop(Side side, ComputeThread ct) {
        lock.acquire(ct);
        try {
            long left = This.left.load(ct);
            long right = This.right.load(ct);
            if (right == left) {
                return EMPTY;
            }
            if (side == Side.LEFT) {
                This.left.store(left + 1, ct);
                return This.items.load(slot(left), ct);
            }
            This.right.store(right - 1, ct);
            return This.items.load(slot(right - 1), ct);
        } finally {
            lock.release(ct);
        }
    }

    private int slot(long index) {
        return (int) Math.floorMod(index, (long) This.items.length());
    }
    // #endregion operations

    @Override
    public void destroy(ComputeThread ct) {
        This.free(ct);
    }
}
