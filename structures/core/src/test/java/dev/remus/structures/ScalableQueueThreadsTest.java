// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import dev.remus.record.Codecs;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What several threads and nodes see of a scalable queue. */
@Timeout(120)
class ScalableQueueThreadsTest {
    /** A million, if one has the time. */
    private static final int OPERATIONS = Integer.getInteger("remus.operations", 20_000);

    private static ScalableQueue<Long> shared(int capacity, ComputeThread ct) {
        if (ct.id() == 0) {
            ct.root().set(ScalableQueue.create(capacity, Codecs.LONG, ct));
        }
        ct.barrier();
        return new ScalableQueue<>(ct.root().get(), Codecs.LONG, ct);
    }

    /** What all threads did, and whether the items of each producer came in their order. */
    private static final class Books {
        private final AtomicLong enqueued = new AtomicLong();
        private final AtomicLong dequeued = new AtomicLong();

        void enqueued(long item) {
            enqueued.addAndGet(item);
        }

        void dequeued(long item, Map<Long, Long> last) {
            dequeued.addAndGet(item);
            Long before = last.put(item >>> 32, item);
            assertThat(before == null || before < item)
                    .as("item " + item + " behind " + before + " of the same producer")
                    .isTrue();
        }

        void checkBalanced() {
            assertThat(dequeued.get()).isEqualTo(enqueued.get());
        }
    }

    private static long item(int i, ComputeThread ct) {
        return (ct.id() + 1L) << 32 | i;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 64})
    void eightThreadsThatTryBalanceTheirBooks(int capacity) throws Exception {
        ClusterConfig config = TestCluster.config(2, 2, 4).checkMemory(true).build();
        Books books = new Books();
        TestCluster.of(config).run(ct -> {
            ScalableQueue<Long> queue = shared(capacity, ct);
            Map<Long, Long> last = new HashMap<>();
            for (int i = 0; i < OPERATIONS; i++) {
                if (ct.random().nextBoolean()) {
                    if (queue.tryEnqueue(item(i, ct), ct)) {
                        books.enqueued(item(i, ct));
                    }
                } else {
                    Dequeued<Long> item = queue.tryDequeue(ct);
                    if (item.isItem()) {
                        books.dequeued(item.item(), last);
                    }
                }
            }
            ct.barrier();
            if (ct.id() == 0) {
                for (Dequeued<Long> item = queue.tryDequeue(ct); item.isItem(); item = queue.tryDequeue(ct)) {
                    books.dequeued(item.item(), last);
                }
                books.checkBalanced();
                queue.destroy(ct);
            }
        });
    }

    /** A ring for so few items that both sides wait nearly always. */
    @ParameterizedTest
    @ValueSource(ints = {1, 16})
    void producersAndConsumersThatWaitPassOnEachItem(int capacity) throws Exception {
        Books books = new Books();
        TestCluster.of(TestCluster.config(2, 2, 2).build()).run(ct -> {
            ScalableQueue<Long> queue = shared(capacity, ct);
            Map<Long, Long> last = new HashMap<>();
            for (int i = 0; i < OPERATIONS / 4; i++) {
                if (ct.id() % 2 == 0) {
                    queue.enqueue(item(i, ct), ct);
                    books.enqueued(item(i, ct));
                } else {
                    books.dequeued(queue.dequeue(ct), last);
                }
            }
            ct.barrier();
            if (ct.id() == 0) {
                assertThat(queue.tryDequeue(ct)).isEqualTo(Dequeued.empty());
                books.checkBalanced();
            }
        });
    }

    @Test
    void threadsThatWaitOnAQueueThatIsDestroyedAreToldSo() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 3).build()).run(ct -> {
            ScalableQueue<Long> empty = shared(1, ct);
            ct.barrier();
            ScalableQueue<Long> full = shared(1, ct);
            if (ct.id() == 0) {
                full.enqueue(1L, ct);
            }
            ct.barrier();
            if (ct.id() == 0) {
                empty.destroy(ct);
                full.destroy(ct);
            } else {
                assertThatThrownBy(() -> {
                            if (ct.id() == 1) {
                                empty.dequeue(ct);
                            } else {
                                full.enqueue(2L, ct);
                            }
                        })
                        .isInstanceOf(QueueDestroyedException.class)
                        .hasMessageContaining("destroyed");
            }
        });
    }
}
