// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import dev.remus.record.Codec;
import dev.remus.record.Codecs;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What several threads and nodes see of a lock-free queue. */
class LockFreeQueueThreadsTest {
    /** A million, if one has the time. */
    private static final int OPERATIONS = Integer.getInteger("remus.operations", 20_000);

    private static final int CELLS = 64;

    /** Items that identify their producer and its sequence number, in any size: the same word repeated. */
    private static Codec<Long> items(int bytes) {
        return Codecs.of(
                bytes,
                (item, to) -> {
                    for (int i = 0; i < bytes / Long.BYTES; i++) {
                        to.putLong(item);
                    }
                },
                from -> {
                    long item = from.getLong();
                    for (int i = 1; i < bytes / Long.BYTES; i++) {
                        assertThat(from.getLong()).as("word " + i).isEqualTo(item);
                    }
                    return item;
                });
    }

    private static LockFreeQueue<Long> shared(Codec<Long> codec, ComputeThread ct) {
        if (ct.id() == 0) {
            ct.root().set(LockFreeQueue.create(CELLS - 1, codec, ct));
        }
        ct.barrier();
        return new LockFreeQueue<>(ct.root().get(), codec, ct);
    }

    /** The books of a run, and what each thread has seen last of every producer: items of one come in their order. */
    private static final class Books {
        private final AtomicLong enqueued = new AtomicLong();
        private final AtomicLong dequeued = new AtomicLong();
        private final AtomicLong sumEnqueued = new AtomicLong();
        private final AtomicLong sumDequeued = new AtomicLong();
        private final AtomicLong[] inQueue;

        Books(int threads) {
            inQueue = new AtomicLong[threads];
            for (int i = 0; i < threads; i++) {
                inQueue[i] = new AtomicLong();
            }
        }

        void enqueue(LockFreeQueue<Long> queue, int i, int lost, ComputeThread ct) {
            long item = (long) ct.id() << 32 | i;
            long most = inQueue[ct.id()].getAndIncrement(); // others only make it less, and note that afterwards
            if (queue.tryEnqueue(item, ct)) {
                enqueued.incrementAndGet();
                sumEnqueued.addAndGet(item);
            } else {
                inQueue[ct.id()].decrementAndGet();
                assertThat(most)
                        .as("items of thread " + ct.id() + " in the queue when it was FULL")
                        .isGreaterThanOrEqualTo(CELLS - 1 - 2L * lost);
            }
        }

        boolean dequeue(LockFreeQueue<Long> queue, Map<Integer, Integer> last, ComputeThread ct) {
            Dequeued<Long> item = queue.tryDequeue(ct);
            if (item.isItem()) {
                int producer = (int) (item.item() >>> 32);
                Integer before = last.put(producer, item.item().intValue());
                assertThat(before == null || before < item.item().intValue())
                        .as("an item of thread " + producer + " behind its item " + before + ": " + item)
                        .isTrue();
                inQueue[producer].decrementAndGet();
                dequeued.incrementAndGet();
                sumDequeued.addAndGet(item.item());
            }
            return item.isItem();
        }

        void checkBalanced() {
            assertThat(dequeued.get()).isEqualTo(enqueued.get());
            assertThat(sumDequeued.get()).isEqualTo(sumEnqueued.get());
        }
    }

    static void hammer(ClusterConfig config, int bytes, int operations) throws Exception {
        Codec<Long> codec = items(bytes);
        Books books = new Books(config.totalThreads());
        TestCluster.of(config).run(ct -> {
            LockFreeQueue<Long> queue = shared(codec, ct);
            Map<Integer, Integer> last = new HashMap<>();
            for (int i = 0; i < operations; i++) {
                if (ct.random().nextBoolean()) {
                    books.enqueue(queue, i, 0, ct);
                } else {
                    books.dequeue(queue, last, ct);
                }
            }
            ct.barrier();
            if (ct.id() == 0) {
                while (books.dequeue(queue, last, ct)) {
                    // until it is empty
                }
                books.checkBalanced();
                queue.destroy(ct);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 40, 1000})
    void eightThreadsBalanceTheirBooksWithItemsOfAnySize(int bytes) throws Exception {
        hammer(TestCluster.config(2, 2, 4).checkMemory(true).build(), bytes, OPERATIONS);
    }

    @Test
    void threeNodesThatAreAllBothBalanceTheirBooks() throws Exception {
        hammer(TestCluster.configOfBoth(3, 2).build(), 8, OPERATIONS);
    }

    @Test
    void aThreadThatStopsAndOneThatIsKilledCostTheOthersNoCell() throws Exception {
        ClusterConfig config =
                TestCluster.config(1, 4, 1).onNodeLoss(OnNodeLoss.CONTINUE).build();
        Books books = new Books(4);
        Codec<Long> codec = items(8);
        AtomicInteger atWork = new AtomicInteger(2);
        try (TestCluster cluster = TestCluster.of(config).start()) {
            ComputeNode killed = cluster.computeNode(4);
            long[] memory = new long[2];
            cluster.runThreads(ct -> {
                LockFreeQueue<Long> queue = shared(codec, ct);
                Map<Integer, Integer> last = new HashMap<>();
                boolean isToStop = ct.id() >= 2;
                for (int i = 0; i < (isToStop ? 100 : OPERATIONS); i++) {
                    if (ct.random().nextBoolean()) {
                        books.enqueue(queue, i, 2, ct);
                    } else {
                        books.dequeue(queue, last, ct);
                    }
                    if (ct.id() == 0 && (i == OPERATIONS / 2 || i == OPERATIONS - 1)) {
                        memory[i == OPERATIONS / 2 ? 0 : 1] = allocated(ct);
                    }
                }
                if (ct.id() == 3) {
                    killed.abort("killed by the test");
                } else if (ct.id() == 2) {
                    while (atWork.get() > 0) { // in the cluster, and not heard of
                        Thread.onSpinWait();
                    }
                } else {
                    atWork.decrementAndGet();
                    while (atWork.get() > 0) {
                        Thread.onSpinWait();
                    }
                    while (ct.id() == 0 && books.dequeue(queue, last, ct)) {
                        // until it is empty
                    }
                }
            });
            assertThat(memory[1]).isEqualTo(memory[0]);
        }
        books.checkBalanced();
    }

    /** How far the only segment's bump pointer has come: this takes a block to see where it is. */
    private static long allocated(ComputeThread ct) {
        long block = ct.allocate(Long.BYTES);
        ct.free(block, Long.BYTES);
        return RdmaPtr.offset(block);
    }
}
