package dev.remus.record;

import dev.remus.node.ComputeThread;
import java.nio.ByteBuffer;

/** Raw bytes in a remote record: a whole number of words, which may be torn between words. */
public final class RemoteBytes extends RemoteField {
    private final long bytes;

    RemoteBytes(RecordView record, long offset, long bytes) {
        super(record, offset);
        this.bytes = bytes;
    }

    /** The number of bytes, a multiple of 8. */
    public long bytes() {
        return bytes;
    }

    /** READs as many bytes as a buffer has remaining, a multiple of 8, from the start of the field. */
    public void load(ByteBuffer to, ComputeThread ct) {
        check(to);
        ct.read(pointer(), to);
    }

    /**
     * WRITEs the remaining bytes of a buffer, a multiple of 8, to the start of the field. They are placed when this
     * returns.
     */
    public void store(ByteBuffer from, ComputeThread ct) {
        check(from);
        ct.write(pointer(), from);
    }

    @Override
    void declareAtomic() {
        throw new IllegalArgumentException("raw bytes cannot be declared atomic: RDMA atomics work on a word");
    }

    private void check(ByteBuffer buffer) {
        if (buffer.remaining() > bytes) {
            throw new IndexOutOfBoundsException(buffer.remaining() + " bytes for a field of " + bytes);
        }
    }

    /**
     * The offset of the bytes in {@link RecordView#copy}, after {@link RecordView#fetch}. No round trip.
     *
     * @throws IllegalStateException if this record has not been fetched, or comes from a cache and this field may have
     *     changed since
     */
    public long fetchedOffset() {
        return record.copyOffset() + fetchedAt();
    }

    /** The offset for the bytes in {@link RecordView#copy}, for {@link RecordView#storeStaged}. No round trip. */
    public long stagedOffset(ComputeThread ct) {
        record.beginStaging(ct);
        return offset;
    }
}
