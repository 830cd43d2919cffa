// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.NodeLostException;
import dev.remus.node.ComputeThread;
import dev.remus.node.FabricKind;
import dev.remus.node.TestCluster;
import dev.remus.record.Codecs;
import dev.remus.structures.Dequeued.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What several threads and nodes see of a buffered queue. */
@Timeout(120)
class BufferedQueueThreadsTest {
    private static final int ITEMS = 600;
    private static final long PRODUCER = 1L << 32;

    private static RingQueue<Long> shared(Variant variant, int capacity, ComputeThread ct) {
        if (ct.id() == 0) {
            ct.root().set(variant.create(capacity, Codecs.LONG, 0, ct));
        }
        ct.barrier();
        RingQueue<Long> queue = variant.open(ct.root().get(), Codecs.LONG, ct);
        ct.barrier();
        return queue;
    }

    private static void produce(RingQueue<Long> queue, ComputeThread ct) {
        long first = ct.id() * PRODUCER;
        for (long item = 0; item < ITEMS; item += 4) {
            switch ((int) item % 3) {
                case 0 -> LongStream.range(first + item, first + item + 4).forEach(each -> queue.enqueue(each, ct));
                case 1 ->
                    queue.enqueueAll(
                            LongStream.range(first + item, first + item + 4)
                                    .boxed()
                                    .toList(),
                            ct);
                default ->
                    LongStream.range(first + item, first + item + 4).forEach(each -> {
                        while (!queue.tryEnqueue(each, 1_000_000, ct)) {
                            ct.pause();
                        }
                    });
            }
        }
    }

    private static List<Long> consume(RingQueue<Long> queue, int total, ComputeThread ct) {
        List<Long> items = new ArrayList<>();
        while (items.size() < total) {
            switch (ct.random().nextInt(3)) {
                case 0 -> items.add(queue.dequeue(ct));
                case 1 -> queue.dequeueAll(ct.random().nextInt(1, 9), items::add, ct);
                default -> queue.tryDequeueAll(1, items::add, ct);
            }
        }
        assertThat(queue.tryDequeue(ct).kind()).isEqualTo(Kind.EMPTY);
        return items;
    }

