// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import dev.remus.fabric.LocalBuffer;
import dev.remus.node.ComputeThread;
import java.nio.ByteBuffer;
import net.openhft.chronicle.bytes.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Raw bytes in a remote record: a whole number of words, which may be torn between words. They are read and written as
 * a {@link ByteBuffer} or as Chronicle {@link Bytes}. Chronicle Bytes are copied, since those that work directly on
 * memory outside the Java heap need JVM flags, or check no bounds.
 *
 * <p>There is no {@code post}, since a WRITE in flight still reads its local memory. {@link
 * dev.remus.node.AsyncOperations#write} posts one from memory of the caller, to the field's {@link #pointer}.
 */
public final class RemoteBytes extends RemoteField {
    private final long bytes;

    /** For transfers of Chronicle Bytes; allocated when first needed. */
    private @Nullable LocalBuffer transfer;

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
        check(buffer.remaining());
    }

    private void check(long length) {
        if (length > bytes || length < 0) {
            throw new IndexOutOfBoundsException(length + " bytes for a field of " + bytes);
        }
    }

    /**
     * READs {@code length} bytes from the start of the field, and appends them to Chronicle Bytes. Any length. One
     * round trip. Allocates local memory once.
     *
     * @throws IndexOutOfBoundsException if the field is shorter
     * @throws java.nio.BufferOverflowException as {@link LocalBuffer#copyTo}
     */
    public void load(Bytes<?> to, int length, ComputeThread ct) {
        check(length);
        if (length > 0) {
            LocalBuffer memory = lend(ct);
            ct.read(pointer(), memory, 0, (int) RecordView.wholeWords(length));
            transfer = memory;
            memory.copyTo(0, length, to);
        }
    }

    /**
     * WRITEs all readable bytes of Chronicle Bytes to the start of the field, with zeros up to a whole word, and moves
     * their read position. They are placed when this returns. One round trip. Allocates local memory once.
     *
     * @throws IndexOutOfBoundsException if the field is shorter
     */
    public void store(Bytes<?> from, ComputeThread ct) {
        check(from.readRemaining());
        if (from.readRemaining() > 0) {
            LocalBuffer memory = lend(ct);
            int length = copyWords(from, memory, 0);
            ct.write(pointer(), memory, 0, length);
            transfer = memory;
        }
    }

    /** Fills the last word with zeros; returns the bytes of all words. */
    private static int copyWords(Bytes<?> from, LocalBuffer to, long offset) {
        int words = (int) RecordView.wholeWords(from.readRemaining());
        to.putLong(offset + words - Long.BYTES, 0);
        to.copyFrom(from, offset);
        return words;
    }

    /** The memory for a transfer, which keeps it if the wait is given up, since the operation may still use it. */
    private LocalBuffer lend(ComputeThread ct) {
        LocalBuffer memory = transfer;
        transfer = null;
        return memory == null ? ct.allocateLocal(bytes) : memory;
    }

    /**
     * Appends the first bytes of the field, in the copy that {@link RecordView#fetch} read, to Chronicle Bytes. No
     * round trip.
     *
     * @throws IndexOutOfBoundsException if the field is shorter
     * @throws java.nio.BufferOverflowException as {@link LocalBuffer#copyTo}
     * @throws IllegalStateException as {@link #fetchedOffset}
     */
    public void fetched(Bytes<?> to, int length) {
        check(length);
        record.copy().copyTo(fetchedOffset(), length, to);
    }

    /**
     * Sets the first bytes of the field, in the copy that {@link RecordView#storeStaged} writes, to all readable bytes
     * of Chronicle Bytes, with zeros up to a whole word, and moves their read position. No round trip.
     *
     * @throws IndexOutOfBoundsException if the field is shorter
     */
    public void stage(Bytes<?> from, ComputeThread ct) {
        check(from.readRemaining());
        long at = stagedOffset(ct);
        if (from.readRemaining() > 0) {
            copyWords(from, record.copy(), at);
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
