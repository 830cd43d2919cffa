package dev.remus.record;

import dev.remus.node.ComputeThread;

/** An array of 64-bit integers in a remote record. The rules of {@link RemoteLong} hold for each element. */
public final class RemoteLongArray {
    private final RemoteRecord record;
    private final int offset;
    private final int length;

    RemoteLongArray(RemoteRecord record, int offset, int length) {
        this.record = record;
        this.offset = offset;
        this.length = length;
    }

    /** How many elements there are. */
    public int length() {
        return length;
    }

    /** The value of element {@code i}. One round trip. */
    public long load(int i, ComputeThread ct) {
        return ct.read(pointer(i));
    }

    /** Sets element {@code i}; placed when this returns. One round trip. */
    public void store(int i, long value, ComputeThread ct) {
        ct.write(pointer(i), value);
    }

    /** Sets element {@code i} some time before {@link ComputeThread#place} returns. */
    public void post(int i, long value, ComputeThread ct) {
        ct.post(pointer(i), value);
    }

    /** Sets element {@code i} if it is as expected; returns what it was. One round trip. */
    public long compareAndExchange(int i, long expected, long desired, ComputeThread ct) {
        return ct.compareAndSwap(pointer(i), expected, desired);
    }

    /** Sets element {@code i} if it is as expected; says whether it was. One round trip. */
    public boolean compareAndSet(int i, long expected, long desired, ComputeThread ct) {
        return ct.compareAndSwap(pointer(i), expected, desired) == expected;
    }

    /** Adds to element {@code i}, with wrap-around; returns what it was. One round trip. */
    public long fetchAdd(int i, long delta, ComputeThread ct) {
        return ct.fetchAndAdd(pointer(i), delta);
    }

    /**
     * The raw pointer to element {@code i}.
     *
     * @throws IndexOutOfBoundsException if there is no such element
     */
    public long pointer(int i) {
        if (i < 0 || i >= length) {
            throw new IndexOutOfBoundsException("element " + i + " of an array of " + length + " words");
        }
        return record.pointer(offset) + (long) i * Long.BYTES;
    }
}