    @ParameterizedTest
    @CsvSource({
        "BUFFERED, DIRECT, 1", "BUFFERED, DIRECT, 5", "BUFFERED, LANES, 4", "BUFFERED, WEAK_LANES, 4",
        "RELAXED, DIRECT, 1", "RELAXED, DIRECT, 5", "RELAXED, LANES, 4", "RELAXED, WEAK_LANES, 4"
    })
    void nothingIsLostOrDuplicatedAndTheBufferedQueueKeepsTheOrderOfEachProducer(
            Variant variant, FabricKind kind, int capacity) throws Exception {
        kind.run(TestCluster.config(1, 2, 2).build(), ct -> {
            RingQueue<Long> queue = shared(variant, capacity, ct);
            if (ct.id() > 0) {
                produce(queue, ct);
            } else {
                List<Long> items = consume(queue, 3 * ITEMS, ct);
                assertThat(items).doesNotHaveDuplicates();
                if (variant == Variant.BUFFERED) {
                    Map<Long, Long> last = new HashMap<>();
                    for (long item : items) {
                        Long before = last.put(item / PRODUCER, item);
                        assertThat(item).isGreaterThan(before == null ? -1 : before);
                    }
                }
            }
            ct.barrier();
            if (ct.id() == 0) {
                queue.destroy(ct);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void destroyWakesProducersAndConsumerWhoWait(Variant variant) throws Exception {
        TestCluster.of(TestCluster.config(1, 2, 2).build()).run(ct -> {
            RingQueue<Long> full = shared(variant, 1, ct);
            RingQueue<Long> empty = shared(variant, 1, ct);
            if (ct.id() == 0) {
                full.enqueue(0L, ct);
            }
            ct.barrier();
            Throwable thrown = catchThrowable(() -> {
                switch (ct.id()) {
                    case 0 -> {
                        full.destroy(ct);
                        empty.destroy(ct);
                    }
                    case 1 -> empty.dequeue(ct);
                    case 2 -> full.enqueue(1L, ct);
                    default -> full.tryEnqueue(2L, Long.MAX_VALUE, ct);
                }
            });
            if (ct.id() == 0) {
                assertThat(thrown).isNull();
            } else {
                assertThat(thrown)
                        .isInstanceOf(QueueDestroyedException.class)
                        .hasMessageContaining("has been destroyed");
            }
            ct.barrier();
            ct.reclaimDeferred();
        });
    }

    private static final class Dead extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /** Takes the first position of a queue of capacity 2, and the block, as an enqueue does, and goes no further. */
    private static void dieInWriting(Variant variant, ComputeThread ct) throws Dead {
        long queue = ct.root().get().raw();
        ct.fetchAndAdd(queue + 64, 1);
        if (variant == Variant.RELAXED) {
            ct.compareAndSwap(queue + 320, 0, 2);
        }
        throw new Dead();
    }

    @ParameterizedTest
    @EnumSource
    void underAbortAProducerThatDiesInWritingEndsTheWaitOfAllOthers(Variant variant) throws Exception {
        Map<Integer, Throwable> thrown = new ConcurrentHashMap<>();
        try (TestCluster cluster =
                TestCluster.of(TestCluster.config(1, 3, 1).build()).start()) {
            assertThatThrownBy(() -> cluster.runThreads(ct -> {
                        RingQueue<Long> queue = shared(variant, 2, ct);
                        if (ct.id() == 2) {
                            dieInWriting(variant, ct);
                        }
                        Throwable e = catchThrowable(() -> {
                            while (ct.id() == 0) {
                                queue.dequeue(ct);
                            }
                            while (true) {
                                queue.enqueue(1L, ct);
                            }
                        });
                        thrown.put(ct.id(), e);
                        throw (NodeLostException) e;
                    }))
                    .isInstanceOf(Dead.class);
        }
        assertThat(thrown).hasSize(2);
        thrown.values().forEach(e -> assertThat(((NodeLostException) e).node()).isEqualTo(3));
    }

    @ParameterizedTest
    @EnumSource
    void underContinueTheConsumerPassesOverAProducerThatDiesInWriting(Variant variant) throws Exception {
        ClusterConfig config =
                TestCluster.config(1, 3, 1).onNodeLoss(OnNodeLoss.CONTINUE).build();
        try (TestCluster cluster = TestCluster.of(config).start()) {
            assertThatThrownBy(() -> cluster.runThreads(ct -> {
                        RingQueue<Long> queue = shared(variant, 2, ct);
                        if (ct.id() == 2) {
                            claim(variant, queue, ct);
                        }
                        ct.barrier();
                        if (ct.id() == 2) {
                            throw new Dead();
                        }
                        if (ct.id() == 0) {
                            for (long item = 0; item < 5; item++) {
                                assertThat(queue.dequeue(ct)).isEqualTo(item);
                            }
                            assertThat(queue.tryDequeue(ct).kind()).isEqualTo(Kind.EMPTY);
                        } else {
                            for (long item = 0; item < 5; item++) { // waits for room
                                queue.enqueue(item, ct);
                            }
                        }
                    }))
                    .isInstanceOf(Dead.class);
        }
    }

    /** Takes the next position, and in a relaxed queue its block, as an enqueue does. */
    private static long claim(Variant variant, RingQueue<Long> queue, ComputeThread ct) {
        long position = queue.producer.claim(1, ct);
        if (variant == Variant.RELAXED) {
            long word = queue.This.positions().pointer(queue.This.block(position));
            assertThat(queue.producer.swap(position, word, position + queue.capacity(), ct))
                    .isEqualTo(position);
        }
        return position;
    }

    @ParameterizedTest
    @EnumSource
    void underContinueTheConsumerWaitsForASlowProducerAndPassesOverOneThatGivesUp(Variant variant) throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1)
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .build())
                .run(ct -> {
                    RingQueue<Long> queue = shared(variant, 2, ct);
                    for (long item = 0; item < 6; item += 2) {
                        long position = claim(variant, queue, ct);
                        assertThat(queue.tryDequeue(ct).kind()).isEqualTo(Kind.NOT_READY);
                        assertThat(queue.tryDequeue(10_000_000, ct).kind()).isEqualTo(Kind.NOT_READY);
                        queue.stage(item, 0);
                        queue.producer.publishLast(position, 0, 1);
                        assertThat(queue.dequeue(ct)).isEqualTo(item);
                        claim(variant, queue, ct);
                        assertThat(queue.tryDequeue(ct).kind()).isEqualTo(Kind.NOT_READY);
                        queue.producer.giveUp(ct);
                        assertThat(queue.tryDequeue(ct).kind()).isEqualTo(Kind.EMPTY);
                        queue.producer.claim(1, ct); // and takes no block
                        queue.producer.giveUp(ct);
                        queue.enqueue(item + 1, ct);
                        assertThat(queue.dequeue(ct)).isEqualTo(item + 1);
                    }
                });
    }

    @ParameterizedTest
    @EnumSource
    void underContinueAnotherThreadDequeuesOnceTheConsumerIsCutOff(Variant variant) throws Exception {
        ClusterConfig config =
                TestCluster.config(1, 2, 1).onNodeLoss(OnNodeLoss.CONTINUE).build();
        try (TestCluster cluster = TestCluster.of(config).start()) {
            assertThatThrownBy(() -> cluster.runThreads(ct -> {
                        RingQueue<Long> queue = shared(variant, 2, ct);
                        if (ct.id() == 0) {
                            queue.enqueue(1L, ct);
                            queue.enqueue(2L, ct);
                            assertThat(queue.dequeue(ct)).isEqualTo(1);
                            ct.place();
                        }
                        ct.barrier();
                        if (ct.id() == 1) {
                            assertThatThrownBy(() -> queue.tryDequeue(ct)).isInstanceOf(IllegalStateException.class);
                        }
                        ct.barrier();
                        if (ct.id() == 0) {
                            throw new Dead();
                        }
                        while (!ct.peers().isLost(0)) {
                            ct.pause();
                        }
                        assertThat(queue.dequeue(ct)).isEqualTo(2);
                        assertThat(queue.tryDequeue(ct).kind()).isEqualTo(Kind.EMPTY);
                    }))
                    .isInstanceOf(Dead.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aProducerThatDiesBeforeItHasABlockIsReplacedByTheNextInTheRelaxedQueueOnly(Variant variant) throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            RingQueue<Long> queue = shared(variant, 2, ct);
            ct.fetchAndAdd(ct.root().get().raw() + 64, 1);
            queue.enqueue(1L, ct);
            assertThat(queue.tryDequeue(ct).kind()).isEqualTo(Kind.NOT_READY);
            if (variant == Variant.BUFFERED) {
                assertThat(queue.tryEnqueue(2L, ct)).isFalse();
            } else {
                queue.enqueue(2L, ct);
                assertThat(queue.dequeue(ct)).isEqualTo(2);
                assertThat(queue.dequeue(ct)).isEqualTo(1);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aLostConsumerEndsTheWaitForRoomAlsoUnderContinue(Variant variant) throws Exception {
        ClusterConfig config =
                TestCluster.config(1, 2, 1).onNodeLoss(OnNodeLoss.CONTINUE).build();
        try (TestCluster cluster = TestCluster.of(config).start()) {
            assertThatThrownBy(() -> cluster.runThreads(ct -> {
                        RingQueue<Long> queue = shared(variant, 1, ct);
                        if (ct.id() == 0) {
                            assertThat(queue.tryDequeue(ct).kind()).isEqualTo(Kind.EMPTY);
                            ct.barrier();
                            throw new Dead();
                        }
                        ct.barrier();
                        queue.enqueue(1L, ct);
                        assertThatThrownBy(() -> queue.enqueue(2L, ct))
                                .isInstanceOfSatisfying(
                                        NodeLostException.class,
                                        lost -> assertThat(lost.node()).isEqualTo(1));
                    }))
                    .isInstanceOf(Dead.class);
            cluster.computeNode(1).close();
            cluster.computeNode(2).close();
        }
    }
}
