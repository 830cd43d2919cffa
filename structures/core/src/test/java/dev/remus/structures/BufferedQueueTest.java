// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import dev.remus.record.Codec;
import dev.remus.record.Codecs;
import dev.remus.structures.Dequeued.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What one thread sees of a buffered queue that it alone uses. */
@Tag("oldest-jdk")
@Timeout(120)
class BufferedQueueTest {
    interface Body {
        void run(ComputeThread ct);
    }

    static void withThread(Body body) throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).checkMemory(true).build()).run(body::run);
    }

    static List<Long> range(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }

    /** Until there is nothing more. */
    private static <T> List<T> drain(RingQueue<T> queue, ComputeThread ct) {
        List<T> items = new ArrayList<>();
        Dequeued<T> dequeued = queue.tryDequeue(ct);
        while (dequeued.isItem()) {
            items.add(dequeued.item());
            dequeued = queue.tryDequeue(ct);
        }
        assertThat(dequeued.kind()).isEqualTo(Kind.EMPTY);
        return items;
    }

    @ParameterizedTest
    @EnumSource
    void aNewQueueIsEmpty(Variant variant) throws Exception {
        withThread(ct -> {
            RingQueue<Long> queue = variant.make(4, Codecs.LONG, ct);
            assertThat(drain(queue, ct)).isEmpty();
            assertThat(queue.tryDequeueAll(3, item -> {}, ct)).isZero();
            assertThat(queue.capacity()).isEqualTo(4);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aFullQueueTakesNoMoreUntilOneIsDequeued(Variant variant) throws Exception {
        withThread(ct -> {
            RingQueue<Long> queue = variant.make(3, Codecs.LONG, ct);
            for (long item = 0; item < 3; item++) {
                assertThat(queue.tryEnqueue(item, ct)).isTrue();
            }
            assertThat(queue.tryEnqueue(3L, ct)).isFalse();
            assertThat(queue.tryEnqueue(3L, 1_000, ct)).isFalse();
            assertThat(queue.dequeue(ct)).isZero();
            assertThat(queue.tryEnqueue(3L, ct)).isTrue();
            assertThat(queue.tryEnqueue(4L, ct)).isFalse();
            assertThat(drain(queue, ct)).containsExactly(1L, 2L, 3L);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aQueueWithRoomForOneItemWorks(Variant variant) throws Exception {
        withThread(ct -> {
            RingQueue<Long> queue = variant.make(1, Codecs.LONG, ct);
            for (long item = 0; item < 10; item++) {
                assertThat(queue.enqueue(item, ct)).isEqualTo(item);
                assertThat(queue.tryEnqueue(-1L, ct)).isFalse();
                assertThat(queue.dequeue(ct)).isEqualTo(item);
                assertThat(drain(queue, ct)).isEmpty();
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"BUFFERED, 1", "BUFFERED, 7", "BUFFERED, 64", "RELAXED, 1", "RELAXED, 7", "RELAXED, 64"})
    void aRandomSequenceOfOperationsAnswersLikeAnArrayDeque(Variant variant, int capacity) throws Exception {
        withThread(ct -> {
            RingQueue<Long> queue = variant.make(capacity, Codecs.LONG, ct);
            Deque<Long> model = new ArrayDeque<>();
            SplittableRandom random = new SplittableRandom(capacity);
            long item = 0;
            for (int i = 0; i < 20_000; i++) {
                int room = capacity - model.size();
                switch (random.nextInt(5)) {
                    case 0 -> {
                        assertThat(queue.tryEnqueue(item, ct)).isEqualTo(room > 0);
                        if (room > 0) {
                            model.add(item);
                        }
                        item++;
                    }
                    case 1 -> {
                        List<Long> batch = range(item, item + random.nextInt(room + 1));
                        queue.enqueueAll(batch, ct);
                        model.addAll(batch);
                        item += batch.size();
                    }
                    case 2 -> {
                        if (room > 0) {
                            queue.enqueue(item, ct);
                            model.add(item++);
                        }
                    }
                    case 3 -> {
                        int most = random.nextInt(1, 40);
                        List<Long> got = new ArrayList<>();
                        int count = queue.tryDequeueAll(most, got::add, ct);
                        assertThat(got).hasSize(count).hasSizeLessThanOrEqualTo(most);
                        assertThat(got.isEmpty()).isEqualTo(model.isEmpty());
                        got.forEach(each -> assertThat(each).isEqualTo(model.remove()));
                    }
                    default -> {
                        if (model.isEmpty()) {
                            assertThat(queue.tryDequeue(ct).kind()).isEqualTo(Kind.EMPTY);
                        } else {
                            assertThat(queue.dequeue(ct)).isEqualTo(model.remove());
                        }
                    }
                }
            }
            assertThat(drain(queue, ct)).containsExactlyElementsOf(model);
            queue.destroy(ct);
        });
    }

    /** Arrays of bytes that identify their producer. */
    static Codec<byte[]> bytes(int length) {
        return Codecs.of(length, (array, buffer) -> buffer.put(array), buffer -> {
            byte[] array = new byte[length];
            buffer.get(array);
            return array;
        });
    }

    private static byte[] array(int length, int seed) {
        byte[] array = new byte[length];
        new java.util.Random(seed).nextBytes(array);
        return array;
    }

    @ParameterizedTest
    @CsvSource({
        "BUFFERED, 1", "BUFFERED, 8", "BUFFERED, 40", "BUFFERED, 1000", "BUFFERED, 70000",
        "RELAXED, 1", "RELAXED, 8", "RELAXED, 40", "RELAXED, 1000", "RELAXED, 70000"
    })
    void itemsOfAnySizeComeOutAsTheyWentIn(Variant variant, int length) throws Exception {
        withThread(ct -> {
            RingQueue<byte[]> queue = variant.make(10, bytes(length), ct);
            for (int lap = 0; lap < 5; lap++) {
                for (int i = 0; i < 3; i++) {
                    queue.enqueue(array(length, lap * 10 + i), ct);
                }
                queue.enqueueAll(
                        List.of(array(length, lap * 10 + 3), array(length, lap * 10 + 4), array(length, lap * 10 + 5)),
                        ct);
                for (int i = 0; i < 6; i++) {
                    assertThat(queue.dequeue(ct)).isEqualTo(array(length, lap * 10 + i));
                }
            }
        });
    }

    @ParameterizedTest
    @CsvSource({
        "BUFFERED, 2147483640, 4", "BUFFERED, 2147483640, 7", "BUFFERED, 9223372036854775800, 4",
        "BUFFERED, 9223372036854775800, 7", "RELAXED, 2147483640, 4", "RELAXED, 2147483640, 7",
        "RELAXED, 9223372036854775800, 4", "RELAXED, 9223372036854775800, 7"
    })
    void positionsPassTwoToTheThirtyOneAndSixtyThree(Variant variant, long start, int capacity) throws Exception {
        withThread(ct -> {
            RingQueue<Long> queue = variant.open(variant.create(capacity, Codecs.LONG, start, ct), Codecs.LONG, ct);
            for (long item = 0; item < 40; ) {
                assertThat(queue.enqueue(item, ct)).isEqualTo(start + item);
                queue.enqueueAll(range(item + 1, item + 3), ct);
                assertThat(queue.tryEnqueue(item + 3, ct)).isTrue();
                for (long end = item + 4; item < end; item++) {
                    assertThat(queue.dequeue(ct)).isEqualTo(item);
                }
                assertThat(drain(queue, ct)).isEmpty();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aBatchMayBeLargerThanLocalMemoryForIt(Variant variant) throws Exception {
        withThread(ct -> {
            RingQueue<Long> queue = variant.make(100, Codecs.LONG, ct);
            for (int lap = 0; lap < 7; lap++) {
                queue.enqueueAll(range(0, 90), ct);
                List<Long> got = new ArrayList<>();
                while (got.size() < 90) {
                    queue.dequeueAll(90 - got.size(), got::add, ct);
                }
                assertThat(got).isEqualTo(range(0, 90));
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void itemsThatAThrowingTakerHasNotSeenStayInTheQueue(Variant variant) throws Exception {
        withThread(ct -> {
            RingQueue<Long> queue = variant.make(8, Codecs.LONG, ct);
            queue.enqueueAll(range(0, 8), ct);
            assertThatThrownBy(() -> queue.dequeueAll(
                            8,
                            item -> {
                                if (item == 2) {
                                    throw new IllegalStateException("the taker's own");
                                }
                            },
                            ct))
                    .hasMessage("the taker's own");
            assertThat(queue.tryEnqueue(8L, ct)).isTrue();
            assertThat(drain(queue, ct)).containsExactly(3L, 4L, 5L, 6L, 7L, 8L);
        });
    }

    @ParameterizedTest
    @EnumSource
    void anItemThatCannotBeEncodedTakesNoPosition(Variant variant) throws Exception {
        withThread(ct -> {
            Codec<Long> picky = Codecs.of(
                    8,
                    (item, buffer) -> {
                        if (item < 0) {
                            throw new IllegalArgumentException("below 0");
                        }
                        buffer.putLong(item);
                    },
                    java.nio.ByteBuffer::getLong);
            RingQueue<Long> queue = variant.make(4, picky, ct);
            assertThatThrownBy(() -> queue.enqueue(-1L, ct)).hasMessage("below 0");
            assertThatThrownBy(() -> queue.enqueueAll(List.of(1L, -1L), ct)).hasMessage("below 0");
            queue.enqueue(5L, ct);
            assertThat(drain(queue, ct)).containsExactly(5L);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aSecondConsumerIsRefused(Variant variant) throws Exception {
        TestCluster.of(TestCluster.config(1, 2, 1).build()).run(ct -> {
            if (ct.id() == 0) {
                ct.root().set(variant.create(4, Codecs.LONG, 0, ct));
            }
            ct.barrier();
            RdmaPtr<Ring> This = ct.root().get();
            RingQueue<Long> queue = variant.open(This, Codecs.LONG, ct);
            if (ct.id() == 0) {
                queue.enqueue(1L, ct);
                queue.dequeue(ct);
                assertThatThrownBy(() -> variant.open(This, Codecs.LONG, ct).dequeue(ct))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("another handle");
            }
            ct.barrier();
            if (ct.id() == 1) {
                assertThatThrownBy(() -> queue.tryDequeue(ct))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("thread 0 does");
                queue.enqueue(2L, ct);
            }
            ct.barrier();
            if (ct.id() == 0) {
                assertThat(queue.dequeue(ct)).isEqualTo(2);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aConsumerThatWouldWaitForItselfGetsAnException(Variant variant) throws Exception {
        withThread(ct -> {
            RingQueue<Long> queue = variant.make(1, Codecs.LONG, ct);
            queue.enqueue(0L, ct);
            queue.dequeue(ct);
            queue.enqueue(1L, ct);
            assertThatThrownBy(() -> queue.enqueue(2L, ct)).hasMessageContaining("wait for itself");
        });
    }

    @ParameterizedTest
    @EnumSource
    void blocksThatWereReleasedOnALaneThatBrokeAreReleasedOnceMore(Variant variant) throws Exception {
        withThread(ct -> {
            RingQueue<Long> queue = variant.make(2, Codecs.LONG, ct);
            queue.enqueueAll(range(0, 2), ct);
            queue.dequeueAll(2, item -> {}, ct);
            ct.fetchAndAdd(queue.This.released.pointer(), -2); // as if it had been lost
            assertThat(queue.tryEnqueue(2L, ct)).isFalse();
            assertThat(queue.tryDequeue(100_000, ct).kind()).isEqualTo(Kind.EMPTY);
            assertThat(queue.tryEnqueue(2L, ct)).isTrue();
            assertThat(queue.tryEnqueue(3L, ct)).isTrue();
            assertThat(drain(queue, ct)).containsExactly(2L, 3L);
        });
    }

    @Test
    void aHandleForAnotherKindOrSizeIsRefused() throws Exception {
        withThread(ct -> {
            RdmaPtr<Ring> This = BufferedQueue.create(4, Codecs.LONG, ct);
            assertThatThrownBy(() -> new RelaxedBufferedQueue<>(This, Codecs.LONG, ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no RelaxedBufferedQueue at");
            assertThatThrownBy(() -> new BufferedQueue<>(This, Codecs.INT, ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("made for items of 8");
            assertThatThrownBy(() -> BufferedQueue.create(0, Codecs.LONG, ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("at least 1");
        });
    }

    @ParameterizedTest
    @EnumSource
    void destroyGivesAllMemoryBack(Variant variant) throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1)
                        .segmentSizeLog2(12)
                        .segmentsPerNode(1)
                        .build())
                .run(ct -> {
                    for (int i = 0; i < 100; i++) { // many times what a segment of 4 KiB holds
                        RingQueue<Long> queue = variant.make(20, Codecs.LONG, ct);
                        queue.enqueue(1L, ct);
                        queue.destroy(ct);
                        ct.reclaimDeferred();
                    }
                });
    }

    @ParameterizedTest
    @EnumSource
    void aTimedDequeueSaysWhetherAProducerIsOnItsWay(Variant variant) throws Exception {
        withThread(ct -> {
            RdmaPtr<Ring> This = variant.create(4, Codecs.LONG, 0, ct);
            RingQueue<Long> queue = variant.open(This, Codecs.LONG, ct);
            assertThat(queue.tryDequeue(100_000, ct).kind()).isEqualTo(Kind.EMPTY);
            ct.fetchAndAdd(This.raw() + 64, 1); // as a producer that is stopped right after
            assertThat(queue.tryDequeue(100_000, ct).kind()).isEqualTo(Kind.NOT_READY);
            assertThat(queue.tryDequeue(ct).kind()).isEqualTo(Kind.NOT_READY);
            queue.enqueue(1L, ct);
            assertThat(queue.tryDequeue(100_000, ct).kind()).isEqualTo(Kind.NOT_READY);
        });
    }
}
