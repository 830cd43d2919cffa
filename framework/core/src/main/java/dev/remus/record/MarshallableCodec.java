// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Supplier;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesMarshallable;

/**
 * The codec of objects that write themselves to Chronicle Bytes and read themselves from there. Zeros fill what an
 * object leaves of its size, so equal objects have equal encodings.
 *
 * <p>Objects are marshalled in place, by {@link ObjectBytes}: each class with which Chronicle Bytes 2026.4 works on
 * memory outside the Java heap needs JVM flags, or checks no bounds ({@code dev.remus.fabric.shm}). An object may use
 * this codec itself while it is marshalled. If one fails, its place is undefined, and the buffer's position has not
 * moved.
 */
final class MarshallableCodec<T extends BytesMarshallable> implements Codec<T> {
    private static final int FIRST_GUESS = 64;
    private static final int LARGEST = 1 << 30;

    private final int bytes;
    private final Supplier<? extends T> make;

    /** One for each thread, since threads share codecs. */
    private final ThreadLocal<ObjectBytes<T>> views;

    MarshallableCodec(Supplier<? extends T> make, int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("values of " + bytes + " bytes: needs at least 1");
        }
        this.bytes = bytes;
        this.make = make;
        this.views = ThreadLocal.withInitial(() -> new ObjectBytes<>(bytes));
    }

    /** The number of bytes that an object writes. */
    static int measure(BytesMarshallable object) {
        for (int bytes = FIRST_GUESS; ; bytes *= 2) { // elastic Bytes would print a warning
            Bytes<byte[]> view = Bytes.wrapForWrite(new byte[bytes]);
            try {
                object.writeMarshallable(view);
                return (int) view.writePosition();
            } catch (BufferOverflowException e) {
                if (bytes > LARGEST / 2) {
                    throw new IllegalArgumentException(
                            "an object of " + object.getClass().getName() + " takes more than " + bytes + " bytes", e);
                }
            } catch (AssertionError e) {
                ObjectBytes.throwIfNotAccessible(object, e);
                throw e;
            }
        }
    }

    @Override
    public int bytes() {
        return bytes;
    }

    @Override
    public void encode(T value, ByteBuffer to) {
        ByteBuffer memory = littleEndian(to);
        int start = memory.position();
        int limit = memory.limit();
        if (limit - start < bytes) {
            throw new BufferOverflowException();
        }
        ObjectBytes<T> view = view();
        view.choose(memory.limit(start + bytes));
        try {
            view.write(value, start);
        } finally {
            memory.limit(limit);
        }
        to.position(start + bytes);
    }

    @Override
    public T decode(ByteBuffer from) {
        ByteBuffer memory = littleEndian(from);
        int start = memory.position();
        int limit = memory.limit();
        if (limit - start < bytes) {
            throw new BufferUnderflowException();
        }
        T value = make.get();
        ObjectBytes<T> view = view();
        view.choose(memory.limit(start + bytes));
        try {
            view.read(value, start);
        } finally {
            memory.limit(limit);
        }
        from.position(start + bytes);
        return value;
    }

    private static ByteBuffer littleEndian(ByteBuffer buffer) {
        return buffer.order() == ByteOrder.LITTLE_ENDIAN
                ? buffer
                : buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** This thread's view, or a new one while that marshals an object which uses this codec itself. */
    private ObjectBytes<T> view() {
        ObjectBytes<T> view = views.get();
        return view.isInUse() ? new ObjectBytes<>(bytes) : view;
    }

    /** Makes whole words of memory the place of one object, which needs no search for a view and no more checks. */
    ValuePlace<T> place(ByteBuffer words) {
        return new ObjectPlace(words);
    }

    private final class ObjectPlace extends ObjectBytes<T> implements ValuePlace<T> {
        private final Supplier<? extends T> constructor = make; // one load less than from the codec
        private final ByteBuffer words;
        private final boolean isPadded = bytes % Long.BYTES != 0;

        ObjectPlace(ByteBuffer words) {
            super(bytes);
            this.words = words.slice(0, words.capacity()).order(ByteOrder.LITTLE_ENDIAN);
            choose(words.slice(0, bytes).order(ByteOrder.LITTLE_ENDIAN));
        }

        @Override
        public void set(T value) {
            if (isPadded) {
                words.putLong(words.capacity() - Long.BYTES, 0);
            }
            if (isInUse()) {
                encode(value, words.duplicate().order(ByteOrder.LITTLE_ENDIAN));
            } else {
                write(value, 0);
            }
        }

        @Override
        public T get() {
            if (isInUse()) {
                return decode(words.duplicate().order(ByteOrder.LITTLE_ENDIAN));
            }
            T value = constructor.get();
            read(value, 0);
            return value;
        }
    }
}
