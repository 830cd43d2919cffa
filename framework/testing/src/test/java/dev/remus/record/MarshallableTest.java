// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.FabricKind;
import dev.remus.node.TestCluster;
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesIn;
import net.openhft.chronicle.bytes.BytesMarshallable;
import net.openhft.chronicle.bytes.BytesOut;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class MarshallableTest {
    /** Marshals itself, in a number of bytes that depends on the text. */
    private static final class Order implements BytesMarshallable {
        private long id;
        private int count;
        private String text = "";

        Order() {}

        Order(long id, int count, String text) {
            this.id = id;
            this.count = count;
            this.text = text;
        }

        @Override
        @SuppressWarnings("rawtypes")
        public void readMarshallable(BytesIn bytes) {
            id = bytes.readLong();
            count = bytes.readInt();
            text = String.valueOf(bytes.readUtf8());
        }

        @Override
        @SuppressWarnings("rawtypes")
        public void writeMarshallable(BytesOut bytes) {
            bytes.writeLong(id);
            bytes.writeInt(count);
            bytes.writeUtf8(text);
        }

        @Override
        public String toString() {
            return id + " " + count + " " + text;
        }
    }

    /** Leaves marshalling to Chronicle. */
    public static final class Point implements BytesMarshallable {
        public int left;
        public int top;
    }

    /** Leaves marshalling to Chronicle, which cannot access it without JVM flags. */
    private static final class Hidden implements BytesMarshallable {
        private int value = 1;
    }

    private static final class Trade extends RemoteRecord {
        final Atomic<Order> order = field(Codecs.marshallable(Order::new, 40));
        final Atomic<Point> point = atomic(field(Codecs.marshallable(Point::new)));
        final RemoteBytes note = bytesField(30);
    }

    @ParameterizedTest
    @EnumSource
    void anObjectThatMarshalsItselfIsAFieldWithoutACodecOfItsOwn(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Trade trade = new Trade();
            trade.allocate(ct);
            trade.order.stage(new Order(5, 6, "a long text"), ct);
            trade.point.stage(new Point(), ct);
            trade.storeStaged(ct);
            trade.fetch(ct);
            assertThat(trade.order.fetched()).hasToString("5 6 a long text");
            trade.order.store(new Order(1, 2, "short"), ct);
            assertThat(trade.order.load(ct)).hasToString("1 2 short");
        });
    }

    @ParameterizedTest
    @EnumSource
    void anObjectOfAtMostEightBytesIsChangedByAtomics(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Trade trade = new Trade();
            trade.allocate(ct);
            Point first = new Point();
            trade.order.stage(new Order(), ct);
            trade.point.stage(first, ct);
            trade.storeStaged(ct);
            Point second = new Point();
            second.left = 3;
            assertThat(trade.point.compareAndSet(second, first, ct)).isFalse();
            assertThat(trade.point.compareAndSet(first, second, ct)).isTrue();
            trade.point.update(
                    point -> {
                        point.top = point.left + 1;
                        return point;
                    },
                    ct);
            assertThat(trade.point.load(ct).top).isEqualTo(4);
        });
    }

    @Test
    void theSizeIsDeclaredOrMeasuredAndALongerObjectIsRejected() {
        assertThat(Codecs.marshallable(Point::new).bytes()).isEqualTo(8);
        assertThat(Codecs.marshallable(Order::new).bytes()).isEqualTo(13);
        Codec<Order> codec = Codecs.marshallable(Order::new, 20);
        ByteBuffer to = ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN);
        assertThatThrownBy(() -> codec.encode(new Order(1, 2, "a text that is longer"), to))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("takes more than the 20 bytes");
        assertThatThrownBy(() -> Codecs.marshallable(Order::new, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aShorterObjectLeavesNothingOfALongerOne() {
        Codec<Order> codec = Codecs.marshallable(Order::new, 40);
        ByteBuffer first = ByteBuffer.allocate(40);
        ByteBuffer second = ByteBuffer.allocate(40);
        codec.encode(new Order(1, 2, "ab"), first);
        codec.encode(new Order(-1, -1, "something long"), ByteBuffer.allocate(40));
        codec.encode(new Order(1, 2, "ab"), second);
        assertThat(second.array()).isEqualTo(first.array());
        codec.decode(ByteBuffer.wrap(second.array().clone()));
        codec.encode(new Order(1, 2, ""), second.clear());
        assertThat(second.array()[13]).isZero();
        assertThat(second.array()[14]).isZero();
    }

    @Test
    void anObjectThatWasTooLongLeavesNothingEither() {
        class Words implements BytesMarshallable {
            private final int count;

            Words(int count) {
                this.count = count;
            }

            @Override
            @SuppressWarnings("rawtypes")
            public void writeMarshallable(BytesOut bytes) {
                for (int i = 0; i < count; i++) {
                    bytes.writeLong(-1);
                }
            }
        }
        Codec<Words> codec = Codecs.marshallable(() -> new Words(0), 16);
        ByteBuffer to = ByteBuffer.allocate(16);
        assertThatThrownBy(() -> codec.encode(new Words(3), to)).isInstanceOf(IllegalArgumentException.class);
        codec.encode(new Words(1), to.clear());
        assertThat(to.getLong(0)).isEqualTo(-1);
        assertThat(to.getLong(8)).isZero();
    }

    @Test
    void bytesThatAnObjectSkipsAreZeros() {
        class Gap implements BytesMarshallable {
            @Override
            @SuppressWarnings("rawtypes")
            public void writeMarshallable(BytesOut bytes) {
                bytes.writeByte((byte) 1);
                bytes.writeSkip(2);
                bytes.writeByte((byte) 2);
                ((Bytes<?>) bytes).writeInt(6, 3);
                bytes.writeSkip(8);
            }
        }
        byte[] memory = new byte[16];
        Arrays.fill(memory, (byte) -1);
        Codecs.marshallable(Gap::new, 14).encode(new Gap(), ByteBuffer.wrap(memory));
        assertThat(memory).containsExactly(1, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, -1, -1);
    }

    @Test
    void nothingOutsideOfAnObjectsPlaceIsWrittenOrRead() {
        Codec<Order> codec = Codecs.marshallable(Order::new, 16);
        ByteBuffer memory = ByteBuffer.allocateDirect(40).order(ByteOrder.LITTLE_ENDIAN);
        memory.position(8).limit(32);
        assertThatThrownBy(() -> codec.encode(new Order(-1, -1, "longer than 16 bytes"), memory))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(memory.position()).isEqualTo(8);
        assertThat(memory.getLong(24)).isZero();
        codec.encode(new Order(-1, -1, "abc"), memory);
        assertThat(memory.position()).isEqualTo(24);
        assertThat(memory.limit()).isEqualTo(32);
        memory.put(20, (byte) 4); // the length of the text
        assertThatThrownBy(() -> codec.decode(memory.position(8))).isInstanceOf(RuntimeException.class);
        memory.put(20, (byte) 3);
        assertThat(codec.decode(memory)).hasToString("-1 -1 abc");
        assertThat(memory.limit()).isEqualTo(32);
        memory.position(17);
        assertThatThrownBy(() -> codec.encode(new Order(), memory)).isInstanceOf(BufferOverflowException.class);
        assertThatThrownBy(() -> codec.decode(memory)).isInstanceOf(BufferUnderflowException.class);
    }

    /** Marshals a copy of itself in a buffer, in the middle of its own bytes. */
    private static final class Nested implements BytesMarshallable {
        private static final Codec<Nested> CODEC = Codecs.marshallable(Nested::new, 24);

        private int depth;
        private byte[] inner = new byte[0];

        @Override
        @SuppressWarnings("rawtypes")
        public void readMarshallable(BytesIn bytes) {
            depth = bytes.readInt();
            if (depth > 0) {
                inner = new byte[12];
                bytes.read(inner);
                assertThat(CODEC.decode(ByteBuffer.wrap(Arrays.copyOf(inner, 24))).depth)
                        .isEqualTo(depth - 1);
            }
        }

        @Override
        @SuppressWarnings("rawtypes")
        public void writeMarshallable(BytesOut bytes) {
            bytes.writeInt(depth);
            if (depth > 0) {
                Nested smaller = new Nested();
                smaller.depth = depth - 1;
                byte[] memory = new byte[24];
                CODEC.encode(smaller, ByteBuffer.wrap(memory));
                bytes.write(memory, 0, 12);
                bytes.writeInt(depth);
            }
        }
    }

    @Test
    void anObjectMayUseItsOwnCodec() throws Exception {
        Nested nested = new Nested();
        nested.depth = 3;
        FabricKind.DIRECT.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Atomic<Nested> field = Atomic.at(new RdmaPtr<>(ct.allocate(24)), Nested.CODEC);
            field.store(nested, ct);
            assertThat(field.load(ct).inner).startsWith(2, 0, 0, 0, 1, 0, 0, 0);
        });
        ByteBuffer memory = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        Nested.CODEC.encode(nested, memory);
        assertThat(memory.getInt(16)).isEqualTo(3);
        assertThat(Nested.CODEC.decode(memory.flip()).depth).isEqualTo(3);
    }

    /** Decodes another object when one is made. */
    private static final class Copying implements BytesMarshallable {
        private static final Codec<Copying> CODEC = Codecs.marshallable(Copying::make, 8);
        private static final ByteBuffer OTHER = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        private static boolean isNested;

        private long number = 7;

        static Copying make() {
            if (!isNested) {
                isNested = true;
                assertThat(CODEC.decode(OTHER.clear()).number).isZero();
                isNested = false;
            }
            return new Copying();
        }

        @Override
        @SuppressWarnings("rawtypes")
        public void readMarshallable(BytesIn bytes) {
            number = bytes.readLong();
        }

        @Override
        @SuppressWarnings("rawtypes")
        public void writeMarshallable(BytesOut bytes) {
            bytes.writeLong(number);
        }
    }

    @Test
    void anObjectMayBeMadeByUseOfItsOwnCodec() throws Exception {
        ByteBuffer memory = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        Copying.CODEC.encode(new Copying(), memory);
        assertThat(Copying.CODEC.decode(memory.flip()).number).isEqualTo(7);
        FabricKind.DIRECT.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Atomic<Copying> field = Atomic.at(new RdmaPtr<>(ct.allocate(8)), Copying.CODEC);
            field.store(new Copying(), ct);
            assertThat(field.load(ct).number).isEqualTo(7);
        });
    }

    @Test
    void anObjectThatFailsToReadIsNotReportedAsTooLong() {
        class Reader implements BytesMarshallable {
            @Override
            @SuppressWarnings("rawtypes")
            public void readMarshallable(BytesIn bytes) {
                ByteBuffer.allocate(4).putLong(bytes.readLong());
            }

            @Override
            @SuppressWarnings("rawtypes")
            public void writeMarshallable(BytesOut bytes) {
                bytes.writeLong(1);
            }
        }
        Codec<Reader> codec = Codecs.marshallable(Reader::new);
        assertThatThrownBy(() -> codec.decode(ByteBuffer.allocate(8))).isInstanceOf(BufferOverflowException.class);
    }

    @Test
    void bytesThatAnObjectKeepsCannotBeUsedLater() {
        List<Bytes<?>> kept = new ArrayList<>();
        class Keeper implements BytesMarshallable {
            @Override
            @SuppressWarnings("rawtypes")
            public void readMarshallable(BytesIn bytes) {
                kept.add((Bytes<?>) bytes);
            }

            @Override
            @SuppressWarnings("rawtypes")
            public void writeMarshallable(BytesOut bytes) {
                kept.add((Bytes<?>) bytes);
            }
        }
        Codec<Keeper> codec = Codecs.marshallable(Keeper::new, 16);
        ByteBuffer memory = ByteBuffer.allocateDirect(64);
        codec.encode(new Keeper(), memory);
        codec.decode(memory);
        for (Bytes<?> bytes : kept) {
            assertThatThrownBy(bytes::readLong).isInstanceOf(RuntimeException.class);
            assertThatThrownBy(() -> bytes.clear().writeLong(-1)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> bytes.writeInt(0, -1)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> bytes.readInt(0)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> bytes.clear().writeUtf8("text")).isInstanceOf(IllegalStateException.class);
        }
        for (int i = 0; i < 64; i++) {
            assertThat(memory.get(i)).isZero();
        }
    }

    @Test
    void anObjectThatFailsLeavesItsFieldUsable() throws Exception {
        FabricKind.DIRECT.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Trade trade = new Trade();
            trade.allocate(ct);
            Order tooLong = new Order(1, 2, "a text that is longer than forty bytes, by far");
            assertThatThrownBy(() -> trade.order.stage(tooLong, ct)).isInstanceOf(IllegalArgumentException.class);
            trade.order.stage(new Order(3, 4, "a"), ct);
            trade.point.stage(new Point(), ct);
            trade.storeStaged(ct);
            trade.fetch(ct);
            assertThat(trade.order.fetched()).hasToString("3 4 a");
        });
    }

    @Test
    void threadsShareACodec() {
        Codec<Order> codec = Codecs.marshallable(Order::new, 40);
        IntStream.range(0, 4).parallel().forEach(thread -> {
            ByteBuffer buffer = ByteBuffer.allocate(40);
            Order order = new Order(thread, thread, "of thread " + thread);
            for (int i = 0; i < 5000; i++) {
                codec.encode(order, buffer.clear());
                assertThat(codec.decode(buffer.flip())).hasToString(order.toString());
            }
        });
    }

    @Test
    void fieldsThatChronicleCannotAccessWithoutFlagsAreReported() {
        assertThat(new Hidden().value).isOne();
        Module java = Object.class.getModule();
        assumeThat(java.isOpen("java.lang.reflect", BytesMarshallable.class.getModule()))
                .isFalse(); // with that flag it works
        assertThatThrownBy(() -> Codecs.marshallable(Hidden::new))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Hidden")
                .hasMessageContaining("make the class and its fields public");
    }

    @ParameterizedTest
    @EnumSource
    void rawBytesAreReadAndWrittenAsChronicleBytes(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Trade trade = new Trade();
            trade.allocate(ct);
            Bytes<byte[]> bytes = Bytes.allocateElasticOnHeap();
            bytes.writeUtf8("thirteen more");
            long before = ct.metrics().roundTrips();
            trade.note.store(bytes, ct);
            assertThat(bytes.readRemaining()).isZero();
            bytes.clear();
            trade.note.load(bytes, 14, ct);
            assertThat(ct.metrics().roundTrips() - before).isEqualTo(2);
            assertThat(bytes.readRemaining()).isEqualTo(14);
            assertThat(bytes.readUtf8()).isEqualTo("thirteen more");

            bytes.clear();
            new Order(1, 2, "three").writeMarshallable(bytes);
            trade.order.stage(new Order(), ct);
            trade.point.stage(new Point(), ct);
            trade.note.stage(bytes, ct);
            trade.storeStaged(ct);
            trade.fetch(ct);
            bytes.clear();
            trade.note.fetched(bytes, 30);
            Order order = new Order();
            order.readMarshallable(bytes);
            assertThat(order).hasToString("1 2 three");
        });
    }

    @ParameterizedTest
    @EnumSource
    void bytesThatDoNotFitAreRejected(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Trade trade = new Trade();
            trade.allocate(ct);
            Bytes<byte[]> long33 = Bytes.wrapForRead(new byte[33]);
            assertThatThrownBy(() -> trade.note.store(long33, ct)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> trade.note.stage(long33, ct)).isInstanceOf(IndexOutOfBoundsException.class);
            Bytes<byte[]> small = Bytes.wrapForWrite(new byte[8]);
            assertThatThrownBy(() -> trade.note.load(small, 33, ct)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> trade.note.load(small, -1, ct)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> trade.note.load(small, 9, ct)).isInstanceOf(BufferOverflowException.class);
            trade.note.load(small.clear(), 8, ct);
        });
    }

    @Test
    void localMemoryIsCopiedToAndFromChronicleBytes() {
        LocalBuffer local = LocalBuffer.unregistered(24);
        Bytes<byte[]> bytes = Bytes.allocateElasticOnHeap();
        for (int i = 0; i < 20; i++) {
            bytes.writeByte((byte) i);
        }
        assertThat(local.copyFrom(bytes, 3)).isEqualTo(20);
        bytes.clear();
        local.copyTo(5, 11, bytes);
        assertThat(bytes.readRemaining()).isEqualTo(11);
        for (int i = 0; i < 11; i++) {
            assertThat(bytes.readByte()).isEqualTo((byte) (i + 2));
        }
        assertThatThrownBy(() -> local.copyTo(20, 5, bytes)).isInstanceOf(IndexOutOfBoundsException.class);
        bytes.clear();
        bytes.writeLong(-1);
        assertThatThrownBy(() -> local.copyFrom(bytes, 17)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(bytes.readRemaining()).isEqualTo(8);
    }
}
