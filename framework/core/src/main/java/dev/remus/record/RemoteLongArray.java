package dev.remus.record;

import dev.remus.fabric.LocalBuffer;
import dev.remus.node.ComputeThread;

/** An array of 64-bit integers in a remote record. The rules of {@link RemoteLong} hold for each element. */
public final class RemoteLongArray extends RemoteField {
    private final int length;

    RemoteLongArray(RecordView record, long offset, int length) {
        super(record, offset);
        this.length = length;
    }

    /** The number of elements. */
    public int length() {
        return length;
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
        ct.write(pointer(i), value);
    }

    /** Stores element {@code i} some time before {@link ComputeThread#place} returns. */
    public void post(int i, long value, ComputeThread ct) {
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

    /**
     * The raw pointer to element {@code i}.
     *
     * @throws IndexOutOfBoundsException if there is no such element
     */
    public long pointer(int i) {
        return record.pointer(offset) + at(i);
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

    private long at(int i) {
        if (i < 0 || i >= length) {
            throw new IndexOutOfBoundsException("element " + i + " of an array of " + length + " words");
        }
        return (long) i * Long.BYTES;
    }
}
