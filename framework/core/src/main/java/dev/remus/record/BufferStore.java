// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Objects;
import net.openhft.chronicle.bytes.BytesStore;
import net.openhft.chronicle.bytes.BytesUtil;
import net.openhft.chronicle.bytes.RandomDataInput;
import net.openhft.chronicle.bytes.internal.AbstractBytesStore;
import org.jspecify.annotations.Nullable;

/**
 * The memory of {@code BufferBytes} as Chronicle accesses it: by an offset in the place. Nothing outside of the place
 * is accessed. Before the first access, {@link Place#outOfTurn} fills the bytes not yet written with zeros.
 *
 * <p>The thread that marshals an object owns the place. So volatile, ordered and atomic accesses are plain ones.
 */
final class BufferStore extends AbstractBytesStore<BufferStore, Void> {
    /** Where the memory is at present. */
    interface Place {
        /** The buffer in which the place is. */
        ByteBuffer buffer();

        /** The index in the buffer of an offset in the place, for an access that need not be at the write position. */
        int outOfTurn(int offset);
    }

    private final int capacity;

    private @Nullable Place place;

    BufferStore(int capacity) {
        super(false);
        this.capacity = capacity;
    }

    /** Sets the place, which Bytes know. Chronicle requires a store before there are Bytes. */
    void belongTo(Place owner) {
        place = owner;
    }

    private Place place() {
        return Objects.requireNonNull(place);
    }

    private ByteBuffer buffer() {
        return place().buffer();
    }

    private boolean isInside(long offset, long bytes) {
        return offset >= 0 && bytes >= 0 && bytes <= capacity - offset;
    }

    private int readable(long offset, long bytes) {
        if (!isInside(offset, bytes)) {
            throw new BufferUnderflowException();
        }
        return place().outOfTurn((int) offset);
    }

    private int writable(long offset, long bytes) {
        if (!isInside(offset, bytes)) {
            throw new BufferOverflowException();
        }
        return place().outOfTurn((int) offset);
    }

    // ------------------------------------------------------------------------------------------- properties

    @Override
    public long capacity() {
        return capacity;
    }

    @Override
    public boolean isDirectMemory() {
        return false; // so that Chronicle asks for no address
    }

    @Override
    public boolean sharedMemory() {
        return false;
    }

    @Override
    public @Nullable Void underlyingObject() {
        return null;
    }

