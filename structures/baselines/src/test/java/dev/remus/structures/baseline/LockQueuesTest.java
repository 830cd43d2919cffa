// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import dev.remus.record.Codec;
import dev.remus.record.Codecs;
import dev.remus.structures.Dequeued;
import dev.remus.structures.RemoteQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The two lock-based queues on shared memory. */
@Tag("oldest-jdk")
@Timeout(120)
class LockQueuesTest {
    private enum Kind {
        CENTRALIZED {
            @Override
            RdmaPtr<?> create(int capacity, Codec<?> codec, ComputeThread ct) {
                return CentralizedLockQueue.create(capacity, codec, ct);
            }

            @Override
            <T> RemoteQueue<T> open(RdmaPtr<?> This, Codec<T> codec, ComputeThread ct) {
                return new CentralizedLockQueue<>(new RdmaPtr<>(This.raw()), codec, ct);
            }
        },
        DECENTRALIZED {
            @Override
            RdmaPtr<?> create(int capacity, Codec<?> codec, ComputeThread ct) {
                return DecentralizedLockQueue.create(capacity, codec, ct);
            }

            @Override
            <T> RemoteQueue<T> open(RdmaPtr<?> This, Codec<T> codec, ComputeThread ct) {
                return new DecentralizedLockQueue<>(new RdmaPtr<>(This.raw()), codec, ct);
            }
        };

        abstract RdmaPtr<?> create(int capacity, Codec<?> codec, ComputeThread ct);

        abstract <T> RemoteQueue<T> open(RdmaPtr<?> This, Codec<T> codec, ComputeThread ct);

        <T> RemoteQueue<T> make(int capacity, Codec<T> codec, ComputeThread ct) {
            return open(create(capacity, codec, ct), codec, ct);
        }
    }

    private interface Body {
        void run(ComputeThread ct) throws Exception;
    }

    private static void alone(Body body) throws Exception {
        ClusterConfig config = TestCluster.config(1, 1, 1).checkMemory(true).build();
        TestCluster.of(config).run(body::run);
    }

    private static Codec<byte[]> bytes(int length) {
        return Codecs.of(length, (item, to) -> to.put(item), from -> {
            byte[] item = new byte[length];
            from.get(item);
            return item;
        });
    }

    @ParameterizedTest
    @CsvSource({
        "CENTRALIZED,1",
        "CENTRALIZED,2",
        "CENTRALIZED,7",
        "DECENTRALIZED,1",
        "DECENTRALIZED,2",
        "DECENTRALIZED,7"
    })
    void aRandomSequenceOfOperationsAnswersLikeAnArrayDeque(Kind kind, int capacity) throws Exception {
        alone(ct -> {
            RemoteQueue<Long> queue = kind.make(capacity, Codecs.LONG, ct);
            Deque<Long> model = new ArrayDeque<>();
            SplittableRandom random = new SplittableRandom(capacity);
            for (long i = 0; i < 3_000; i++) {
                if (random.nextBoolean()) {
                    boolean hasRoom = model.size() < capacity;
                    assertThat(queue.tryEnqueue(i, ct)).as("enqueue %d", i).isEqualTo(hasRoom);
                    if (hasRoom) {
                        model.add(i);
                    }
                } else {
                    Dequeued<Long> expected = model.isEmpty() ? Dequeued.empty() : Dequeued.of(model.remove());
                    assertThat(queue.tryDequeue(ct)).isEqualTo(expected);
                }
            }
            queue.destroy(ct);
        });
    }

