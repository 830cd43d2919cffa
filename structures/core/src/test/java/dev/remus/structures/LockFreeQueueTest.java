// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import dev.remus.record.Codec;
import dev.remus.record.Codecs;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import net.openhft.chronicle.bytes.BytesIn;
import net.openhft.chronicle.bytes.BytesMarshallable;
import net.openhft.chronicle.bytes.BytesOut;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lock-free queue, one thread at a time. */
class LockFreeQueueTest {
    private static void run(ComputeNode.Body body) throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).checkMemory(true).build()).run(body);
    }

    private static LockFreeQueue<Long> queue(int capacity, ComputeThread ct) {
        return new LockFreeQueue<>(LockFreeQueue.create(capacity, Codecs.LONG, ct), Codecs.LONG, ct);
    }

    private static Codec<byte[]> bytes(int size) {
        return Codecs.of(size, (value, to) -> to.put(value), from -> take(size, from));
    }

    private static byte[] take(int size, ByteBuffer from) {
        byte[] value = new byte[size];
        from.get(value);
        return value;
    }

    @Test
    void itAnswersLikeAQueueOnTheHeap() throws Exception {
        run(ct -> {
            LockFreeQueue<Long> queue = queue(10, ct);
            Queue<Long> model = new ArrayDeque<>();
            for (long i = 0; i < 20_000; i++) {
                if (ct.random().nextInt(100) < (i / 1_000 % 2 == 0 ? 70 : 30)) {
                    boolean enqueued = queue.tryEnqueue(i, ct);
                    assertThat(enqueued).isEqualTo(model.size() < 10 || enqueued && model.size() == 10);
                    if (enqueued) {
                        model.add(i);
                    }
                } else {
                    assertThat(queue.tryDequeue(ct)).isEqualTo(polled(model));
                }
            }
            queue.destroy(ct);
        });
    }

    /** An item that marshals itself by Chronicle Bytes. */
    private static final class Price implements BytesMarshallable {
        private long id;
        private double amount;

        @Override
        @SuppressWarnings("rawtypes")
        public void readMarshallable(BytesIn bytes) {
            id = bytes.readLong();
            amount = bytes.readDouble();
        }

        @Override
        @SuppressWarnings("rawtypes")
        public void writeMarshallable(BytesOut bytes) {
            bytes.writeLong(id);
            bytes.writeDouble(amount);
        }
    }

    @Test
    void objectsThatMarshalThemselvesAreItemsWithoutACodecOfTheirOwn() throws Exception {
        run(ct -> {
            Codec<Price> codec = Codecs.marshallable(Price::new);
            LockFreeQueue<Price> queue = new LockFreeQueue<>(LockFreeQueue.create(5, codec, ct), codec, ct);
            Price price = new Price();
            price.id = 3;
            price.amount = 4.5;
            assertThat(queue.tryEnqueue(price, ct)).isTrue();
            Price found = queue.tryDequeue(ct).item();
            assertThat(found.id).isEqualTo(3);
            assertThat(found.amount).isEqualTo(4.5);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 40, 1000})
    void itemsOfAnySizeComeOutAsTheyWentIn(int size) throws Exception {
        run(ct -> {
            Codec<byte[]> codec = bytes(size);
            LockFreeQueue<byte[]> queue = new LockFreeQueue<>(LockFreeQueue.create(5, codec, ct), codec, ct);
            for (int round = 0; round < 20; round++) {
                for (int i = 0; i < 5; i++) {
                    byte[] item = new byte[size];
                    Arrays.fill(item, (byte) (round * 5 + i));
                    assertThat(queue.tryEnqueue(item, ct)).isTrue();
                }
                for (int i = 0; i < 5; i++) {
                    byte[] expected = new byte[size];
                    Arrays.fill(expected, (byte) (round * 5 + i));
                    assertThat(queue.tryDequeue(ct).item()).isEqualTo(expected);
                }
                assertThat(queue.tryDequeue(ct)).isEqualTo(Dequeued.empty());
            }
            queue.destroy(ct);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 100})
    void aFullQueueAnswersFullAndHasRoomAgainAfterADequeue(int capacity) throws Exception {
        run(ct -> {
            LockFreeQueue<Long> queue = queue(capacity, ct);
            for (int round = 0; round < 3; round++) {
                long enqueued = 0;
                while (queue.tryEnqueue(enqueued, ct)) {
                    enqueued++;
                }
                assertThat(enqueued).isBetween((long) capacity, capacity + 1L);
                for (long i = 0; i < enqueued; i++) {
                    assertThat(queue.tryDequeue(ct).item()).isEqualTo(i);
                }
                assertThat(queue.tryDequeue(ct).isItem()).isFalse();
            }
            queue.destroy(ct);
        });
    }

    @Test
    void anotherHandleOfTheSameThreadGoesOnWhereTheFirstOneEnded() throws Exception {
        run(ct -> {
            RdmaPtr<CellList> This = LockFreeQueue.create(7, Codecs.LONG, ct);
            Queue<Long> model = new ArrayDeque<>();
            for (long i = 0; i < 200; i++) {
                LockFreeQueue<Long> queue = new LockFreeQueue<>(This, Codecs.LONG, ct);
                for (long j = 0; j < i % 11; j++) {
                    if (queue.tryEnqueue(100 * i + j, ct)) {
                        model.add(100 * i + j);
                    }
                }
                assertThat(model).hasSizeLessThanOrEqualTo(8);
                for (long j = 0; j < i % 6; j++) {
                    assertThat(queue.tryDequeue(ct)).isEqualTo(polled(model));
                }
            }
        });
    }

    @Test
    void twoHandlesThatEnqueueForTheSameThreadAreReported() throws Exception {
        run(ct -> {
            RdmaPtr<CellList> This = LockFreeQueue.create(7, Codecs.LONG, ct);
            LockFreeQueue<Long> one = new LockFreeQueue<>(This, Codecs.LONG, ct);
            LockFreeQueue<Long> other = new LockFreeQueue<>(This, Codecs.LONG, ct);
            one.tryEnqueue(1L, ct);
            other.tryEnqueue(2L, ct);
            assertThatThrownBy(() -> one.tryEnqueue(3L, ct))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("two handles");
        });
    }

    @Test
    void aPointerToAnythingButAQueueOfTheseItemsIsRefused() throws Exception {
        run(ct -> {
            RdmaPtr<CellList> This = LockFreeQueue.create(7, Codecs.LONG, ct);
            assertThatThrownBy(() -> new LockFreeQueue<>(This, Codecs.INT, ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("bytes of an item");
            RdmaPtr<CellList> block = new RdmaPtr<>(ct.allocate(4096));
            assertThatThrownBy(() -> new LockFreeQueue<>(block, Codecs.LONG, ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no LockFreeQueue");
            assertThatThrownBy(() -> LockFreeQueue.create(0, Codecs.LONG, ct))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> LockFreeQueue.create(Integer.MAX_VALUE - 1, Codecs.LONG, ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("generation");
        });
    }

    /** Once a cell of generation 0 looked as if it had never been used, and a new handle took it for a free one. */
    @Test
    void aNewHandleKeepsTheItemsThatAreThereWhenGenerationsBeginAgain() throws Exception {
        for (long before = 1; before <= 4; before++) {
            long first = -before;
            run(ct -> {
                RdmaPtr<CellList> This = LockFreeQueue.create(3, Codecs.LONG, first, ct);
                LockFreeQueue<Long> queue = new LockFreeQueue<>(This, Codecs.LONG, ct);
                assertThat(queue.tryEnqueue(1L, ct)).isTrue();
                assertThat(queue.tryEnqueue(2L, ct)).isTrue();
                assertThat(queue.tryEnqueue(3L, ct)).isTrue();
                LockFreeQueue<Long> another = new LockFreeQueue<>(This, Codecs.LONG, ct);
                assertThat(another.tryEnqueue(4L, ct))
                        .as("into the cell beside those for three")
                        .isTrue();
                assertThat(another.tryEnqueue(5L, ct)).isFalse();
                for (long item = 1; item <= 4; item++) {
                    assertThat(another.tryDequeue(ct)).isEqualTo(Dequeued.of(item));
                }
                assertThat(another.tryDequeue(ct)).isEqualTo(Dequeued.empty());
            });
        }
    }

    @Test
    void withoutOthersAnOperationTakesTwoRoundTrips() throws Exception {
        run(ct -> {
            LockFreeQueue<Long> queue = queue(1_000, ct);
            queue.tryEnqueue(0L, ct); // makes the pool
            queue.tryEnqueue(0L, ct);
            queue.tryDequeue(ct);
            queue.tryDequeue(ct);
            long before = ct.metrics().roundTrips();
            for (long i = 0; i < 16; i++) {
                queue.tryEnqueue(i, ct);
            }
            assertThat(ct.metrics().roundTrips() - before).isEqualTo(2 * 16);
            before = ct.metrics().roundTrips();
            queue.tryDequeue(ct); // comes over the cells that the two dequeues left
            for (long i = 1; i < 16; i++) {
                queue.tryDequeue(ct);
            }
            assertThat(ct.metrics().roundTrips() - before).isBetween(2L * 16, 2L * 16 + 2);
            before = ct.metrics().roundTrips();
            assertThat(queue.tryDequeue(ct)).isEqualTo(Dequeued.empty());
            assertThat(ct.metrics().roundTrips() - before).isEqualTo(1);
        });
    }

    private static Dequeued<Long> polled(Queue<Long> model) {
        Long item = model.poll();
        return item == null ? Dequeued.empty() : Dequeued.of(item);
    }
}
