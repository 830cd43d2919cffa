// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static dev.remus.structures.BufferedQueueTest.withThread;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.remus.node.ComputeThread;
import dev.remus.node.FabricKind;
import dev.remus.node.TestCluster;
import dev.remus.record.Codecs;
import dev.remus.structures.Dequeued.Kind;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The buffered queue without codec: of integers, and with items in place. */
@Timeout(120)
class LongBufferedQueueTest {
    private static LongBufferedQueue make(int capacity, ComputeThread ct) {
        return new LongBufferedQueue(LongBufferedQueue.create(capacity, ct), ct);
    }

    private static BufferedQueue<byte[]> inPlace(int capacity, int bytes, ComputeThread ct) {
        return new BufferedQueue<>(
                BufferedQueue.create(capacity, BufferedQueueTest.bytes(bytes), ct), BufferedQueueTest.bytes(bytes), ct);
    }

    private static long roundTrips(ComputeThread ct, Runnable operation) {
        long before = ct.metrics().roundTrips();
        operation.run();
        return ct.metrics().roundTrips() - before;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 64})
    void aRandomSequenceOfOperationsAnswersLikeAnArrayDeque(int capacity) throws Exception {
        withThread(ct -> {
            LongBufferedQueue queue = make(capacity, ct);
            Deque<Long> model = new ArrayDeque<>();
            SplittableRandom random = new SplittableRandom(capacity);
            for (long item = 0; item < 20_000; item++) {
                int room = capacity - model.size();
                switch (random.nextInt(5)) {
                    case 0 -> {
                        assertThat(queue.tryEnqueue(item, ct)).isEqualTo(room > 0);
                        if (room > 0) {
                            model.add(item);
                        }
                    }
                    case 1 -> {
                        long[] items = {-1, item, -item, item + 1, -1};
                        int count = Math.min(room, random.nextInt(4));
                        queue.enqueueAll(items, 1, count, ct);
                        for (int i = 1; i <= count; i++) {
                            model.add(items[i]);
                        }
                    }
                    case 2 -> {
                        assertThat(queue.tryDequeue(ct)).isEqualTo(model.isEmpty() ? Kind.EMPTY : Kind.ITEM);
                        if (!model.isEmpty()) {
                            assertThat(queue.dequeued()).isEqualTo(model.remove());
                        }
                    }
                    case 3 -> {
                        int most = random.nextInt(1, 40);
                        List<Long> got = new ArrayList<>();
                        assertThat(queue.tryDequeueAll(most, got::add, ct)).isEqualTo(got.size());
                        assertThat(got.size()).isLessThanOrEqualTo(most);
                        assertThat(got.isEmpty()).isEqualTo(model.isEmpty());
                        got.forEach(each -> assertThat(each).isEqualTo(model.remove()));
                    }
                    default -> {
                        if (!model.isEmpty()) {
                            assertThat(queue.dequeue(ct)).isEqualTo(model.remove());
                        }
                    }
                }
            }
        });
    }

    @Test
    void aQueueOfIntegersIsABufferedQueueWithTheCodecForThem() throws Exception {
        withThread(ct -> {
            LongBufferedQueue longs = make(4, ct);
            assertThat(longs.toString()).startsWith("LongBufferedQueue of 4 blocks");
            assertThat(longs.capacity()).isEqualTo(4);
            var This = BufferedQueue.create(4, Codecs.LONG, ct);
            new LongBufferedQueue(This, ct).enqueue(Long.MIN_VALUE, ct);
            assertThat(new BufferedQueue<>(This, Codecs.LONG, ct).dequeue(ct)).isEqualTo(Long.MIN_VALUE);
            var ofInts = BufferedQueue.create(4, BufferedQueueTest.bytes(16), ct);
            assertThatThrownBy(() -> new LongBufferedQueue(ofInts, ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("made for items of 16");
        });
    }

    @Test
    void aRangeOutsideOfTheArrayIsRefused() throws Exception {
        withThread(ct -> {
            LongBufferedQueue queue = make(4, ct);
            assertThatThrownBy(() -> queue.enqueueAll(new long[3], 1, 3, ct))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> queue.dequeueAll(0, item -> {}, ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("needs at least 1");
            assertThat(queue.tryDequeue(1_000, ct)).isEqualTo(Kind.EMPTY);
        });
    }

    @Test
    void itemsThatATakerHasNotSeenStayInTheQueue() throws Exception {
        withThread(ct -> {
            LongBufferedQueue queue = make(4, ct);
            queue.enqueueAll(new long[] {1, 2, 3}, 0, 3, ct);
            LongConsumer failing = item -> {
                if (item == 2) {
                    throw new IllegalStateException("two");
                }
            };
            assertThatThrownBy(() -> queue.dequeueAll(3, failing, ct)).hasMessage("two");
            assertThat(queue.dequeue(ct)).isEqualTo(3);
        });
    }

    @Test
    void itCostsTheRoundTripsOfABufferedQueue() throws Exception {
        withThread(ct -> {
            LongBufferedQueue queue = make(64, ct);
            queue.enqueue(0, ct);
            queue.dequeue(ct);
            assertThat(roundTrips(ct, () -> queue.enqueue(1, ct))).isEqualTo(2);
            assertThat(roundTrips(ct, () -> queue.enqueueAll(new long[16], 0, 16, ct)))
                    .isEqualTo(2);
            assertThat(roundTrips(ct, () -> queue.dequeue(ct))).isEqualTo(1);
            assertThat(roundTrips(ct, () -> queue.dequeueAll(16, item -> {}, ct)))
                    .isZero();
            assertThat(roundTrips(ct, () -> queue.tryDequeue(ct))).isEqualTo(2);
        });
    }

    @Test
    void anItemInPlaceCostsTheRoundTripsOfAnEncodedOneAndNoneIfItIsGivenUp() throws Exception {
        withThread(ct -> {
            BufferedQueue<byte[]> queue = inPlace(4, 256, ct);
            queue.stage();
            queue.enqueueStaged(ct);
            queue.dequeueInPlace(ct);
            assertThat(roundTrips(ct, queue::stage)).isZero();
            assertThat(roundTrips(ct, () -> queue.enqueueStaged(ct))).isEqualTo(2);
            assertThat(roundTrips(ct, () -> queue.tryEnqueueStaged(ct))).isEqualTo(2);
            assertThat(roundTrips(ct, () -> queue.dequeueInPlace(ct))).isEqualTo(1);
            assertThat(roundTrips(ct, () -> queue.tryDequeueInPlace(ct))).isEqualTo(1);
        });
    }

    @Test
    void anItemThatWasStagedAndGivenUpHasTakenNoPosition() throws Exception {
        withThread(ct -> {
            BufferedQueue<byte[]> queue = inPlace(4, 8, ct);
            queue.stage().putLong(1);
            assertThat(queue.tryDequeueInPlace(ct)).isEqualTo(Kind.EMPTY);
            queue.stage().putLong(2);
            assertThat(queue.enqueueStaged(ct)).isZero();
            assertThat(queue.dequeueInPlace(ct).getLong()).isEqualTo(2);
        });
    }

    @Test
    void aStagedItemForWhichThereWasNoRoomIsTriedAgainAsItIs() throws Exception {
        withThread(ct -> {
            BufferedQueue<byte[]> queue = inPlace(1, 8, ct);
            queue.stage().putLong(1);
            assertThat(queue.tryEnqueueStaged(ct)).isTrue();
            queue.stage().putLong(2);
            assertThat(queue.tryEnqueueStaged(ct)).isFalse();
            assertThat(queue.dequeueInPlace(ct).getLong()).isEqualTo(1);
            assertThat(queue.tryEnqueueStaged(ct)).isTrue();
            assertThat(queue.dequeueInPlace(ct).getLong()).isEqualTo(2);
        });
    }

    @Test
    void anItemInPlaceHasItsOwnBytesAndNoMore() throws Exception {
        withThread(ct -> {
            BufferedQueue<byte[]> queue = inPlace(4, 13, ct);
            assertThatThrownBy(queue::dequeuedInPlace)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("in place");
            for (int i = 0; i < 10; i++) {
                ByteBuffer staged = queue.stage();
                assertThat(staged.remaining()).isEqualTo(13);
                staged.putInt(i).put(12, (byte) 7);
                queue.enqueueStaged(ct);
                assertThat(queue.tryDequeueInPlace(ct)).isEqualTo(Kind.ITEM);
                ByteBuffer dequeued = queue.dequeuedInPlace();
                assertThat(dequeued.remaining()).isEqualTo(13);
                assertThat(dequeued.getInt()).isEqualTo(i);
                assertThat(dequeued.get(12)).isEqualTo((byte) 7);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = FabricKind.class,
            names = {"DIRECT", "LANES"})
    void nothingIsAllocated(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            LongBufferedQueue queue = make(64, ct);
            BufferedQueue<byte[]> bytes = inPlace(64, 24, ct);
            long[] batch = new long[4];
            long[] sum = new long[1];
            LongConsumer taker = item -> sum[0] += item;
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            int times = 20_000;
            long before = 0;
            for (int i = 0; i < 2 * times; i++) {
                if (i == times) {
                    before = threads.getThreadAllocatedBytes(
                            Thread.currentThread().getId());
                }
                queue.enqueue(i, ct);
                queue.tryEnqueue(i, ct);
                queue.enqueueAll(batch, 0, batch.length, ct);
                sum[0] += queue.dequeue(ct);
                queue.tryDequeue(ct);
                for (int left = batch.length; left > 0; ) {
                    left -= queue.dequeueAll(left, taker, ct);
                }
                bytes.stage().putLong(i);
                bytes.enqueueStaged(ct);
                bytes.tryEnqueueStaged(ct);
                sum[0] += bytes.dequeueInPlace(ct).getLong();
                bytes.tryDequeueInPlace(ct);
            }
            long allocated =
                    threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
            assertThat(allocated).isLessThan(times);
        });
    }
}
