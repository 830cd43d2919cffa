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

    /** How many bytes there are: a multiple of 8. */
    public long bytes() {
        return bytes;
    }

    /** READs the first bytes into what a buffer has remaining, a multiple of 8. */
    public void load(ByteBuffer to, ComputeThread ct) {
        check(to);
        ct.read(pointer(), to);
    }

    /** WRITEs what a buffer has remaining, a multiple of 8, over the first bytes; placed when this returns. */
    public void store(ByteBuffer from, ComputeThread ct) {
        check(from);
        ct.write(pointer(), from);
    }

    private void check(ByteBuffer buffer) {
        if (buffer.remaining() > bytes) {
            throw new IndexOutOfBoundsException(buffer.remaining() + " bytes for a field of " + bytes);
        }
    }

    /**
     * Where its bytes are in {@link RecordView#copy}, after {@link RecordView#fetch}. No round trip.
     *
     * @throws IllegalStateException if this record has not been fetched, or comes from a cache and this field may have
     *     changed since
     */
    public long fetchedOffset() {
        return record.copyOffset() + fetchedAt();
    }

    /** Where to put its bytes in {@link RecordView#copy}, for {@link RecordView#storeStaged}. No round trip. */
    public long stagedOffset(ComputeThread ct) {
        record.beginStaging(ct);
        return offset;
    }
}
