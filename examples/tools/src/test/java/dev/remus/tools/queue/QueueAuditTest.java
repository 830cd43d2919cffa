// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import dev.remus.structures.Dequeued;
import dev.remus.structures.RemoteQueue;
import dev.remus.tools.harness.Losses;
import dev.remus.tools.latency.LatencySummary;
import dev.remus.tools.queue.QueueWorkload.Pattern;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests that the audit finds every kind of error of a queue. */
class QueueAuditTest {
    private static final int OPERATIONS = 1000;
    private static final int CAPACITY = 20;

    /** A queue on the Java heap, whose subclasses dequeue one item wrongly. */
    private static class HeapQueue implements RemoteQueue<Long> {
        final Deque<Long> items = new ArrayDeque<>();
        private boolean hasFailed;

        @Override
        public boolean tryEnqueue(Long item, ComputeThread ct) {
            return items.size() < CAPACITY && items.add(item);
        }

        @Override
        public Dequeued<Long> tryDequeue(ComputeThread ct) {
            if (items.isEmpty()) {
                return Dequeued.empty();
            }
            if (hasFailed || items.size() < 2) {
                return Dequeued.of(items.remove());
            }
            hasFailed = true;
            return Dequeued.of(dequeueWrongly());
        }

        Long dequeueWrongly() {
            return items.remove();
        }

        @Override
        public void destroy(ComputeThread ct) {}
    }

    private static QueueRunResult run(HeapQueue queue, QueueKind kind) throws Exception {
        ClusterConfig config = TestCluster.config(1, 1, 1).build();
        QueueWorkload workload = new QueueWorkload(kind, Pattern.RANDOM, OPERATIONS, CAPACITY, 7);
        AtomicReference<QueueRunResult> result = new AtomicReference<>();
        TestCluster.of(config).run(ct -> {
            QueueAudit audit = new QueueAudit(queue, true, ct);
            SplittableRandom random = new SplittableRandom(7);
            for (int i = 0; i < OPERATIONS; i++) {
                // BC allows several consumers; with a single one, this thread would only dequeue.
                audit.operate(new QueueWorkload(QueueKind.BC, Pattern.RANDOM, OPERATIONS, CAPACITY, 7), random);
            }
            audit.drain(workload);
            QueueRest rest = QueueRest.of(audit.left());
            result.set(new QueueRunResult(
                    workload, config, audit.counts(), audit.latencies(), rest, 1_000_000, List.of()));
        });
        return result.get();
    }

