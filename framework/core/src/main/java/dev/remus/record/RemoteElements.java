// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentLayout;
import dev.remus.node.ComputeThread;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * An array in remote memory: a field of a record, or alone in a block that stores its length ({@link
 * RemoteLongArray#allocate}, {@link RemoteArray#allocate}).
 *
 * <pre>
 *   0        8        16                    an array that stores its length
 *  +--------+--------+-----------+-----------+-----
 *  | length | stride | element 0 | element 1 | ...     elements that are whole cache lines start at 64
 *  +--------+--------+-----------+-----------+-----
 * </pre>
 *
 * <p>A thread's view knows the length: it was declared, or read once when the array was opened, and never changes. So
 * every access is checked against it without a round trip. A range of elements is one READ or WRITE, and may be torn
 * between words.
 */
public abstract class RemoteElements extends RemoteField {
    private static final int LENGTH = 0;
    private static final int STRIDE = Long.BYTES;
    private static final int HEADER = 2 * Long.BYTES;
    private static final int LINE = 64;

    final int length;
    final long stride;

    RemoteElements(RecordView record, long offset, int length, long stride) {
        super(record, offset);
        this.length = length;
        this.stride = stride;
    }

    /** A view of an array that is alone in its block. */
    static final class Alone extends RecordView {
        final int length;
        final long stride;
        final long elements;

        private Alone(int length, long stride) {
            this.length = length;
            this.stride = stride;
            next(start(stride));
            elements = next(arrayBytes(length, stride));
        }

        /** Allocates a block and stores what {@link #open} reads. */
        static Alone allocate(int length, long stride, ComputeThread ct) {
            Alone array = new Alone(length, stride);
            array.allocate(ct);
            ct.write(array.pointer(), newHeader().putLong(LENGTH, length).putLong(STRIDE, stride));
            return array;
        }

        /** Moves to an array whose length was stored. */
        static Alone open(long pointer, long stride, ComputeThread ct) {
            ByteBuffer header = newHeader();
            ct.read(pointer, header);
            long length = header.getLong(LENGTH);
            long end = new SegmentLayout(ct.config()).end(RdmaPtr.segment(pointer));
            long room = (end - RdmaPtr.offset(pointer) - start(stride)) / stride;
            if (length < 1 || length > Math.min(room, Integer.MAX_VALUE) || header.getLong(STRIDE) != stride) {
                throw new IllegalArgumentException("no array of elements of " + stride + " bytes was allocated at ("
                        + RdmaPtr.toString(pointer) + "): its header has the length " + length
                        + " and elements of " + header.getLong(STRIDE) + " bytes, and its segment has room for "
                        + Math.max(room, 0));
            }
            Alone array = new Alone((int) length, stride);
            array.at(pointer);
            return array;
        }

        private static long start(long stride) {
            return stride % LINE == 0 ? LINE : HEADER;
        }

        private static ByteBuffer newHeader() {
            return ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    /** The number of elements. */
    public final int length() {
        return length;
    }

    /**
     * The raw pointer to element {@code i}.
     *
     * @throws IndexOutOfBoundsException if there is no such element
     */
    public final long pointer(int i) {
        return record.pointer(offset) + at(i);
    }

    /**
     * The raw pointer to the first element of a range, for a {@link dev.remus.node.Sequence} or an asynchronous
     * operation on all of it.
     *
     * @throws IndexOutOfBoundsException if the array does not have these elements
     */
    public final long pointer(int from, int count) {
        checkRange(from, count);
        return record.pointer(offset) + from * stride;
    }

    /**
     * The size in bytes of a range, and of its place in local memory.
     *
     * @throws IllegalArgumentException if the range is negative, or larger than one transfer can be
     */
    public final int rangeBytes(int count) {
        if (count < 0 || count > Integer.MAX_VALUE / stride) {
            throw new IllegalArgumentException(
                    count + " elements of " + stride + " bytes: needs at least 0, and less than 2^31 bytes in all");
        }
        return (int) (count * stride);
    }

    /**
     * READs {@code count} elements, at least 1, into local memory ({@link ComputeThread#allocateLocal}). One round
     * trip. Different words may be of different moments.
     *
     * @throws IndexOutOfBoundsException if the array does not have these elements, or local memory no room for them
     */
    public final void load(int from, int count, LocalBuffer to, long toOffset, ComputeThread ct) {
        ct.read(pointer(from, count), to, toOffset, rangeBytes(count));
    }

    /**
     * WRITEs {@code count} elements, at least 1, from local memory ({@link ComputeThread#allocateLocal}). They are
     * placed when this returns. One round trip. A reader may see the WRITE torn between words.
     *
     * @throws IndexOutOfBoundsException if the array does not have these elements, or local memory fewer
     */
    public final void store(int from, int count, LocalBuffer source, long sourceOffset, ComputeThread ct) {
        checkStorable();
        ct.write(pointer(from, count), source, sourceOffset, rangeBytes(count));
    }

    /**
     * Frees the block of an array that is alone in it ({@link ComputeThread#free}).
     *
     * @throws IllegalStateException if it is a field of a record
     */
    public final void free(ComputeThread ct) {
        alone().free(ct);
    }

    /**
     * Retires the block of an array that is alone in it ({@link ComputeThread#schedReclaim}).
     *
     * @throws IllegalStateException if it is a field of a record
     */
    public final void schedReclaim(ComputeThread ct) {
        alone().schedReclaim(ct);
    }

    final Alone alone() {
        if (record instanceof Alone array) {
            return array;
        }
        throw new IllegalStateException("an array that is a field of " + record + " has no block of its own");
    }

    final long at(int i) {
        if (i < 0 || i >= length) {
            throw new IndexOutOfBoundsException("element " + i + " of an array of " + length + " elements");
        }
        return i * stride;
    }

    private void checkRange(int from, int count) {
        if (from < 0 || count < 1 || from > length - count) {
            throw new IndexOutOfBoundsException(
                    count + " elements from " + from + " of an array of " + length + ": needs 1 or more, inside it");
        }
    }
}
