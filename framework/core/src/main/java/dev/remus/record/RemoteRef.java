// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import java.util.function.LongUnaryOperator;

/**
 * A remote pointer in a remote record, possibly marked. The rules of {@link RemoteLong} hold for it. Works on raw
 * words, so that following a link allocates nothing.
 *
 * @param <T> the type of the target; nothing checks it at run time
 */
public final class RemoteRef<T> extends RemoteField {

    RemoteRef(RecordView record, long offset) {
        super(record, offset);
    }

    /** Loads the raw pointer, marks included. One round trip. */
    public long load(ComputeThread ct) {
        return ct.read(record.pointer(offset));
    }

    /** Loads the raw pointer without marks. One round trip. */
    public long loadUnmarked(ComputeThread ct) {
        return RdmaPtr.unmarked(ct.read(record.pointer(offset)));
    }

    /** Loads the pointer as an object, marks included. One round trip. */
    public RdmaPtr<T> loadPointer(ComputeThread ct) {
        return new RdmaPtr<>(load(ct));
    }

    /** Stores the raw pointer, marks included. It is placed when this returns. One round trip. */
    public void store(long pointer, ComputeThread ct) {
        checkStorable();
        ct.write(record.pointer(offset), pointer);
    }

    /** Stores the pointer, marks included. It is placed when this returns. One round trip. */
    public void store(RdmaPtr<? extends T> pointer, ComputeThread ct) {
        store(pointer.raw(), ct);
    }

    /** Stores the pointer to a view's record. It is placed when this returns. One round trip. */
    public void store(RecordView target, ComputeThread ct) {
        store(target.pointer(), ct);
    }

    /** Stores the raw pointer, marks included, some time before {@link ComputeThread#place} returns. */
    public void post(long pointer, ComputeThread ct) {
        checkStorable();
        ct.post(record.pointer(offset), pointer);
    }

    /** Stores the pointer, marks included, some time before {@link ComputeThread#place} returns. */
    public void post(RdmaPtr<? extends T> pointer, ComputeThread ct) {
        post(pointer.raw(), ct);
    }

    /** Stores the pointer to a view's record some time before {@link ComputeThread#place} returns. */
    public void post(RecordView target, ComputeThread ct) {
        post(target.pointer(), ct);
    }

    /** Sets the pointer if it is as expected; returns the old pointer. One round trip. */
    public long compareAndExchange(long expected, long desired, ComputeThread ct) {
        checkMutable();
        return ct.compareAndSwap(record.pointer(offset), expected, desired);
    }

    /** Sets the pointer if it is as expected; returns whether it was. One round trip. */
    public boolean compareAndSet(long expected, long desired, ComputeThread ct) {
        checkMutable();
        return ct.compareAndSwap(record.pointer(offset), expected, desired) == expected;
    }

    /**
     * Sets the raw pointer; returns the old one. Costs as many round trips as {@link RemoteLong#exchange}: two or more.
     */
    public long exchange(long pointer, ComputeThread ct) {
        checkMutable();
        return UpdateLoop.exchange(record.pointer(offset), pointer, ct);
    }

    /**
     * Replaces the raw pointer by a function of it; returns the old one. Costs as many round trips as {@link
     * RemoteLong#exchange}. The function's result may depend on the pointer only, not on what it points at: that may
     * have been reclaimed and used again, and the pointer be the same (ABA). {@link TaggedRef} notices.
     *
     * @param change called once for each attempt, so it must have no effects; it must not use remote memory
     */
    public long update(LongUnaryOperator change, ComputeThread ct) {
        checkMutable();
        return UpdateLoop.update(record.pointer(offset), change, ct);
    }

    /**
     * The raw pointer, marks included, in the copy that {@link RecordView#fetch} read. No round trip.
     *
     * @throws IllegalStateException if this record has not been fetched, or comes from a cache and this field may have
     *     changed since ({@link #hint})
     */
    public long fetched() {
        return record.copied(fetchedAt());
    }

    /**
     * The raw pointer, marks included, in the copy, which may come from a cache and be stale. No round trip.
     *
     * @throws IllegalStateException if there is no copy of this record
     */
    public long hint() {
        return record.hinted(offset);
    }

    /** Sets the pointer in the copy that {@link RecordView#storeStaged} writes. No round trip. */
    public void stage(long pointer, ComputeThread ct) {
        record.stage(offset, pointer, ct);
    }

    /** Sets the pointer in the copy that {@link RecordView#storeStaged} writes, marks included. No round trip. */
    public void stage(RdmaPtr<? extends T> pointer, ComputeThread ct) {
        record.stage(offset, pointer.raw(), ct);
    }

    /** Sets the pointer in the copy to a view's record. No round trip. */
    public void stage(RecordView target, ComputeThread ct) {
        record.stage(offset, target.pointer(), ct);
    }

    /** Adds a WRITE of this field alone, with its staged value, to a sequence. */
    public void storeStagedIn(Sequence sequence) {
        checkStorable();
        record.storeStagedIn(sequence, offset, Long.BYTES);
    }

    /**
     * Adds one WRITE of this field and of the record's stamp, as staged, to a sequence. A reader may see it torn.
     *
     * @throws IllegalStateException if the stamp was not declared right behind this field
     */
    public void storeStagedWithStampIn(Sequence sequence) {
        checkStorable();
        if (record.stampOffset() != offset + Long.BYTES) {
            throw new IllegalStateException(
                    "the stamp of " + record + " is not right behind the field at offset " + offset);
        }
        record.storeStagedIn(sequence, offset, 2 * Long.BYTES);
    }
}
