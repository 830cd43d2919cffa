// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesIn;
import net.openhft.chronicle.bytes.BytesMarshallable;
import net.openhft.chronicle.bytes.BytesOut;
import net.openhft.chronicle.bytes.StopCharTesters;
import net.openhft.chronicle.bytes.render.DecimalAppender;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random calls have the same effects, results and exceptions on these Bytes as on those of Chronicle on an array. */
@Timeout(120)
class BufferBytesTest {
    private static final int SEQUENCES = 4000;
    private static final String[] TEXTS = {
        "", "a", "seven", "a longer text", "gr\u00fcn", "\u03b1\u03b2 \u20ac", "12.5 7"
    };

    /** A call with random arguments, on either Bytes. */
    @FunctionalInterface
    private interface Call {
        @Nullable
        Object on(Bytes<?> bytes, Random random) throws Exception;
    }

    private static final class Pair implements BytesMarshallable {
        private int number;
        private @Nullable String text;

        @Override
        @SuppressWarnings("rawtypes")
        public void readMarshallable(BytesIn bytes) {
            number = bytes.readInt();
            text = bytes.readUtf8();
        }

        @Override
        @SuppressWarnings("rawtypes")
        public void writeMarshallable(BytesOut bytes) {
            bytes.writeInt(number);
            bytes.writeUtf8(text);
        }
    }

