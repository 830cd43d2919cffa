package dev.remus.record;

import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;

/**
 * A 64-bit integer in a remote record: {@link Atomic} without boxes. Either only load and store it, or, once others can
 * see it, change it only with {@link #compareAndExchange}, {@link #compareAndSet} and {@link #fetchAdd}: these are not
 * atomic towards a store.
 */
public final class RemoteLong extends RemoteField {

    RemoteLong(RecordView record, long offset) {
        super(record, offset);
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
        checkMutable();
        return ct.compareAndSwap(record.pointer(offset), expected, desired);
    }

    /** Sets it if it is as expected; says whether it was. One round trip. */
    public boolean compareAndSet(long expected, long desired, ComputeThread ct) {
        checkMutable();
        return ct.compareAndSwap(record.pointer(offset), expected, desired) == expected;
    }

    /** Adds to it, with wrap-around; returns what it was. One round trip. */
    public long fetchAdd(long delta, ComputeThread ct) {
        checkMutable();
        return ct.fetchAndAdd(record.pointer(offset), delta);
    }

    /**
     * Its value in the copy that {@link RecordView#fetch} read. No round trip.
     *
     * @throws IllegalStateException if this record has not been fetched, or comes from a cache and this field may have
     *     changed since ({@link #hint})
     */
    public long fetched() {
        return record.copied(fetchedAt());
    }

    /**
     * Its value in the copy, which may come from a cache: what it was once. No round trip.
     *
     * @throws IllegalStateException if there is no copy of this record
     */
    public long hint() {
        return record.hinted(offset);
    }

    /** Sets it in the copy that {@link RecordView#storeStaged} writes. No round trip. */
    public void stage(long value, ComputeThread ct) {
        record.stage(offset, value, ct);
    }

    /** Adds a WRITE of what was staged here, and of this field only, to a sequence. */
    public void storeStagedIn(Sequence sequence) {
        record.storeStagedIn(sequence, offset, Long.BYTES);
    }
}
