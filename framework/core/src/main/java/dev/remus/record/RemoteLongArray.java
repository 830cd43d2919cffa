// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import java.util.function.LongUnaryOperator;

/** An array of 64-bit integers in a remote record. The rules of {@link RemoteLong} hold for each element. */
public final class RemoteLongArray extends RemoteElements {

    RemoteLongArray(RecordView record, long offset, int length) {
        super(record, offset, length, Long.BYTES);
    }

    /**
     * Allocates a block for an array alone, and stores its length. The elements are undefined; until they are stored,
     * do not publish it. One round trip besides that of the allocation.
     *
     * @throws dev.remus.memory.OutOfRemoteMemoryException as {@link ComputeThread#allocate}
     */
    public static RemoteLongArray allocate(int length, ComputeThread ct) {
        if (length < 1) {
            throw new IllegalArgumentException("an array of " + length + " words: needs at least 1");
        }
        return new RemoteLongArray(Alone.allocate(length, Long.BYTES, ct));
    }

    /**
     * Opens an array that a thread has allocated. One round trip, which reads the length.
     *
     * @param pointer its {@link #block}
     * @throws IllegalArgumentException if no such array was allocated there
     */
    public static RemoteLongArray open(RdmaPtr<RemoteLongArray> pointer, ComputeThread ct) {
        return new RemoteLongArray(Alone.open(pointer.raw(), Long.BYTES, ct));
    }

    private RemoteLongArray(Alone array) {
        this(array, array.elements, array.length);
    }

    /**
     * The pointer by which other threads open an array that is alone in its block.
     *
     * @throws IllegalStateException if it is a field of a record
     */
    public RdmaPtr<RemoteLongArray> block() {
        return new RdmaPtr<>(alone().pointer());
    }

    /**
     * READs all elements into the start of local memory. One round trip. Different elements may be of different
     * moments.
     */
    public void load(LocalBuffer to, ComputeThread ct) {
        ct.read(record.pointer(offset), to, 0, length * Long.BYTES);
    }

    /** Loads element {@code i}. One round trip. */
    public long load(int i, ComputeThread ct) {
        return ct.read(pointer(i));
    }

    /** Stores element {@code i}. It is placed when this returns. One round trip. */
    public void store(int i, long value, ComputeThread ct) {
        checkStorable();
        ct.write(pointer(i), value);
    }

    /** Stores element {@code i} some time before {@link ComputeThread#place} returns. */
    public void post(int i, long value, ComputeThread ct) {
        checkStorable();
        ct.post(pointer(i), value);
    }

    /** Sets element {@code i} if it is as expected; returns the old value. One round trip. */
    public long compareAndExchange(int i, long expected, long desired, ComputeThread ct) {
        checkMutable();
        return ct.compareAndSwap(pointer(i), expected, desired);
    }

    /** Sets element {@code i} if it is as expected; returns whether it was. One round trip. */
    public boolean compareAndSet(int i, long expected, long desired, ComputeThread ct) {
        checkMutable();
        return ct.compareAndSwap(pointer(i), expected, desired) == expected;
    }

    /** Adds to element {@code i}, with wrap-around; returns the old value. One round trip. */
    public long fetchAdd(int i, long delta, ComputeThread ct) {
        checkMutable();
        return ct.fetchAndAdd(pointer(i), delta);
    }

    /** Sets element {@code i}; returns the old value. Round trips as {@link RemoteLong#exchange}: two or more. */
    public long exchange(int i, long value, ComputeThread ct) {
        checkMutable();
        return UpdateLoop.exchange(pointer(i), value, ct);
    }

    /**
     * Replaces element {@code i} by a function of it; returns the old value. Round trips as {@link
     * RemoteLong#exchange}.
     *
     * @param change called once for each attempt, so it must have no effects; it must not use remote memory
     */
    public long update(int i, LongUnaryOperator change, ComputeThread ct) {
        checkMutable();
        return UpdateLoop.update(pointer(i), change, ct);
    }

    /**
     * The value of element {@code i} in the copy that {@link RecordView#fetch} read. No round trip.
     *
     * @throws IllegalStateException if this record has not been fetched, or comes from a cache and this field may have
     *     changed since ({@link #hint})
     */
    public long fetched(int i) {
        return record.copied(fetchedAt() + at(i));
    }

    /**
     * The value of element {@code i} in the copy, which may come from a cache and be stale. No round trip.
     *
     * @throws IllegalStateException if there is no copy of this record
     */
    public long hint(int i) {
        return record.hinted(offset + at(i));
    }

    /** Sets element {@code i} in the copy that {@link RecordView#storeStaged} writes. No round trip. */
    public void stage(int i, long value, ComputeThread ct) {
        record.stage(offset + at(i), value, ct);
    }
}