    private static final Map<String, Call> WRITES = Map.ofEntries(
            Map.entry("writeByte", (b, r) -> b.writeByte((byte) r.nextInt())),
            Map.entry("writeShort", (b, r) -> b.writeShort((short) r.nextInt())),
            Map.entry("writeInt", (b, r) -> b.writeInt(r.nextInt())),
            Map.entry("writeLong", (b, r) -> b.writeLong(r.nextLong())),
            Map.entry("writeFloat", (b, r) -> b.writeFloat(r.nextFloat())),
            Map.entry("writeDouble", (b, r) -> b.writeDouble(r.nextDouble())),
            Map.entry("writeBoolean", (b, r) -> b.writeBoolean(r.nextBoolean())),
            Map.entry("writeUnsignedByte", (b, r) -> b.writeUnsignedByte(r.nextInt(256))),
            Map.entry("writeUnsignedShort", (b, r) -> b.writeUnsignedShort(r.nextInt(1 << 16))),
            Map.entry("writeUnsignedInt", (b, r) -> b.writeUnsignedInt(r.nextLong() >>> 32)),
            Map.entry("writeInt24", (b, r) -> b.writeInt24(r.nextInt() >> 8)),
            Map.entry("writeStopBit", (b, r) -> b.writeStopBit(r.nextLong() >> r.nextInt(64))),
            Map.entry("writeStopBit double", (b, r) -> b.writeStopBit(r.nextInt(1000) / 8.0)),
            Map.entry("writeStopBitDecimal", (b, r) -> b.writeStopBitDecimal(r.nextInt(1000) / 8.0)),
            Map.entry("writeUtf8", (b, r) -> b.writeUtf8(r.nextInt(8) == 0 ? null : text(r))),
            Map.entry("write8bit", (b, r) -> b.write8bit(r.nextInt(8) == 0 ? null : text(r))),
            Map.entry("write8bit part", (b, r) -> b.write8bit("some text", r.nextInt(5), r.nextInt(5))),
            Map.entry("write8bit bytes", (b, r) -> b.write8bit(Bytes.from("other"))),
            Map.entry("write array", (b, r) -> b.write(array(r))),
            Map.entry("write part", (b, r) -> b.write(new byte[] {1, 2, 3, 4, 5}, r.nextInt(3), r.nextInt(4))),
            Map.entry("write bytes", (b, r) -> b.write(Bytes.wrapForRead(array(r)))),
            Map.entry("write at", (b, r) -> b.write(offset(b, r), array(r))),
            Map.entry("writeSome", (b, r) -> b.writeSome(ByteBuffer.wrap(array(r)))),
            Map.entry("writeEnum", (b, r) -> {
                b.writeEnum(TimeUnit.values()[r.nextInt(7)]);
                return null;
            }),
            Map.entry("writeBigDecimal", (b, r) -> {
                b.writeBigDecimal(BigDecimal.valueOf(r.nextInt(), r.nextInt(5)));
                return null;
            }),
            Map.entry("writeBigInteger", (b, r) -> {
                b.writeBigInteger(BigInteger.valueOf(r.nextLong()));
                return null;
            }),
            Map.entry("writeObject", (b, r) -> {
                b.writeObject(String.class, text(r));
                return null;
            }),
            Map.entry("writeMarshallable", (b, r) -> {
                pair(r).writeMarshallable(b);
                return null;
            }),
            Map.entry("writeMarshallableLength16", (b, r) -> {
                b.writeMarshallableLength16(pair(r));
                return null;
            }),
            Map.entry("writeSkip", (b, r) -> b.writeSkip(r.nextInt(20) - 3L)),
            Map.entry("writePosition", (b, r) -> b.writePosition(r.nextInt((int) b.capacity() + 2) - 1L)),
            Map.entry("writeLimit", (b, r) -> b.writeLimit(b.capacity() - (r.nextInt(3) == 0 ? r.nextInt(30) : 0))),
            Map.entry("writeOrderedInt", (b, r) -> b.writeOrderedInt(r.nextInt())),
            Map.entry("writeOrderedLong", (b, r) -> b.writeOrderedLong(r.nextLong())),
            Map.entry("writeIntAdv", (b, r) -> b.writeIntAdv(r.nextInt(), 2)),
            Map.entry("writeLongAdv", (b, r) -> b.writeLongAdv(r.nextLong(), 3)),
            Map.entry("writeDoubleAndInt", (b, r) -> b.writeDoubleAndInt(r.nextDouble(), r.nextInt())),
            Map.entry("writeByte at", (b, r) -> b.writeByte(offset(b, r), (byte) 3)),
            Map.entry("writeShort at", (b, r) -> b.writeShort(offset(b, r), (short) r.nextInt())),
            Map.entry("writeInt at", (b, r) -> b.writeInt(offset(b, r), r.nextInt())),
            Map.entry("writeLong at", (b, r) -> b.writeLong(offset(b, r), r.nextLong())),
            Map.entry("writeFloat at", (b, r) -> b.writeFloat(offset(b, r), r.nextFloat())),
            Map.entry("writeDouble at", (b, r) -> b.writeDouble(offset(b, r), r.nextDouble())),
            Map.entry("writeOrderedInt at", (b, r) -> b.writeOrderedInt(offset(b, r), r.nextInt())),
            Map.entry("writeOrderedLong at", (b, r) -> b.writeOrderedLong(offset(b, r), r.nextLong())),
            Map.entry("writeVolatileByte", (b, r) -> b.writeVolatileByte(offset(b, r), (byte) 4)),
            Map.entry("writeVolatileShort", (b, r) -> b.writeVolatileShort(offset(b, r), (short) 4)),
            Map.entry("writeVolatileInt", (b, r) -> b.writeVolatileInt(offset(b, r), r.nextInt())),
            Map.entry("writeVolatileLong", (b, r) -> b.writeVolatileLong(offset(b, r), r.nextLong())),
            Map.entry("compareAndSwapInt", (b, r) -> b.compareAndSwapInt(offset(b, r) & -4, r.nextInt(2), 5)),
            Map.entry("compareAndSwapLong", (b, r) -> b.compareAndSwapLong(offset(b, r) & -8, r.nextInt(2), 5)),
            Map.entry("addAndGetInt", (b, r) -> b.addAndGetInt(offset(b, r) & -4, r.nextInt(9))),
            Map.entry("addAndGetLong", (b, r) -> b.addAndGetLong(offset(b, r) & -8, r.nextInt(9))),
            Map.entry("testAndSetInt", (b, r) -> {
                b.testAndSetInt(offset(b, r) & -4, 0, 7);
                return null;
            }),
            Map.entry("append long", (b, r) -> b.append(r.nextLong() >> r.nextInt(64))),
            Map.entry("append double", (b, r) -> b.append(r.nextInt(100_000) / 64.0)),
            Map.entry("append places", (b, r) -> b.append(r.nextInt(100_000) / 64.0, r.nextInt(5))),
            Map.entry("append decimal", (b, r) -> {
                ((DecimalAppender) b).append(r.nextBoolean(), r.nextInt(1000), r.nextInt(7) - 3);
                return null;
            }),
            Map.entry("append text", (b, r) -> b.append(text(r))),
            Map.entry("append8bit", (b, r) -> b.append8bit(text(r))),
            Map.entry("appendUtf8", (b, r) -> b.appendUtf8(text(r))),
            Map.entry("zeroOut", (b, r) -> {
                long from = offset(b, r);
                b.zeroOut(from, Math.min(from + 5, b.capacity()));
                return null;
            }),
            Map.entry("move", (b, r) -> {
                int half = (int) b.capacity() / 2;
                b.move(r.nextInt(half), r.nextInt(half), r.nextInt(half));
                return null;
            }),
            Map.entry("readInt at", (b, r) -> b.readInt(offset(b, r))),
            Map.entry("readByte", (b, r) -> b.readByte()),
            Map.entry("prewriteShort", (b, r) -> b.prewriteShort((short) r.nextInt())),
            Map.entry("compact", (b, r) -> b.compact()),
            Map.entry("clear", (b, r) -> r.nextInt(4) == 0 ? b.clear() : null));

