package dev.remus.record;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesStore;
import net.openhft.chronicle.bytes.VanillaBytes;
import net.openhft.chronicle.core.UnsafeMemory;

/**
 * Chronicle Bytes on an array, of a fixed size and for one thread: an object is marshalled here, and copied. Numbers
 * that fit are written and read directly, without the checks of Chronicle; it treats all else, and what does not fit.
 */
final class StagingBytes extends VanillaBytes<byte[]> {
    private static final long ARRAY = UnsafeMemory.MEMORY.arrayBaseOffset(byte[].class);

    /** Longer copies are faster in one piece. */
    private static final int MAX_WORDS = 32;

    private final byte[] array;
    private final int words;

    /** Zeros follow this place, unless an object is being written. */
    private int used;

    /** Whether an object has begun to be written. If it failed, it may have left bytes anywhere. */
    private boolean isWriting;

    StagingBytes(int bytes) {
        this(new byte[bytes]);
    }

    private StagingBytes(byte[] array) {
        super(BytesStore.wrap(array));
        this.array = array;
        this.words = array.length % Long.BYTES == 0 && array.length <= MAX_WORDS * Long.BYTES
                ? array.length / Long.BYTES
                : 0;
        singleThreadedCheckDisabled(true); // the codec knows its thread
    }

    /** Makes room for an object to be written. */
    void begin() {
        if (isWriting) {
            used = array.length;
        }
        isWriting = true;
        setPositions(0);
    }

    /** Puts what was written into a little-endian buffer, with zeros behind it. */
    void encodeTo(ByteBuffer to) {
        int end = (int) writePosition();
        for (; used > end; used--) {
            array[used - 1] = 0;
        }
        used = end;
        isWriting = false;
        if (words == 0) {
            to.put(array);
            return;
        }
        int at = to.position();
        for (int i = 0; i < words; i++) {
            to.putLong(at + i * Long.BYTES, littleEndian(UnsafeMemory.MEMORY.readLong(array, ARRAY + i * 8L), to));
        }
        to.position(at + array.length);
    }

    /** Takes an object from a little-endian buffer, to be read. */
    void decodeFrom(ByteBuffer from) {
        used = array.length;
        setPositions(used);
        if (words == 0) {
            from.get(array);
            return;
        }
        int at = from.position();
        for (int i = 0; i < words; i++) {
            UnsafeMemory.MEMORY.writeLong(array, ARRAY + i * 8L, littleEndian(from.getLong(at + i * Long.BYTES), from));
        }
        from.position(at + array.length);
    }

    private static long littleEndian(long word, ByteBuffer buffer) {
        return buffer.order() == ByteOrder.LITTLE_ENDIAN ? word : Long.reverseBytes(word);
    }

    private void setPositions(int end) {
        readPosition = 0;
        writeLimit = array.length;
        uncheckedWritePosition(end);
    }

    /** Moves the write position over some bytes; returns where they are, negative if there is no room. */
    private long advance(int bytes) {
        long at = writePosition();
        if (at > writeLimit - bytes) {
            return -1;
        }
        uncheckedWritePosition(at + bytes);
        return ARRAY + at;
    }

    /** Moves the read position over some bytes; returns where they are, negative if there are too few. */
    private long consume(int bytes) {
        long at = readPosition;
        if (at > writePosition() - bytes) {
            return -1;
        }
        readPosition = at + bytes;
        return ARRAY + at;
    }

    @Override
    public Bytes<byte[]> writeByte(byte value) {
        long at = advance(Byte.BYTES);
        if (at < 0) {
            return super.writeByte(value);
        }
        UnsafeMemory.MEMORY.writeByte(array, at, value);
        return this;
    }

    @Override
    public Bytes<byte[]> writeShort(short value) {
        long at = advance(Short.BYTES);
        if (at < 0) {
            return super.writeShort(value);
        }
        UnsafeMemory.MEMORY.writeShort(array, at, value);
        return this;
    }

    @Override
    public Bytes<byte[]> writeInt(int value) {
        long at = advance(Integer.BYTES);
        if (at < 0) {
            return super.writeInt(value);
        }
        UnsafeMemory.MEMORY.writeInt(array, at, value);
        return this;
    }

    @Override
    public Bytes<byte[]> writeLong(long value) {
        long at = advance(Long.BYTES);
        if (at < 0) {
            return super.writeLong(value);
        }
        UnsafeMemory.MEMORY.writeLong(array, at, value);
        return this;
    }

    @Override
    public Bytes<byte[]> writeFloat(float value) {
        return writeInt(Float.floatToRawIntBits(value));
    }

    @Override
    public Bytes<byte[]> writeDouble(double value) {
        return writeLong(Double.doubleToRawLongBits(value));
    }

    @Override
    public byte readByte() {
        long at = consume(Byte.BYTES);
        return at < 0 ? super.readByte() : UnsafeMemory.MEMORY.readByte(array, at);
    }

    @Override
    public short readShort() {
        long at = consume(Short.BYTES);
        return at < 0 ? super.readShort() : UnsafeMemory.MEMORY.readShort(array, at);
    }

    @Override
    public int readInt() {
        long at = consume(Integer.BYTES);
        return at < 0 ? super.readInt() : UnsafeMemory.MEMORY.readInt(array, at);
    }

    @Override
    public long readLong() {
        long at = consume(Long.BYTES);
        return at < 0 ? super.readLong() : UnsafeMemory.MEMORY.readLong(array, at);
    }

    @Override
    public float readFloat() {
        long at = consume(Float.BYTES);
        return at < 0 ? super.readFloat() : UnsafeMemory.MEMORY.readFloat(array, at);
    }

    @Override
    public double readDouble() {
        long at = consume(Double.BYTES);
        return at < 0 ? super.readDouble() : UnsafeMemory.MEMORY.readDouble(array, at);
    }
}
