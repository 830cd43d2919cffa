// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import dev.remus.record.Codecs;
import dev.remus.record.RemoteLongArray;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class ShardedQueueTest {
    private interface Body {
        void run(ShardedQueue<Long> queue, ComputeThread ct) throws Exception;
    }

    private static ComputeNode.Body withQueue(int capacity, int shards, Body body) {
        return ct -> {
            if (ct.id() == 0) {
                ct.root().set(ShardedQueue.create(capacity, shards, Codecs.LONG, ct));
            }
            ct.barrier();
            body.run(new ShardedQueue<>(ct.root().get(), Codecs.LONG, ct), ct);
        };
    }

    private static void run(int threads, int capacity, int shards, Body body) throws Exception {
        TestCluster.of(TestCluster.config(2, 1, threads).checkMemory(true).build())
                .run(withQueue(capacity, shards, body));
    }

    @Test
    void itCostsTheRoundTripsOfTheClassComment() throws Exception {
        TestCluster.of(TestCluster.config(2, 1, 1).build()).run(withQueue(200, 2, (queue, ct) -> {
            for (int times = 0; times < 2; times++) { // the first time, memory is allocated
                long before = ct.metrics().roundTrips();
                for (long i = 0; i < 100; i++) {
                    assertThat(queue.tryEnqueue(i, ct)).isTrue();
                }
                long enqueues = ct.metrics().roundTrips() - before;
                before = ct.metrics().roundTrips();
                for (long i = 0; i < 100; i++) {
                    assertThat(queue.tryDequeue(ct).isItem()).isTrue();
                }
                long dequeues = ct.metrics().roundTrips() - before;
                before = ct.metrics().roundTrips();
                assertThat(queue.tryDequeue(ct)).isEqualTo(Dequeued.empty());
                if (times > 0) {
                    assertThat(enqueues).isBetween(200L, 201L);
                    assertThat(dequeues).isBetween(300L, 301L);
                    assertThat(ct.metrics().roundTrips() - before).as("EMPTY").isEqualTo(2);
                }
            }
        }));
    }

    @Test
    void aThreadEnqueuesAtHomeOnlyAndDequeuesElsewhereWhenItsOwnShardIsEmpty() throws Exception {
        run(2, 5, 2, (queue, ct) -> {
            assertThat(queue.shards()).isEqualTo(2);
            if (ct.id() == 0) {
                for (long i = 0; i < 3; i++) {
                    assertThat(queue.tryEnqueue(i, ct)).isTrue();
                }
                assertThat(queue.tryEnqueue(3L, ct))
                        .as("half of the room, rounded up")
                        .isFalse();
            }
            ct.barrier();
            if (ct.id() == 1) {
                assertThat(queue.tryEnqueue(10L, ct)).isTrue();
                for (long expected : new long[] {10, 0, 1, 2}) {
                    assertThat(queue.tryDequeue(ct)).isEqualTo(Dequeued.of(expected));
                }
                assertThat(queue.tryDequeue(ct)).isEqualTo(Dequeued.empty());
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7})
    void noItemIsLostOrDuplicatedAndEachProducersLeaveInOrder(int shards) throws Exception {
        int threads = 4;
        int items = 400;
        Set<Long> taken = new ConcurrentSkipListSet<>();
        run(threads, 64, shards, (queue, ct) -> {
            long[] last = new long[threads];
            for (long i = 1; i <= items; i++) {
                while (!queue.tryEnqueue(ct.id() * 1_000L + i, ct)) {
                    take(queue, last, taken, ct);
                }
                take(queue, last, taken, ct);
            }
            ct.barrier();
            while (take(queue, last, taken, ct)) {
                // until it is empty
            }
            ct.barrier();
            assertThat(taken).hasSize(threads * items);
            if (ct.id() == 0) {
                queue.destroy(ct);
            }
        });
    }

    private static boolean take(ShardedQueue<Long> queue, long[] last, Set<Long> taken, ComputeThread ct) {
        Dequeued<Long> dequeued = queue.tryDequeue(ct);
        if (dequeued.isItem()) {
            int producer = (int) (dequeued.item() / 1_000);
            assertThat(dequeued.item()).isGreaterThan(last[producer]);
            last[producer] = dequeued.item();
            assertThat(taken.add(dequeued.item())).isTrue();
        }
        return dequeued.isItem();
    }

    @Test
    void itsShardsLieOnTheMemoryNodesInTurn() throws Exception {
        run(1, 16, 4, (queue, ct) -> {
            RemoteLongArray rings = RemoteLongArray.open(ct.root().get(), ct);
            for (int i = 0; i < 4; i++) {
                assertThat(RdmaPtr.node(rings.load(i, ct)))
                        .isEqualTo(ct.config().firstMemoryNode() + i % 2);
            }
        });
    }

    @Test
    void aNumberThatIsOutOfRangeIsReported() throws Exception {
        run(1, 1, 1, (queue, ct) -> {
            assertThatThrownBy(() -> ShardedQueue.create(10, 0, Codecs.LONG, ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1 to 4096");
            assertThatThrownBy(() -> ShardedQueue.create(10, 4_097, Codecs.LONG, ct))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> ShardedQueue.create(0, 2, Codecs.LONG, ct))
                    .isInstanceOf(IllegalArgumentException.class);
        });
    }
}