    private static final Map<String, Call> READS = Map.ofEntries(
            Map.entry("readByte", (b, r) -> b.readByte()),
            Map.entry("readShort", (b, r) -> b.readShort()),
            Map.entry("readInt", (b, r) -> b.readInt()),
            Map.entry("readLong", (b, r) -> b.readLong()),
            Map.entry("readFloat", (b, r) -> b.readFloat()),
            Map.entry("readDouble", (b, r) -> b.readDouble()),
            Map.entry("readBoolean", (b, r) -> b.readBoolean()),
            Map.entry("readUnsignedByte", (b, r) -> b.readUnsignedByte()),
            Map.entry("readUnsignedShort", (b, r) -> b.readUnsignedShort()),
            Map.entry("readUnsignedInt", (b, r) -> b.readUnsignedInt()),
            Map.entry("readInt24", (b, r) -> b.readInt24()),
            Map.entry("peekUnsignedByte", (b, r) -> b.peekUnsignedByte()),
            Map.entry("readVolatileInt", (b, r) -> b.readVolatileInt()),
            Map.entry("readVolatileLong", (b, r) -> b.readVolatileLong()),
            Map.entry("readStopBit", (b, r) -> b.readStopBit()),
            Map.entry("readStopBitDouble", (b, r) -> b.readStopBitDouble()),
            Map.entry("readStopBitDecimal", (b, r) -> b.readStopBitDecimal()),
            Map.entry("readUtf8", (b, r) -> b.readUtf8()),
            Map.entry("read8bit", (b, r) -> has8bit(b) ? b.read8bit() : null),
            Map.entry("parseLong", (b, r) -> b.parseLong()),
            Map.entry("parseDouble", (b, r) -> b.parseDouble()),
            Map.entry("parseUtf8", (b, r) -> b.parseUtf8(StopCharTesters.SPACE_STOP)),
            Map.entry("read array", (b, r) -> {
                byte[] to = new byte[r.nextInt(12)];
                return List.of(b.read(to), Arrays.toString(to));
            }),
            Map.entry("read part", (b, r) -> {
                byte[] to = new byte[8];
                return List.of(b.read(to, 2, r.nextInt(6)), Arrays.toString(to));
            }),
            Map.entry("read buffer", (b, r) -> {
                ByteBuffer to = ByteBuffer.allocate(r.nextInt(12));
                b.read(to);
                return Arrays.toString(to.array());
            }),
            Map.entry("readEnum", (b, r) -> has8bit(b) ? b.readEnum(TimeUnit.class) : null),
            Map.entry("readMarshallable", (b, r) -> {
                Pair pair = new Pair();
                pair.readMarshallable(b);
                return pair.number + " " + pair.text;
            }),
            Map.entry("readSkip", (b, r) -> b.readSkip(Math.max(r.nextInt(12) - 3L, -b.readPosition()))),
            Map.entry("readPosition", (b, r) -> b.readPosition(offset(b, r))),
            Map.entry("readLimit", (b, r) -> b.readLimit(b.capacity() - (r.nextInt(3) == 0 ? r.nextInt(30) : 0))),
            Map.entry("lenient", (b, r) -> {
                b.lenient(r.nextInt(4) == 0);
                return null;
            }),
            Map.entry("readByte at", (b, r) -> b.readByte(offset(b, r))),
            Map.entry("readShort at", (b, r) -> b.readShort(offset(b, r))),
            Map.entry("readInt at", (b, r) -> b.readInt(offset(b, r))),
            Map.entry("readLong at", (b, r) -> b.readLong(offset(b, r))),
            Map.entry("readFloat at", (b, r) -> b.readFloat(offset(b, r))),
            Map.entry("readDouble at", (b, r) -> b.readDouble(offset(b, r))),
            Map.entry("readVolatileByte at", (b, r) -> b.readVolatileByte(offset(b, r))),
            Map.entry("readVolatileShort at", (b, r) -> b.readVolatileShort(offset(b, r))),
            Map.entry("readVolatileInt at", (b, r) -> b.readVolatileInt(offset(b, r))),
            Map.entry("readVolatileLong at", (b, r) -> b.readVolatileLong(offset(b, r))),
            Map.entry("readRemaining", (b, r) -> b.readRemaining()),
            Map.entry("toString", (b, r) -> b.toString()),
            Map.entry("toHexString", (b, r) -> b.toHexString()),
            Map.entry("toByteArray", (b, r) -> Arrays.toString(b.toByteArray())),
            Map.entry("hashCode", (b, r) -> b.hashCode()),
            Map.entry("byteCheckSum", (b, r) -> b.byteCheckSum()),
            Map.entry("findByte", (b, r) -> b.findByte((byte) r.nextInt(3))),
            Map.entry("copy", (b, r) -> b.bytesForRead().toString()),
            Map.entry("inputStream", (b, r) -> b.inputStream().read()));