    @Test
    void aCorrectQueueBalancesAndItsThroughputIsOperationsPerTime() throws Exception {
        QueueRunResult result = run(new HeapQueue(), QueueKind.BC);
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
    void theLatencyOfEveryAttemptIsRecordedByItsKind() throws Exception {
        QueueRunResult result = run(new HeapQueue(), QueueKind.BC);
        assertThat(count(result, QueueOperationKind.ENQUEUE))
                .isEqualTo(result.get(QueueMetric.ENQUEUED) + result.get(QueueMetric.FULL));
        assertThat(count(result, QueueOperationKind.DEQUEUE))
                .isEqualTo(result.get(QueueMetric.DEQUEUED) + result.get(QueueMetric.EMPTY));
        assertThat(result.metrics()).containsKeys("enqueue_p50_ns", "enqueue_p999_ns", "dequeue_max_ns");
    }

    private static long count(QueueRunResult result, QueueOperationKind operation) {
        return result.latencies()
                .orElseThrow()
                .summary(operation)
                .map(LatencySummary::count)
                .orElse(0L);
    }

    @Test
    void aLostItemFailsTheAudit() throws Exception {
        QueueRunResult result = run(
                new HeapQueue() {
                    @Override
                    Long dequeueWrongly() {
                        items.remove();
                        return items.remove();
                    }
                },
                QueueKind.BC);
        assertThat(result.isBalanced()).isFalse();
        assertThat(result.books()).contains("NOT THE SAME ITEMS", "NOT BALANCED");
    }

    @Test
    void anItemDequeuedTwiceInPlaceOfAnotherFailsTheAudit() throws Exception {
        QueueRunResult result = run(
                new HeapQueue() {
                    @Override
                    Long dequeueWrongly() {
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
        Long dequeueWrongly() {
            return items.removeLast();
        }
    }

    @Test
    void itemsOutOfOrderAreCountedAndFailTheAuditOnlyIfOrderIsGuaranteed() throws Exception {
        QueueRunResult strict = run(new Reordering(), QueueKind.BC);
        assertThat(strict.get(QueueMetric.REORDERED)).isPositive();
        assertThat(strict.isBalanced()).isFalse();
        QueueRunResult relaxed = run(new Reordering(), QueueKind.BUFFERED_RELAXED);
        assertThat(relaxed.isBalanced()).isTrue();
        assertThat(relaxed.books()).contains(" out of order: balanced");
    }

    @Test
    void anItemThatNoThreadEnqueuedEndsTheRun() {
        assertThatThrownBy(() -> run(
                        new HeapQueue() {
                            @Override
                            Long dequeueWrongly() {
                                return -1L;
                            }
                        },
                        QueueKind.BC))
                .hasMessageContaining("0xffffffffffffffff was dequeued, but no thread enqueued it");
    }

    @Test
    void consumersDequeueAsManyItemsAsProducersEnqueue() {
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

    /** A queue whose dequeues take long to find the front. */
    private static final class PhasedHeapQueue extends HeapQueue implements Phased {
        private final PhaseTimes times = new PhaseTimes();

        @Override
        public Dequeued<Long> tryDequeue(ComputeThread ct) {
            long start = ct.nanoTime();
            Dequeued<Long> dequeued = items.isEmpty() ? Dequeued.empty() : Dequeued.of(items.remove());
            while (ct.nanoTime() - start < 1_000) {
                ct.pause();
            }
            times.add(PhaseTimes.Phase.DEQ_HOP, start, ct);
            return dequeued;
        }

        @Override
        public PhaseTimes times() {
            return times;
        }
    }

    @Test
    void thePhasesOfDrainingAreNotThoseOfTheRun() throws Exception {
        QueueRunResult result = run(new PhasedHeapQueue(), QueueKind.ND);
        assertThat(result.get(QueueMetric.DEQ_HOP)).isPositive().isLessThanOrEqualTo(result.get(QueueMetric.DEQ_ALL));
    }

    private static QueueRunResult withLosses(long enqueuedByLost, long left, Losses losses) {
        QueueWorkload workload = new QueueWorkload(QueueKind.ND, Pattern.RANDOM, OPERATIONS, CAPACITY, 7);
        long[] totals = new long[QueueMetric.values().length];
        totals[QueueMetric.ENQUEUED.ordinal()] = 10;
        totals[QueueMetric.DEQUEUED.ordinal()] = 7;
        return new QueueRunResult(
                workload,
                TestCluster.config(1, 2, 2).build(),
                totals,
                Optional.empty(),
                new QueueRest(left, 0, enqueuedByLost, 3, losses),
                1,
                List.of());
    }

    @Test
    void theBooksOfARunWithLossesBalanceUpToOneOperationOfEachLostThread() {
        Losses two = new Losses(List.of(2, 3), List.of(2));
        assertThat(withLosses(5, 5, two).books())
                .isEqualTo("15 enqueued, 10 dequeued + 5 left, at most 2 in flight of lost threads, each producer's in"
                        + " order: balanced");
        assertThat(withLosses(5, 7, two).isBalanced()).isTrue();
        assertThat(withLosses(5, 3, two).isBalanced()).isTrue();
        assertThat(withLosses(5, 8, two).isBalanced()).isFalse();
        assertThat(withLosses(5, 2, two).books()).endsWith(": NOT BALANCED");
        assertThat(withLosses(5, 6, Losses.NONE).isBalanced()).isFalse();
        assertThat(withLosses(5, 5, two).toTable())
                .contains("4 on 2 Compute Nodes, of which 2 were lost with Compute Node 2");
        assertThat(withLosses(5, 5, two).metrics()).containsEntry("lost_threads", 2L);
        assertThat(withLosses(5, 5, Losses.NONE).metrics()).doesNotContainKey("lost_threads");
    }

    @Test
    void partsThatExceedTheWholeAreRejected() {
        ClusterConfig config = TestCluster.config(1, 1, 1).build();
        QueueWorkload workload = new QueueWorkload(QueueKind.ND, Pattern.RANDOM, OPERATIONS, CAPACITY, 7);
        long[] totals = new long[QueueMetric.values().length];
        totals[QueueMetric.ENQ_ALL.ordinal()] = 100;
        totals[QueueMetric.ENQ_HOP.ordinal()] = 60;
        totals[QueueMetric.BCAST_ALL.ordinal()] = 41;
        assertThatThrownBy(() ->
                        new QueueRunResult(workload, config, totals, Optional.empty(), QueueRest.of(0), 1, List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("parts of operations exceed the whole");
    }
}
