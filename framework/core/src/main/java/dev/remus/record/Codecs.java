package dev.remus.record;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;

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

    /** The constants of an enumeration, by their ordinals. */
    public static <E extends Enum<E>> Codec<E> ofEnum(Class<E> type) {
        E[] constants = type.getEnumConstants();
        return of(Integer.BYTES, (v, b) -> b.putInt(v.ordinal()), b -> constants[b.getInt()]);
    }
}
