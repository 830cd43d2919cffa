// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.FabricKind;
import dev.remus.node.TestCluster;
import dev.remus.record.Codec;
import dev.remus.record.Codecs;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The scalable queue, one thread at a time. */
class ScalableQueueTest {
    private static void run(ComputeNode.Body body) throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).checkMemory(true).build()).run(body);
    }

    private static ScalableQueue<Long> queue(int capacity, ComputeThread ct) {
        return new ScalableQueue<>(ScalableQueue.create(capacity, Codecs.LONG, ct), Codecs.LONG, ct);
    }

    private static Codec<byte[]> bytes(int size) {
        return Codecs.of(size, (value, to) -> to.put(value), from -> {
            byte[] value = new byte[size];
            from.get(value);
            return value;
        });
    }

    private static Dequeued<Long> polled(Queue<Long> model) {
        Long item = model.poll();
        return item == null ? Dequeued.empty() : Dequeued.of(item);
    }

    /** Also when turns wrap around, and where they change their sign. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10})
    void itAnswersLikeAQueueOnTheHeap(int capacity) throws Exception {
        run(ct -> {
            int ahead = 1 + ct.random().nextInt(6);
            int bits = ScalableQueue.turnBits(ahead, ct);
            for (long turn : new long[] {0, (1L << bits) - 5, (1L << bits - 1) - 5}) {
                ScalableQueue<Long> queue = new ScalableQueue<>(
                        ScalableQueue.create(capacity, Codecs.LONG, turn, ahead, ct), Codecs.LONG, ct);
                Queue<Long> model = new ArrayDeque<>();
                for (long i = 0; i < 4_000; i++) {
                    if (ct.random().nextInt(100) < (i / 500 % 2 == 0 ? 70 : 30)) {
                        assertThat(queue.tryEnqueue(i, ct)).isEqualTo(model.size() < capacity && model.add(i));
                    } else {
                        assertThat(queue.tryDequeue(ct)).isEqualTo(polled(model));
                    }
                }
                queue.destroy(ct);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 40, 1000})
    void itemsOfAnySizeComeOutAsTheyWentIn(int size) throws Exception {
        run(ct -> {
            Codec<byte[]> codec = bytes(size);
            ScalableQueue<byte[]> queue = new ScalableQueue<>(ScalableQueue.create(5, codec, ct), codec, ct);
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

    /** In vain, both ways, so often that positions claimed in vain would have used up all cells. */
    @Test
    void attemptsInVainChangeNothing() throws Exception {
        run(ct -> {
            ScalableQueue<Long> queue = queue(3, ct);
            for (long i = 0; i < 3; i++) {
                assertThat(queue.tryEnqueue(i, ct)).isTrue();
            }
            for (int i = 0; i < 100; i++) {
                assertThat(queue.tryEnqueue(9L, ct)).isFalse();
            }
            for (long i = 0; i < 3; i++) {
                assertThat(queue.tryDequeue(ct)).isEqualTo(Dequeued.of(i));
            }
            for (int i = 0; i < 100; i++) {
                assertThat(queue.tryDequeue(ct)).isEqualTo(Dequeued.empty());
            }
            assertThat(queue.tryEnqueue(4L, ct)).isTrue();
            assertThat(queue.tryDequeue(ct)).isEqualTo(Dequeued.of(4L));
        });
    }

    @Test
    void aQueueThatIsDestroyedGivesBackItsItems() throws Exception {
        run(ct -> {
            long before = 0;
            for (int round = 0; round < 50; round++) {
                ScalableQueue<Long> queue = queue(40, ct);
                for (long i = 0; i < 70; i++) {
                    queue.tryEnqueue(i, ct);
                    if (i % 2 == 0) {
                        queue.tryDequeue(ct);
                    }
                }
                queue.destroy(ct);
                ct.reclaimDeferred();
                long block = ct.allocate(4096);
                ct.free(block, 4096);
                before = round == 1 ? block : before;
                assertThat(round < 1 ? before : block).isEqualTo(before);
            }
        });
    }

    @Test
    void aPointerToAnythingButAQueueOfTheseItemsIsRefused() throws Exception {
        run(ct -> {
            RdmaPtr<TurnRing> This = ScalableQueue.create(7, Codecs.LONG, ct);
            assertThatThrownBy(() -> new ScalableQueue<>(This, Codecs.INT, ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("items of 8");
            RdmaPtr<TurnRing> block = new RdmaPtr<>(ct.allocate(4096));
            assertThatThrownBy(() -> new ScalableQueue<>(block, Codecs.LONG, ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no ScalableQueue");
            for (int capacity : new int[] {0, -1, TurnRing.MAX_CAPACITY + 1}) {
                assertThatThrownBy(() -> ScalableQueue.create(capacity, Codecs.LONG, ct))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("needs 1 to");
            }
        });
    }

    @ParameterizedTest
    @EnumSource(FabricKind.class)
    void operationsTakeTheRoundTripsThatTheirClassPromises(FabricKind fabric) throws Exception {
        fabric.run(TestCluster.config(1, 1, 1).build(), ct -> {
            ScalableQueue<Long> queue = queue(200, ct);
            warmUp(queue, ct);
            long before = ct.metrics().roundTrips();
            for (long i = 0; i < 200; i++) {
                assertThat(queue.tryEnqueue(i, ct)).isTrue();
            }
            assertThat(ct.metrics().roundTrips() - before).as("200 enqueues").isBetween(400L, 401L);
            before = ct.metrics().roundTrips();
            assertThat(queue.tryEnqueue(0L, ct)).isFalse();
            assertThat(ct.metrics().roundTrips() - before).as("FULL").isBetween(4L, 8L);
            before = ct.metrics().roundTrips();
            for (long i = 0; i < 200; i++) {
                assertThat(queue.tryDequeue(ct).isItem()).isTrue();
            }
            assertThat(ct.metrics().roundTrips() - before).as("200 dequeues").isBetween(600L, 601L);
            before = ct.metrics().roundTrips();
            assertThat(queue.tryDequeue(ct)).isEqualTo(Dequeued.empty());
            assertThat(ct.metrics().roundTrips() - before).as("EMPTY").isEqualTo(1);
        });
    }

    @ParameterizedTest
    @EnumSource(value = FabricKind.class, names = "WEAK_LANES", mode = EnumSource.Mode.EXCLUDE) // too short
    void sixteenItemsTakeHardlyMoreRoundTripsThanOne(FabricKind fabric) throws Exception {
        fabric.run(TestCluster.config(1, 1, 1).build(), ct -> {
            ScalableQueue<Long> queue = queue(200, ct);
            warmUp(queue, ct);
            List<Long> items = LongStream.range(0, 16).boxed().toList();
            long before = ct.metrics().roundTrips();
            for (int i = 0; i < 10; i++) {
                queue.enqueueAll(items, ct);
            }
            assertThat(ct.metrics().roundTrips() - before).as("160 enqueues").isBetween(20L, 21L);
            before = ct.metrics().roundTrips();
            for (int i = 0; i < 10; i++) {
                assertThat(queue.tryDequeueAll(16, ct)).isEqualTo(items);
            }
            assertThat(ct.metrics().roundTrips() - before).as("160 dequeues").isBetween(30L, 31L);
            assertThat(queue.tryDequeueAll(16, ct)).isEmpty();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 100})
    void batchesOfAnySizeKeepTheOrderOfTheirItems(int capacity) throws Exception {
        run(ct -> {
            ScalableQueue<Long> queue = queue(capacity, ct);
            long enqueued = 0;
            long dequeued = 0;
            for (int round = 0; round < 300; round++) {
                int count = (int) Math.min(ct.random().nextInt(50), capacity - (enqueued - dequeued));
                queue.enqueueAll(
                        LongStream.range(enqueued, enqueued + count).boxed().toList(), ct);
                enqueued += count;
                for (long item : queue.tryDequeueAll(1 + ct.random().nextInt(50), ct)) {
                    assertThat(item).isEqualTo(dequeued++);
                }
            }
            assertThatThrownBy(() -> queue.tryDequeueAll(0, ct)).isInstanceOf(IllegalArgumentException.class);
            queue.destroy(ct);
        });
    }

    /** Afterwards this thread has free blocks for all items, so that none of them costs a round trip. */
    private static void warmUp(ScalableQueue<Long> queue, ComputeThread ct) {
        for (long i = 0; i < 200; i++) {
            queue.tryEnqueue(i, ct);
        }
        while (queue.tryDequeue(ct).isItem()) {
            // until it is empty
        }
    }
}
