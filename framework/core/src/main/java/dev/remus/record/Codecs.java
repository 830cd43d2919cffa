// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import net.openhft.chronicle.bytes.BytesMarshallable;
import org.jspecify.annotations.Nullable;

/** Codecs for common types. */
public final class Codecs {
    /** 64-bit integers. */
    public static final Codec<Long> LONG = of(Long.BYTES, (v, b) -> b.putLong(v), ByteBuffer::getLong);

    /** 32-bit integers. */
    public static final Codec<Integer> INT = of(Integer.BYTES, (v, b) -> b.putInt(v), ByteBuffer::getInt);

    /** Truth values. */
    public static final Codec<Boolean> BOOLEAN = of(Byte.BYTES, (v, b) -> b.put((byte) (v ? 1 : 0)), b -> b.get() != 0);

    /** Double-precision numbers, compared by their bits. */
    public static final Codec<Double> DOUBLE = of(Double.BYTES, (v, b) -> b.putDouble(v), ByteBuffer::getDouble);

    /** Universally unique identifiers, 16 bytes. */
    public static final Codec<UUID> UUID = of(
            2 * Long.BYTES,
            (v, b) -> b.putLong(v.getMostSignificantBits()).putLong(v.getLeastSignificantBits()),
            b -> new UUID(b.getLong(), b.getLong()));

    private Codecs() {}

    /** A codec from its parts. */
    public static <T> Codec<T> of(int bytes, BiConsumer<T, ByteBuffer> encode, Function<ByteBuffer, T> decode) {
        if (bytes < 1) {
            throw new IllegalArgumentException("values of " + bytes + " bytes: needs at least 1");
        }
        return new Codec<>() {
            @Override
            public int bytes() {
                return bytes;
            }

            @Override
            public void encode(T value, ByteBuffer to) {
                encode.accept(value, to);
            }

            @Override
            public T decode(ByteBuffer from) {
                return decode.apply(from);
            }
        };
    }

    /**
     * Objects that marshal themselves by Chronicle Bytes, such as {@code Codecs.marshallable(Order::new, 64)}. They
     * need no JVM flags if their class has its own {@code readMarshallable} and {@code writeMarshallable}, or is public
     * with public fields. May be used by several threads. Objects are marshalled in place. Allocates nothing but the
     * decoded object, and Bytes once for each thread and field. An object must not keep the Bytes.
     *
     * @param make makes an object, into which a decoded value is read
     * @param bytes the largest number of bytes that an object writes; zeros follow a shorter one. A longer one is
     *     refused when it is encoded, with an {@link IllegalArgumentException}
     */
    public static <T extends BytesMarshallable> Codec<T> marshallable(Supplier<? extends T> make, int bytes) {
        return new MarshallableCodec<>(make, bytes);
    }

    /**
     * Objects that marshal themselves, all in the same number of bytes, which is measured: as many as a new object
     * writes. Otherwise like {@link #marshallable(Supplier, int)}.
     *
     * @throws IllegalArgumentException if a new object writes nothing, or Chronicle cannot access its fields
     */
    public static <T extends BytesMarshallable> Codec<T> marshallable(Supplier<? extends T> make) {
        return marshallable(make, MarshallableCodec.measure(make.get()));
    }

    /** Whole words of memory for values that marshal themselves. Null for all others: their codec needs no more. */
    @SuppressWarnings({"unchecked", "rawtypes"}) // the codec of T has a place for T
    static <T> @Nullable ValuePlace<T> place(Codec<T> codec, ByteBuffer words) {
        return codec instanceof MarshallableCodec marshallable ? marshallable.place(words) : null;
    }

    /** The constants of an enumeration, by their ordinals. */
    public static <E extends Enum<E>> Codec<E> ofEnum(Class<E> type) {
        E[] constants = type.getEnumConstants();
        return of(Integer.BYTES, (v, b) -> b.putInt(v.ordinal()), b -> constants[b.getInt()]);
    }
}