    private static String text(Random random) {
        return TEXTS[random.nextInt(TEXTS.length)];
    }

    /** Whether a whole text follows. If there is none, Chronicle reads memory behind the array, and crashes. */
    private static boolean has8bit(Bytes<?> bytes) {
        int length = bytes.peekUnsignedByte();
        return length >= 0 && length < Math.min(bytes.readRemaining(), 128);
    }

    private static byte[] array(Random random) {
        byte[] bytes = new byte[random.nextInt(20)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static Pair pair(Random random) {
        Pair pair = new Pair();
        pair.number = random.nextInt();
        pair.text = text(random);
        return pair;
    }

    private static long offset(Bytes<?> bytes, Random random) {
        return random.nextInt((int) bytes.capacity() + 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void randomCallsDoTheSameAsOnBytesOfChronicle(boolean isDirect) {
        List<String> writes = WRITES.keySet().stream().sorted().toList();
        List<String> reads = READS.keySet().stream().sorted().toList();
        for (int seed = 0; seed < SEQUENCES; seed++) {
            Random random = new Random(seed);
            int size = 1 + random.nextInt(80);
            int before = random.nextInt(10);
            ByteBuffer buffer = isDirect ? ByteBuffer.allocateDirect(100) : ByteBuffer.allocate(100);
            for (int i = 0; i < buffer.capacity(); i++) {
                buffer.put(i, (byte) 99);
            }
            buffer.order(ByteOrder.LITTLE_ENDIAN).limit(before + size);
            BufferBytes bytes = new BufferBytes(size);
            bytes.choose(buffer);

            byte[] array = new byte[size];
            bytes.beginWriting(before);
            run(seed, random, writes, WRITES, bytes, Bytes.wrapForWrite(array));
            bytes.fill();
            Arrays.fill(array, (int) bytes.writePosition(), size, (byte) 0);
            bytes.leave();
            byte[] written = new byte[size];
            buffer.get(before, written);
            assertThat(written).as("seed %d", seed).isEqualTo(array);

            bytes.beginReading(before);
            run(seed, random, reads, READS, bytes, Bytes.wrapForRead(array));
            bytes.leave();
            buffer.clear();
            for (int i = 0; i < buffer.capacity(); i++) {
                if (i < before || i >= before + size) {
                    assertThat(buffer.get(i)).as("outside, seed %d", seed).isEqualTo((byte) 99);
                }
            }
        }
    }

    private static void run(
            int seed,
            Random random,
            List<String> names,
            Map<String, Call> calls,
            BufferBytes bytes,
            Bytes<?> expected) {
        List<String> trace = new ArrayList<>();
        int count = random.nextInt(12);
        for (int i = 0; i < count; i++) {
            String name = names.get(random.nextInt(names.size()));
            int argument = random.nextInt();
            trace.add(name);
            Object wanted = call(calls.get(name), expected, argument);
            assertThat(call(calls.get(name), bytes, argument))
                    .as("seed %d, size %d: %s", seed, expected.capacity(), trace)
                    .isEqualTo(wanted);
            assertThat(List.of(bytes.writePosition(), bytes.readPosition(), bytes.writeLimit()))
                    .as("positions, seed %d, size %d: %s", seed, expected.capacity(), trace)
                    .isEqualTo(List.of(expected.writePosition(), expected.readPosition(), expected.writeLimit()));
        }
    }

    /** The result, or the kind of exception. */
    private static @Nullable Object call(Call call, Bytes<?> bytes, int seed) {
        try {
            Object result = call.on(bytes, new Random(seed));
            return result instanceof Bytes ? "itself" : result;
        } catch (BufferOverflowException e) {
            return BufferOverflowException.class; // Chronicle has an exception with a message, and throws both
        } catch (BufferUnderflowException e) {
            return BufferUnderflowException.class;
        } catch (Exception | AssertionError e) {
            return e.getClass();
        }
    }
}
