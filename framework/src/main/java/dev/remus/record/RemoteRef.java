package dev.remus.record;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;

/**
 * A remote pointer in a remote record, possibly marked. The rules of {@link RemoteLong} hold for it. Works on raw words,
 * so that following a link allocates nothing.
 *
 * @param <T> what is pointed to; nothing checks it at run time
 */
public final class RemoteRef<T> {
    private final RemoteRecord record;
    private final int offset;

    RemoteRef(RemoteRecord record, int offset) {
        this.record = record;
        this.offset = offset;
    }

    /** The raw pointer, marks included. One round trip. */
    public long load(ComputeThread ct) {
        return ct.read(record.pointer(offset));
    }

    /** The raw pointer without marks. One round trip. */
    public long loadUnmarked(ComputeThread ct) {
        return RdmaPtr.unmarked(ct.read(record.pointer(offset)));
    }

    /** The pointer as an object. One round trip. */
    public RdmaPtr<T> loadPointer(ComputeThread ct) {
        return new RdmaPtr<>(load(ct));
    }

    /** Sets the raw pointer, marks included; placed when this returns. One round trip. */
    public void store(long pointer, ComputeThread ct) {
        ct.write(record.pointer(offset), pointer);
    }

    /** Points it at what a view looks at; placed when this returns. One round trip. */
    public void store(RemoteRecord target, ComputeThread ct) {
        ct.write(record.pointer(offset), target.pointer());
    }

    /** Sets it if it is as expected; returns what it was. One round trip. */
    public long compareAndExchange(long expected, long desired, ComputeThread ct) {
        return ct.compareAndSwap(record.pointer(offset), expected, desired);
    }

    /** Sets it if it is as expected; says whether it was. One round trip. */
    public boolean compareAndSet(long expected, long desired, ComputeThread ct) {
        return ct.compareAndSwap(record.pointer(offset), expected, desired) == expected;
    }

    /** The raw pointer to this field itself. */
    public long pointer() {
        return record.pointer(offset);
    }
}
