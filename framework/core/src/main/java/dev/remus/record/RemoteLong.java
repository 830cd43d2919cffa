// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import java.util.function.LongUnaryOperator;

/**
 * A 64-bit integer in a remote record: {@link Atomic} without boxing. Either only load and store it, or, once other
 * threads can reach it, change it only with {@link #compareAndExchange}, {@link #compareAndSet}, {@link #fetchAdd},
 * {@link #exchange} and {@link #update}. These are not atomic with respect to a store; {@link RemoteRecord#atomic}
 * refuses stores.
 */
public final class RemoteLong extends RemoteField {

    RemoteLong(RecordView record, long offset) {
        super(record, offset);
    }

    /** Loads the value. One round trip. */
    public long load(ComputeThread ct) {
        return ct.read(record.pointer(offset));
    }

    /** Stores the value. It is placed when this returns. One round trip. */
    public void store(long value, ComputeThread ct) {
        checkStorable();
        ct.write(record.pointer(offset), value);
    }

    /** Stores the value some time before {@link ComputeThread#place} returns. */
    public void post(long value, ComputeThread ct) {
        checkStorable();
        ct.post(record.pointer(offset), value);
    }

    /** Sets the value if it is as expected; returns the old value. One round trip. */
    public long compareAndExchange(long expected, long desired, ComputeThread ct) {
        checkMutable();
        return ct.compareAndSwap(record.pointer(offset), expected, desired);
    }

    /** Sets the value if it is as expected; returns whether it was. One round trip. */
    public boolean compareAndSet(long expected, long desired, ComputeThread ct) {
        checkMutable();
        return ct.compareAndSwap(record.pointer(offset), expected, desired) == expected;
    }

    /** Adds to the value, with wrap-around; returns the old value. One round trip. */
    public long fetchAdd(long delta, ComputeThread ct) {
        checkMutable();
        return ct.fetchAndAdd(record.pointer(offset), delta);
    }

    /**
     * Sets the value; returns the old value. RDMA has no such atomic, so this READs and repeats COMPARE_AND_SWAP until
     * one succeeds, and backs off in between: two round trips, and one more whenever another thread changes the value
     * first. One round trip if the value is the new one already. Lock-free, not wait-free.
     */
    public long exchange(long value, ComputeThread ct) {
        checkMutable();
        return UpdateLoop.exchange(record.pointer(offset), value, ct);
    }

    /**
     * Replaces the value by a function of it; returns the old value. Costs as many round trips as {@link #exchange}.
     *
     * @param change called once for each attempt, so it must have no effects; it must not use remote memory
     */
    public long update(LongUnaryOperator change, ComputeThread ct) {
        checkMutable();
        return UpdateLoop.update(record.pointer(offset), change, ct);
    }

    /**
     * The value in the copy that {@link RecordView#fetch} read. No round trip.
     *
     * @throws IllegalStateException if this record has not been fetched, or comes from a cache and this field may have
     *     changed since ({@link #hint})
     */
    public long fetched() {
        return record.copied(fetchedAt());
    }

    /**
     * The value in the copy, which may come from a cache and be stale. No round trip.
     *
     * @throws IllegalStateException if there is no copy of this record
     */
    public long hint() {
        return record.hinted(offset);
    }

    /** Sets the value in the copy that {@link RecordView#storeStaged} writes. No round trip. */
    public void stage(long value, ComputeThread ct) {
        record.stage(offset, value, ct);
    }

    /** Adds a WRITE of this field alone, with its staged value, to a sequence. */
    public void storeStagedIn(Sequence sequence) {
        checkStorable();
        record.storeStagedIn(sequence, offset, Long.BYTES);
    }
}
