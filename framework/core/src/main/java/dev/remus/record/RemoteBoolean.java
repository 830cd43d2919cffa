// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import dev.remus.node.ComputeThread;

/** A truth value in a remote record: a word that is 0 or 1. The rules of {@link RemoteLong} hold for it. */
public final class RemoteBoolean extends RemoteField {

    RemoteBoolean(RecordView record, long offset) {
        super(record, offset);
    }

    /** Loads the value. One round trip. */
    public boolean load(ComputeThread ct) {
        return ct.read(record.pointer(offset)) != 0;
    }

    /** Stores the value. It is placed when this returns. One round trip. */
    public void store(boolean value, ComputeThread ct) {
        checkStorable();
        ct.write(record.pointer(offset), word(value));
    }

    /** Stores the value some time before {@link ComputeThread#place} returns. */
    public void post(boolean value, ComputeThread ct) {
        checkStorable();
        ct.post(record.pointer(offset), word(value));
    }

    /** Sets the value if it is as expected; returns whether it was. One round trip. */
    public boolean compareAndSet(boolean expected, boolean desired, ComputeThread ct) {
        checkMutable();
        return ct.compareAndSwap(record.pointer(offset), word(expected), word(desired)) == word(expected);
    }

    /** Sets the value; returns the old value. One round trip: a COMPARE_AND_SWAP from the opposite. */
    public boolean exchange(boolean value, ComputeThread ct) {
        checkMutable();
        return ct.compareAndSwap(record.pointer(offset), word(!value), word(value)) != 0;
    }

    private static long word(boolean value) {
        return value ? 1 : 0;
    }

    /**
     * The value in the copy that {@link RecordView#fetch} read. No round trip.
     *
     * @throws IllegalStateException if this record has not been fetched, or comes from a cache and this field may have
     *     changed since ({@link #hint})
     */
    public boolean fetched() {
        return record.copied(fetchedAt()) != 0;
    }

    /**
     * The value in the copy, which may come from a cache and be stale. No round trip.
     *
     * @throws IllegalStateException if there is no copy of this record
     */
    public boolean hint() {
        return record.hinted(offset) != 0;
    }

    /** Sets the value in the copy that {@link RecordView#storeStaged} writes. No round trip. */
    public void stage(boolean value, ComputeThread ct) {
        record.stage(offset, word(value), ct);
    }
}
