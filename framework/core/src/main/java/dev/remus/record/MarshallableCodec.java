package dev.remus.record;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesMarshallable;

/**
 * The codec of objects that write themselves to Chronicle Bytes and read themselves from there. Zeros fill what an
 * object leaves of its size, so equal objects have equal encodings.
 *
 * <p>Objects are marshalled on the Java heap and copied: each class with which Chronicle Bytes 2026.4 works on other
 * memory needs JVM flags, or checks no bounds ({@code dev.remus.fabric.shm}).
 */
final class MarshallableCodec<T extends BytesMarshallable> implements Codec<T> {
    private static final int FIRST_GUESS = 64;
    private static final int LARGEST = 1 << 30;

    private final int bytes;
    private final Supplier<? extends T> make;

    /** One for each thread, since threads share codecs. */
    private final ThreadLocal<StagingBytes> staging;

    MarshallableCodec(Supplier<? extends T> make, int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("values of " + bytes + " bytes: needs at least 1");
        }
        this.bytes = bytes;
        this.make = make;
        this.staging = ThreadLocal.withInitial(() -> new StagingBytes(bytes));
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
                throw notAccessible(object, e);
            }
        }
    }

    @Override
    public int bytes() {
        return bytes;
    }

    @Override
    public void encode(T value, ByteBuffer to) {
        StagingBytes local = staging.get();
        local.begin();
        try {
            value.writeMarshallable(local);
        } catch (BufferOverflowException e) {
            throw new IllegalArgumentException(
                    "an object of " + value.getClass().getName() + " takes more than the " + bytes
                            + " bytes that its codec has: declare more with Codecs.marshallable(constructor, bytes)",
                    e);
        } catch (AssertionError e) {
            throw notAccessible(value, e);
        }
        local.encodeTo(to);
    }

    @Override
    public T decode(ByteBuffer from) {
        StagingBytes local = staging.get();
        local.decodeFrom(from);
        T value = make.get();
        try {
            value.readMarshallable(local);
        } catch (AssertionError e) {
            throw notAccessible(value, e);
        }
        return value;
    }

    /** Chronicle throws this where it may not access a field by reflection. */
    private static RuntimeException notAccessible(BytesMarshallable object, AssertionError e) {
        if (!(e.getCause() instanceof IllegalAccessException)) {
            throw e;
        }
        return new IllegalArgumentException(
                "Chronicle cannot access the fields of " + object.getClass().getName() + " ("
                        + e.getCause().getMessage()
                        + "): write readMarshallable and writeMarshallable, or make the class and its fields public",
                e);
    }
}
