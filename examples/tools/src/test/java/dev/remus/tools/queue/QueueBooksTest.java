package dev.remus.tools.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import dev.remus.structures.Dequeued;
import dev.remus.structures.RemoteQueue;
import dev.remus.tools.latency.LatencySummary;
import dev.remus.tools.queue.QueueWorkload.Pattern;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The books find whatever a queue does wrong. */
class QueueBooksTest {
    private static final int OPERATIONS = 1000;
    private static final int CAPACITY = 20;

    /** A queue on the Java heap; subclasses make mistakes. */
    private static class HeapQueue implements RemoteQueue<Long> {
        final Deque<Long> items = new ArrayDeque<>();
        private boolean isMistaken;

        @Override
        public boolean tryEnqueue(Long item, ComputeThread ct) {
            return items.size() < CAPACITY && items.add(item);
        }

        @Override
        public Dequeued<Long> tryDequeue(ComputeThread ct) {
            if (items.isEmpty()) {
                return Dequeued.empty();
            }
            if (isMistaken || items.size() < 2) {
                return Dequeued.of(items.remove());
            }
            isMistaken = true;
            return Dequeued.of(mistake());
        }

        Long mistake() {
            return items.remove();
        }

        @Override
        public void destroy(ComputeThread ct) {}
    }

    private static QueueTestResult run(HeapQueue queue, QueueKind kind) throws Exception {
        ClusterConfig config = TestCluster.config(1, 1, 1).build();
        QueueWorkload workload = new QueueWorkload(kind, Pattern.RANDOM, OPERATIONS, CAPACITY, 7);
        AtomicReference<QueueTestResult> result = new AtomicReference<>();
        TestCluster.of(config).run(ct -> {
            QueueBooks books = new QueueBooks(queue, true, ct);
            SplittableRandom random = new SplittableRandom(7);
            for (int i = 0; i < OPERATIONS; i++) {
                // As with several consumers: one with a single consumer would only dequeue here.
                books.operate(new QueueWorkload(QueueKind.BC, Pattern.RANDOM, OPERATIONS, CAPACITY, 7), random);
            }
            long left = books.drain();
            result.set(new QueueTestResult(
                    workload, config, books.counts(), books.latencies(), left, 1_000_000, List.of()));
        });
        return result.get();
    }

    @Test
    void aQueueThatIsRightBalancesAndItsThroughputIsOperationsByTime() throws Exception {
        QueueTestResult result = run(new HeapQueue(), QueueKind.BC);
        assertThat(result.isBalanced()).as(result.books()).isTrue();
        assertThat(result.books()).contains("each producer's in order", ": balanced");
        assertThat(result.get(QueueMetric.OP_COUNT)).isEqualTo(OPERATIONS);
        assertThat(result.get(QueueMetric.ENQUEUED)
                        + result.get(QueueMetric.FULL)
                        + result.get(QueueMetric.DEQUEUED)
                        + result.get(QueueMetric.EMPTY))
                .isEqualTo(OPERATIONS);
        assertThat(result.throughput()).isEqualTo(1e6);
    }

    @Test
    void theTimeOfEveryAttemptIsKeptByWhatItWas() throws Exception {
        QueueTestResult result = run(new HeapQueue(), QueueKind.BC);
        assertThat(count(result, QueueOperationKind.ENQUEUE))
                .isEqualTo(result.get(QueueMetric.ENQUEUED) + result.get(QueueMetric.FULL));
        assertThat(count(result, QueueOperationKind.DEQUEUE))
                .isEqualTo(result.get(QueueMetric.DEQUEUED) + result.get(QueueMetric.EMPTY));
        assertThat(result.metrics()).containsKeys("enqueue_p50_ns", "enqueue_p999_ns", "dequeue_max_ns");
    }

    private static long count(QueueTestResult result, QueueOperationKind operation) {
        return result.latencies()
                .orElseThrow()
                .summary(operation)
                .map(LatencySummary::count)
                .orElse(0L);
    }

    @Test
    void anItemThatIsLostIsFound() throws Exception {
        QueueTestResult result = run(
                new HeapQueue() {
                    @Override
                    Long mistake() {
                        items.remove();
                        return items.remove();
                    }
                },
                QueueKind.BC);
        assertThat(result.isBalanced()).isFalse();
        assertThat(result.books()).contains("NOT THE SAME ITEMS", "NOT BALANCED");
    }

    @Test
    void anItemThatComesTwiceInPlaceOfAnotherIsFound() throws Exception {
        QueueTestResult result = run(
                new HeapQueue() {
                    @Override
                    Long mistake() {
                        Long first = items.remove();
                        items.poll();
                        items.addFirst(first);
                        return first;
                    }
                },
                QueueKind.BC);
        assertThat(result.isBalanced()).isFalse();
    }

    private static final class Reordering extends HeapQueue {
        @Override
        Long mistake() {
            return items.removeLast();
        }
    }

    @Test
    void itemsOutOfOrderAreCountedAndAMistakeOnlyWhereOrderIsPromised() throws Exception {
        QueueTestResult strict = run(new Reordering(), QueueKind.BC);
        assertThat(strict.get(QueueMetric.REORDERED)).isPositive();
        assertThat(strict.isBalanced()).isFalse();
        QueueTestResult relaxed = run(new Reordering(), QueueKind.BUFFERED_RELAXED);
        assertThat(relaxed.isBalanced()).isTrue();
        assertThat(relaxed.books()).contains(" out of order: balanced");
    }

    @Test
    void anItemOfNobodyEndsTheRun() {
        assertThatThrownBy(() -> run(
                        new HeapQueue() {
                            @Override
                            Long mistake() {
                                return -1L;
                            }
                        },
                        QueueKind.BC))
                .hasMessageContaining("0xffffffffffffffff was dequeued, which no thread has enqueued");
    }

    @Test
    void inAPatternOfProducersAndConsumersAsManyAreTakenAsArePutIn() {
        for (QueueKind kind : QueueKind.values()) {
            for (int threads = 2; threads < 9; threads++) {
                QueueWorkload workload = new QueueWorkload(kind, Pattern.PRODUCER_CONSUMER, 11, 1, 0);
                int consumers = workload.consumers(threads);
                long taken = 0;
                long put = 0;
                for (int thread = 0; thread < threads; thread++) {
                    long operations = workload.operationsOf(thread, threads);
                    taken += thread < consumers ? operations : 0;
                    put += thread < consumers ? 0 : operations;
                }
                assertThat(taken).isEqualTo(put).isPositive();
            }
        }
    }
}
