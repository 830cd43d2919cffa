package dev.remus.record;

import dev.remus.node.ComputeThread;

/**
 * A 64-bit integer in a remote record: {@link Atomic} without boxes. Either only load and store it, or, once others can
 * see it, change it only with {@link #compareAndExchange}, {@link #compareAndSet} and {@link #fetchAdd}: these are not
 * atomic towards a store.
 */
public final class RemoteLong {
    private final RemoteRecord record;
    private final int offset;

    RemoteLong(RemoteRecord record, int offset) {
        this.record = record;
        this.offset = offset;
    }

    /** Its value. One round trip. */
    public long load(ComputeThread ct) {
        return ct.read(record.pointer(offset));
    }

    /** Sets it; placed when this returns. One round trip. */
    public void store(long value, ComputeThread ct) {
        ct.write(record.pointer(offset), value);
    }

    /** Sets it some time before {@link ComputeThread#place} returns. */
    public void post(long value, ComputeThread ct) {
        ct.post(record.pointer(offset), value);
    }

    /** Sets it if it is as expected; returns what it was. One round trip. */
    public long compareAndExchange(long expected, long desired, ComputeThread ct) {
        return ct.compareAndSwap(record.pointer(offset), expected, desired);
    }

    /** Sets it if it is as expected; says whether it was. One round trip. */
    public boolean compareAndSet(long expected, long desired, ComputeThread ct) {
        return ct.compareAndSwap(record.pointer(offset), expected, desired) == expected;
    }

    /** Adds to it, with wrap-around; returns what it was. One round trip. */
    public long fetchAdd(long delta, ComputeThread ct) {
        return ct.fetchAndAdd(record.pointer(offset), delta);
    }

    /** The raw pointer to it. */
    public long pointer() {
        return record.pointer(offset);
    }
}