    @ParameterizedTest
    @EnumSource
    void itemsMayHaveAnySize(Kind kind) throws Exception {
        alone(ct -> {
            for (int size : new int[] {1, 8, 40, 1000}) {
                RemoteQueue<byte[]> queue = kind.make(2, bytes(size), ct);
                for (int i = 0; i < 10; i++) {
                    byte[] item = new byte[size];
                    Arrays.fill(item, (byte) (i + 1));
                    assertThat(queue.tryEnqueue(item, ct)).isTrue();
                    assertThat(queue.tryDequeue(ct).item()).isEqualTo(item);
                }
                queue.destroy(ct);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aQueueIsFullForAThreadWhoseItemsFillItsPartWhateverOthersDo(Kind kind) throws Exception {
        TestCluster.of(TestCluster.configOfBoth(2, 1).checkMemory(true).build()).run(ct -> {
            if (ct.id() == 0) {
                ct.root().set(kind.create(2, Codecs.LONG, ct));
            }
            ct.barrier();
            RemoteQueue<Long> queue = kind.open(ct.root().get(), Codecs.LONG, ct);
            if (ct.id() == 0) {
                assertThat(queue.tryEnqueue(1L, ct)).isTrue();
                assertThat(queue.tryEnqueue(2L, ct)).isTrue();
                assertThat(queue.tryEnqueue(3L, ct)).isFalse();
            }
            ct.barrier();
            if (ct.id() == 1) {
                assertThat(queue.tryEnqueue(4L, ct)).isTrue();
                assertThat(queue.tryDequeue(ct)).isEqualTo(Dequeued.of(1L));
            }
            ct.barrier();
            if (ct.id() == 0) {
                assertThat(queue.tryEnqueue(5L, ct)).isTrue();
                assertThat(queue.tryEnqueue(6L, ct)).isFalse();
                for (long expected : new long[] {2, 4, 5}) {
                    assertThat(queue.tryDequeue(ct)).isEqualTo(Dequeued.of(expected));
                }
                assertThat(queue.tryDequeue(ct)).isEqualTo(Dequeued.empty());
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"CENTRALIZED,1", "CENTRALIZED,20", "DECENTRALIZED,1", "DECENTRALIZED,20"})
    void nothingIsLostOrDuplicatedAndEachProducersItemsStayInOrder(Kind kind, int capacity) throws Exception {
        int items = 200;
        ConcurrentLinkedQueue<List<Long>> received = new ConcurrentLinkedQueue<>();
        TestCluster.of(TestCluster.config(2, 2, 2).build()).run(ct -> {
            if (ct.id() == 0) {
                ct.root().set(kind.create(capacity, Codecs.LONG, ct));
            }
            ct.barrier();
            RemoteQueue<Long> queue = kind.open(ct.root().get(), Codecs.LONG, ct);
            List<Long> mine = new ArrayList<>();
            for (int i = 0; i < items; ) {
                if (queue.tryEnqueue((long) ct.id() * items + i, ct)) {
                    i++;
                }
                Dequeued<Long> dequeued = queue.tryDequeue(ct);
                if (dequeued.isItem()) {
                    mine.add(dequeued.item());
                }
            }
            ct.barrier();
            for (Dequeued<Long> d = queue.tryDequeue(ct); d.isItem(); d = queue.tryDequeue(ct)) {
                mine.add(d.item());
            }
            received.add(mine);
            ct.barrier();
            if (ct.id() == 0) {
                queue.destroy(ct);
            }
        });
        assertThat(received.stream().flatMap(List::stream).distinct().count())
                .isEqualTo(received.stream().mapToLong(List::size).sum())
                .isEqualTo(4L * items);
        for (List<Long> of : received) {
            Map<Long, Long> last = new HashMap<>();
            for (long item : of) {
                Long before = last.put(item / items, item);
                assertThat(before == null || before < item).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void destroyGivesAllMemoryBack(Kind kind) throws Exception {
        ClusterConfig config = TestCluster.config(1, 1, 1)
                .segmentSizeLog2(13)
                .segmentsPerNode(1)
                .build();
        TestCluster.of(config).run(ct -> {
            for (int i = 0; i < 100; i++) {
                RemoteQueue<Long> queue = kind.make(4, Codecs.LONG, ct);
                queue.tryEnqueue(1L, ct);
                queue.destroy(ct);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aHandleMadeLaterTakesOver(Kind kind) throws Exception {
        alone(ct -> {
            RdmaPtr<?> This = kind.create(2, Codecs.LONG, ct);
            for (long i = 0; i < 7; i++) {
                RemoteQueue<Long> queue = kind.open(This, Codecs.LONG, ct);
                assertThat(queue.tryEnqueue(i, ct)).isTrue();
                assertThat(queue.tryDequeue(ct)).isEqualTo(Dequeued.of(i));
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void impossibleCapacitiesAndCodecsAreRefused(Kind kind) throws Exception {
        alone(ct -> {
            assertThatThrownBy(() -> kind.create(0, Codecs.LONG, ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("0 items");
            RdmaPtr<?> This = kind.create(1, Codecs.LONG, ct);
            assertThatThrownBy(() -> kind.open(This, Codecs.UUID, ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("items of 8");
        });
    }

    @ParameterizedTest
    @CsvSource({"CENTRALIZED,11,15,10,10,5,5", "DECENTRALIZED,35,25,20,10,10,1"})
    void theyCostTheRoundTripsOfTheirClassComments(
            Kind kind, long intoEmpty, long enqueue, long dequeue, long dequeueLast, long empty, long full)
            throws Exception {
        TestCluster.of(TestCluster.config(1, 2, 1).build()).run(ct -> {
            if (ct.id() == 0) {
                RemoteQueue<Long> queue = kind.make(2, Codecs.LONG, ct);
                long[] trips = new long[6];
                trips[0] = roundTrips(ct, () -> queue.tryEnqueue(1L, ct));
                trips[1] = roundTrips(ct, () -> queue.tryEnqueue(2L, ct));
                trips[5] = roundTrips(ct, () -> queue.tryEnqueue(3L, ct));
                trips[2] = roundTrips(ct, () -> queue.tryDequeue(ct));
                trips[3] = roundTrips(ct, () -> queue.tryDequeue(ct));
                trips[4] = roundTrips(ct, () -> queue.tryDequeue(ct));
                assertThat(trips).containsExactly(intoEmpty, enqueue, dequeue, dequeueLast, empty, full);
            }
        });
    }

    private static long roundTrips(ComputeThread ct, Runnable operation) {
        long before = ct.metrics().roundTrips();
        operation.run();
        return ct.metrics().roundTrips() - before;
    }
}