    @Override
    public BytesStore<BufferStore, Void> copy() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long addressForRead(long offset) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long addressForWrite(long offset) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long addressForWritePosition() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void nativeRead(long offset, long address, long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void nativeWrite(long address, long offset, long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected void performRelease() {} // the buffer belongs to others

    // ---------------------------------------------------------------------------------------------- reading

    @Override
    public byte readByte(long offset) {
        return buffer().get(readable(offset, Byte.BYTES));
    }

    @Override
    public short readShort(long offset) {
        return buffer().getShort(readable(offset, Short.BYTES));
    }

    @Override
    public int readInt(long offset) {
        return buffer().getInt(readable(offset, Integer.BYTES));
    }

    @Override
    public long readLong(long offset) {
        return buffer().getLong(readable(offset, Long.BYTES));
    }

    @Override
    public float readFloat(long offset) {
        return Float.intBitsToFloat(readInt(offset));
    }

    @Override
    public double readDouble(long offset) {
        return Double.longBitsToDouble(readLong(offset));
    }

    @Override
    public byte readVolatileByte(long offset) {
        return readByte(offset);
    }

    @Override
    public short readVolatileShort(long offset) {
        return readShort(offset);
    }

    @Override
    public int readVolatileInt(long offset) {
        return readInt(offset);
    }

    @Override
    public long readVolatileLong(long offset) {
        return readLong(offset);
    }

    @Override
    public long read(long offset, byte[] to, int at, int length) {
        int count = (int) Math.min(length, capacity - offset);
        buffer().get(readable(offset, count), to, at, count);
        return count;
    }

    // ---------------------------------------------------------------------------------------------- writing

    @Override
    public BufferStore writeByte(long offset, byte value) {
        buffer().put(writable(offset, Byte.BYTES), value);
        return this;
    }

    @Override
    public BufferStore writeShort(long offset, short value) {
        buffer().putShort(writable(offset, Short.BYTES), value);
        return this;
    }

    @Override
    public BufferStore writeInt(long offset, int value) {
        buffer().putInt(writable(offset, Integer.BYTES), value);
        return this;
    }

    @Override
    public BufferStore writeLong(long offset, long value) {
        buffer().putLong(writable(offset, Long.BYTES), value);
        return this;
    }

    @Override
    public BufferStore writeFloat(long offset, float value) {
        return writeInt(offset, Float.floatToRawIntBits(value));
    }

    @Override
    public BufferStore writeDouble(long offset, double value) {
        return writeLong(offset, Double.doubleToRawLongBits(value));
    }

    @Override
    public BufferStore writeOrderedInt(long offset, int value) {
        return writeInt(offset, value);
    }

    @Override
    public BufferStore writeOrderedLong(long offset, long value) {
        return writeLong(offset, value);
    }

    @Override
    public BufferStore writeVolatileByte(long offset, byte value) {
        return writeByte(offset, value);
    }

    @Override
    public BufferStore writeVolatileShort(long offset, short value) {
        return writeShort(offset, value);
    }

    @Override
    public BufferStore writeVolatileInt(long offset, int value) {
        return writeInt(offset, value);
    }

    @Override
    public BufferStore writeVolatileLong(long offset, long value) {
        return writeLong(offset, value);
    }

    @Override
    public boolean compareAndSwapInt(long offset, int expected, int value) {
        boolean isExpected = readInt(offset) == expected;
        if (isExpected) {
            writeInt(offset, value);
        }
        return isExpected;
    }

    @Override
    public void testAndSetInt(long offset, int expected, int value) {
        if (!compareAndSwapInt(offset, expected, value)) {
            throw new IllegalStateException(readInt(offset) + " instead of " + expected + " at offset " + offset);
        }
    }

    @Override
    public boolean compareAndSwapLong(long offset, long expected, long value) {
        boolean isExpected = readLong(offset) == expected;
        if (isExpected) {
            writeLong(offset, value);
        }
        return isExpected;
    }

    @Override
    public BufferStore write(long offset, byte[] from, int at, int length) {
        buffer().put(writable(offset, length), from, at, length);
        return this;
    }

    @Override
    public void write(long offset, ByteBuffer from, int at, int length) {
        buffer().put(writable(offset, length), from, at, length);
    }

    @Override
    public BufferStore write(long offset, RandomDataInput from, long at, long length) {
        int to = writable(offset, length);
        for (int i = 0; i < length; i++) {
            buffer().put(to + i, from.readByte(at + i));
        }
        return this;
    }

    @Override
    public void move(long from, long to, long length) {
        int source = readable(from, length);
        byte[] bytes = new byte[(int) length];
        buffer().get(source, bytes);
        buffer().put(writable(to, length), bytes);
    }

    @Override
    public long write8bit(long offset, BytesStore<?, ?> text) {
        long length = text.readRemaining();
        long at = BytesUtil.writeStopBit(this, offset, length);
        write(at, text, text.readPosition(), length);
        return at + length;
    }

    @Override
    public long write8bit(long offset, String text, int start, int length) {
        long at = BytesUtil.writeStopBit(this, offset, length);
        int to = writable(at, length);
        for (int i = 0; i < length; i++) {
            buffer().put(to + i, (byte) text.charAt(start + i));
        }
        return at + length;
    }

    /** Writes a decimal number as text, from its end: {@code 5} with the exponent 2 is {@code 0.05}. */
    @Override
    public long appendAndReturnLength(long offset, boolean negative, long mantissa, int exponent, boolean append0) {
        int digits = Math.max(digits(mantissa), exponent + 1);
        int zeros = Math.max(-exponent, 0);
        String tail = exponent <= 0 && append0 ? ".0" : "";
        int length = (negative ? 1 : 0) + digits + (exponent > 0 ? 1 : 0) + zeros + tail.length();
        int start = writable(offset, length);
        int at = start + length;
        for (int i = tail.length(); i > 0; i--) {
            buffer().put(--at, (byte) tail.charAt(i - 1));
        }
        for (int i = 0; i < zeros; i++) {
            buffer().put(--at, (byte) '0');
        }
        long rest = mantissa;
        for (int i = 0; i < digits; i++, rest /= 10) {
            if (i == exponent && i > 0) {
                buffer().put(--at, (byte) '.');
            }
            buffer().put(--at, (byte) ('0' + rest % 10));
        }
        if (negative) {
            buffer().put(--at, (byte) '-');
        }
        return length;
    }

    private static int digits(long number) {
        int digits = 1;
        for (long rest = number / 10; rest > 0; rest /= 10) {
            digits++;
        }
        return digits;
    }
}
