// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesStore;
import net.openhft.chronicle.bytes.VanillaBytes;

/**
 * Chronicle Bytes at a place in a little-endian buffer, on the Java heap or outside of it, of a fixed size and for one
 * thread. The place can be exchanged without allocation. Numbers are written and read directly: the buffer's own check
 * of its limit is the only one. Chronicle treats all else, and numbers that do not fit, by {@link BufferStore}.
 *
 * <pre>
 *                  base         base + position          base + capacity = the buffer's limit
 *                    |                 |                        |
 *  buffer   | ...... | written in turn | zeros, once "isZeroed" |
 * </pre>
 *
 * <p>Bytes are written in turn without a look at what was there. Before any byte is skipped, or accessed out of turn,
 * the rest is filled with zeros. The write position is kept here for that reason.
 *
 * <p>Once an object is marshalled there is no place. So an object that keeps these Bytes cannot use them later, except
 * while the same thread marshals another one.
 */
class BufferBytes extends VanillaBytes<Void> implements BufferStore.Place {
    /** The base while there is no place: the buffer then rejects every index. */
    private static final int NOWHERE = Integer.MIN_VALUE;

    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final int capacity;

    private ByteBuffer buffer = NONE;

    private int base = NOWHERE;

    /** The write position, from 0 to the capacity. */
    private int position;

    /** Whether there is nothing but zeros, and what was written out of turn, behind the write position. */
    private boolean isZeroed;

    /** @param bytes the size of a place */
    BufferBytes(int bytes) {
        this(new BufferStore(bytes), bytes);
    }

    private BufferBytes(BufferStore store, int bytes) {
        super(store);
        store.belongTo(this);
        this.capacity = bytes;
        singleThreadedCheckDisabled(true); // the codec knows its thread
    }

    /** Whether there is a place: an object is being marshalled here. */
    final boolean isInUse() {
        return base != NOWHERE;
    }

    /** Chooses a little-endian buffer. Its limit must be the end of the place. */
    final void choose(ByteBuffer in) {
        buffer = in;
    }

    @Override
    public final ByteBuffer buffer() {
        return buffer;
    }

    /** Makes the bytes from an index of the buffer to its limit those that are written. */
    final void beginWriting(int at) {
        base = at;
        position = 0;
        isZeroed = false;
        readPosition = 0;
        writeLimit = capacity;
    }

    /** Makes the bytes from an index of the buffer to its limit those that are read: nothing is left to be zeroed. */
    final void beginReading(int at) {
        base = at;
        readPosition = 0;
        if (position != capacity) { // from here on: a comparison costs less than a store
            position = capacity;
        }
        if (writeLimit != capacity) {
            writeLimit = capacity;
        }
    }

    /** Ends all access to the buffer, also by an object that has kept these Bytes. */
    final void leave() {
        base = NOWHERE;
    }

    /** Writes zeros behind the bytes that were written. */
    final void fill() {
        if (position < capacity) {
            zero(base + position, base + capacity);
        }
    }

    private void zero(int from, int to) {
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            buffer.putLong(at, 0);
        }
        for (; at < to; at++) {
            buffer.put(at, (byte) 0);
        }
    }

    /** Writes zeros behind the write position, unless they have been written. */
    private void zeroRest() {
        if (!isZeroed && isInUse()) {
            isZeroed = true;
            fill();
        }
    }

    @Override
    public final int outOfTurn(int offset) {
        if (!isInUse()) {
            throw new IllegalStateException("these Bytes are used after their object was marshalled");
        }
        zeroRest();
        return base + offset;
    }

    @Override
    public final long writePosition() {
        return position;
    }

    /** Moves the write position. Bytes that are skipped become zeros. */
    @Override
    protected final void uncheckedWritePosition(long to) {
        if (capacity == 0) {
            return; // the superclass is being constructed
        }
        if (to < 0 || to > capacity) {
            throw new BufferOverflowException();
        }
        zeroRest();
        position = (int) to;
    }

    @Override
    @SuppressWarnings("rawtypes") // as Chronicle declares it
    public final void bytesStore(BytesStore other, long offset, long length) {
        throw new UnsupportedOperationException();
    }

    /** The index in the buffer where the next number is to be put; negative if Chronicle must treat it. */
    private int end() {
        return writeLimit == capacity ? base + position : -1;
    }

    /** The index in the buffer of the next number; negative if Chronicle must treat it. */
    private int next() {
        return position == capacity && readPosition >= 0 ? base + (int) readPosition : -1;
    }

    @Override
    public final Bytes<Void> writeByte(byte value) {
        try {
            buffer.put(end(), value);
        } catch (IndexOutOfBoundsException e) {
            return super.writeByte(value);
        }
        position += Byte.BYTES;
        return this;
    }

    @Override
    public final Bytes<Void> writeShort(short value) {
        try {
            buffer.putShort(end(), value);
        } catch (IndexOutOfBoundsException e) {
            return super.writeShort(value);
        }
        position += Short.BYTES;
        return this;
    }

    @Override
    public final Bytes<Void> writeInt(int value) {
        try {
            buffer.putInt(end(), value);
        } catch (IndexOutOfBoundsException e) {
            return super.writeInt(value);
        }
        position += Integer.BYTES;
        return this;
    }

    @Override
    public final Bytes<Void> writeLong(long value) {
        try {
            buffer.putLong(end(), value);
        } catch (IndexOutOfBoundsException e) {
            return super.writeLong(value);
        }
        position += Long.BYTES;
        return this;
    }

    @Override
    public final Bytes<Void> writeFloat(float value) {
        return writeInt(Float.floatToRawIntBits(value));
    }

    @Override
    public final Bytes<Void> writeDouble(double value) {
        return writeLong(Double.doubleToRawLongBits(value));
    }

    @Override
    public final byte readByte() {
        byte value;
        try {
            value = buffer.get(next());
        } catch (IndexOutOfBoundsException e) {
            return super.readByte();
        }
        readPosition += Byte.BYTES;
        return value;
    }

    @Override
    public final short readShort() {
        short value;
        try {
            value = buffer.getShort(next());
        } catch (IndexOutOfBoundsException e) {
            return super.readShort();
        }
        readPosition += Short.BYTES;
        return value;
    }

    @Override
    public final int readInt() {
        int value;
        try {
            value = buffer.getInt(next());
        } catch (IndexOutOfBoundsException e) {
            return super.readInt();
        }
        readPosition += Integer.BYTES;
        return value;
    }

    @Override
    public final long readLong() {
        long value;
        try {
            value = buffer.getLong(next());
        } catch (IndexOutOfBoundsException e) {
            return super.readLong();
        }
        readPosition += Long.BYTES;
        return value;
    }

    @Override
    public final float readFloat() {
        float value;
        try {
            value = buffer.getFloat(next());
        } catch (IndexOutOfBoundsException e) {
            return super.readFloat();
        }
        readPosition += Float.BYTES;
        return value;
    }

    @Override
    public final double readDouble() {
        double value;
        try {
            value = buffer.getDouble(next());
        } catch (IndexOutOfBoundsException e) {
            return super.readDouble();
        }
        readPosition += Double.BYTES;
        return value;
    }
}
