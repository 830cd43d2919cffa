package dev.remus.record;

import dev.remus.node.ComputeThread;

/** A truth value in a remote record: a word that is 0 or 1. The rules of {@link RemoteLong} hold for it. */
public final class RemoteBoolean {
    private final RemoteRecord record;
    private final int offset;

    RemoteBoolean(RemoteRecord record, int offset) {
        this.record = record;
        this.offset = offset;
    }

    /** Its value. One round trip. */
    public boolean load(ComputeThread ct) {
        return ct.read(record.pointer(offset)) != 0;
    }

    /** Sets it; placed when this returns. One round trip. */
    public void store(boolean value, ComputeThread ct) {
        ct.write(record.pointer(offset), word(value));
    }

    /** Sets it if it is as expected; says whether it was. One round trip. */
    public boolean compareAndSet(boolean expected, boolean desired, ComputeThread ct) {
        return ct.compareAndSwap(record.pointer(offset), word(expected), word(desired)) == word(expected);
    }

    private static long word(boolean value) {
        return value ? 1 : 0;
    }

    /** The raw pointer to it. */
    public long pointer() {
        return record.pointer(offset);
    }
}
