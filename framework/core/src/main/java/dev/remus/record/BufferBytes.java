package dev.remus.record;

import java.nio.ByteBuffer;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesStore;
import net.openhft.chronicle.bytes.VanillaBytes;

/**
 * Chronicle Bytes at a place in a buffer, of a fixed size and for one thread, which marshals objects there. Numbers
 * are written and read directly: the buffer's own check of its limit is the only one. Chronicle treats all else, and
 * numbers that do not fit, by {@link BufferStore}.
 *
 * <p>Once an object is marshalled there is no place. So an object that keeps these Bytes cannot use them later, except
 * while the same thread marshals another one.
 */
final class BufferBytes extends VanillaBytes<Void> {
    private final BufferStore store;

    /** @param bytes the size of a place */
    BufferBytes(int bytes) {
        this(new BufferStore(bytes));
    }

    private BufferBytes(BufferStore store) {
        super(store);
        this.store = store;
        singleThreadedCheckDisabled(true); // the codec knows its thread
    }

    /** Whether an object is being marshalled here. */
    boolean isInUse() {
        return store.isPlaced();
    }

    /** Chooses a little-endian buffer. Its limit must be the end of the place. */
    void choose(ByteBuffer buffer) {
        store.choose(buffer);
    }

    /** Makes the bytes from an index of the buffer to its limit those that are written. */
    void beginWriting(int at) {
        store.place(at, false);
        reset();
    }

    /** Makes the bytes from an index of the buffer to its limit those that are read. */
    void beginReading(int at) {
        store.place(at, true);
        reset();
    }

    private void reset() {
        readPosition = 0;
        writeLimit = store.capacity();
    }

    /** Writes zeros behind the bytes that were written. */
    void fill() {
        store.fill();
    }

    /** Ends all access to the buffer, also by an object that has kept these Bytes. */
    void leave() {
        store.leave();
    }

    @Override
    public long writePosition() {
        return store.position();
    }

    @Override
    protected void uncheckedWritePosition(long position) {
        if (store != null) { // it is null while the superclass is constructed
            store.moveTo(position);
        }
    }

    @Override
    @SuppressWarnings("rawtypes") // as Chronicle declares it
    public void bytesStore(BytesStore other, long offset, long length) {
        throw new UnsupportedOperationException();
    }

    /** The index in the buffer where the next number is to be put; negative if Chronicle must treat it. */
    private int end() {
        return writeLimit == store.capacity() ? store.index(store.position()) : -1;
    }

    /** The index in the buffer of the next number; negative if Chronicle must treat it. */
    private int next() {
        return store.position() == store.capacity() && readPosition >= 0 ? store.index((int) readPosition) : -1;
    }

    @Override
    public Bytes<Void> writeByte(byte value) {
        try {
            store.buffer().put(end(), value);
        } catch (IndexOutOfBoundsException e) {
            return super.writeByte(value);
        }
        store.advance(Byte.BYTES);
        return this;
    }

    @Override
    public Bytes<Void> writeShort(short value) {
        try {
            store.buffer().putShort(end(), value);
        } catch (IndexOutOfBoundsException e) {
            return super.writeShort(value);
        }
        store.advance(Short.BYTES);
        return this;
    }

    @Override
    public Bytes<Void> writeInt(int value) {
        try {
            store.buffer().putInt(end(), value);
        } catch (IndexOutOfBoundsException e) {
            return super.writeInt(value);
        }
        store.advance(Integer.BYTES);
        return this;
    }

    @Override
    public Bytes<Void> writeLong(long value) {
        try {
            store.buffer().putLong(end(), value);
        } catch (IndexOutOfBoundsException e) {
            return super.writeLong(value);
        }
        store.advance(Long.BYTES);
        return this;
    }

    @Override
    public Bytes<Void> writeFloat(float value) {
        return writeInt(Float.floatToRawIntBits(value));
    }

    @Override
    public Bytes<Void> writeDouble(double value) {
        return writeLong(Double.doubleToRawLongBits(value));
    }

    @Override
    public byte readByte() {
        byte value;
        try {
            value = store.buffer().get(next());
        } catch (IndexOutOfBoundsException e) {
            return super.readByte();
        }
        readPosition += Byte.BYTES;
        return value;
    }

    @Override
    public short readShort() {
        short value;
        try {
            value = store.buffer().getShort(next());
        } catch (IndexOutOfBoundsException e) {
            return super.readShort();
        }
        readPosition += Short.BYTES;
        return value;
    }

    @Override
    public int readInt() {
        int value;
        try {
            value = store.buffer().getInt(next());
        } catch (IndexOutOfBoundsException e) {
            return super.readInt();
        }
        readPosition += Integer.BYTES;
        return value;
    }

    @Override
    public long readLong() {
        long value;
        try {
            value = store.buffer().getLong(next());
        } catch (IndexOutOfBoundsException e) {
            return super.readLong();
        }
        readPosition += Long.BYTES;
        return value;
    }

    @Override
    public float readFloat() {
        float value;
        try {
            value = store.buffer().getFloat(next());
        } catch (IndexOutOfBoundsException e) {
            return super.readFloat();
        }
        readPosition += Float.BYTES;
        return value;
    }

    @Override
    public double readDouble() {
        double value;
        try {
            value = store.buffer().getDouble(next());
        } catch (IndexOutOfBoundsException e) {
            return super.readDouble();
        }
        readPosition += Double.BYTES;
        return value;
    }
}
