// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.sim.Fault;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.simulation.scenario.MishapAtEachStep;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A lane breaks at each remote operation of each method of the buffered queues, or the consumer is killed there. {@link
 * DeathInBufferedQueuesTest} kills producers.
 */
@Tag("any-jdk")
@Timeout(300)
class MishapsInBufferedQueuesTest {
    private static final int CAPACITY = 8;
    private static final List<Long> ITEMS = List.of(1L, 2L, 3L);
    private static final long LAST = 4;

    private enum Kind {
        STRICT,
        RELAXED;

        RdmaPtr<Ring> create(ComputeThread ct) {
            return this == STRICT
                    ? BufferedQueue.create(CAPACITY, Codecs.LONG, ct)
                    : RelaxedBufferedQueue.create(CAPACITY, Codecs.LONG, ct);
        }

        RingQueue<Long> open(RdmaPtr<Ring> shared, ComputeThread ct) {
            return this == STRICT
                    ? new BufferedQueue<>(shared, Codecs.LONG, ct)
                    : new RelaxedBufferedQueue<>(shared, Codecs.LONG, ct);
        }
    }

    private enum Method {
        ENQUEUE,
        TRY_ENQUEUE,
        ENQUEUE_ALL,
        DEQUEUE,
        TRY_DEQUEUE,
        DEQUEUE_ALL;

        boolean isOfConsumer() {
            return compareTo(DEQUEUE) >= 0;
        }
    }

    /** A run. The victim enqueues all items, or dequeues them. */
    private static final class Mishap extends MishapAtEachStep<RingQueue<Long>> {
        private final Kind kind;
        private final Method method;

        /** What the consumer got before the mishap and after it, perhaps through an heir. */
        private final List<Long> taken = new ArrayList<>();

        private final List<Long> left = new ArrayList<>();

        Mishap(Kind kind, Method method) {
            this.kind = kind;
            this.method = method;
        }

        @Override
        protected void create(ComputeThread ct) {
            ct.root().set(kind.create(ct));
        }

        @Override
        protected RingQueue<Long> open(ComputeThread ct) {
            return kind.open(new RdmaPtr<>(ct.root().get().raw()), ct);
        }

        @Override
        protected void prepare(RingQueue<Long> queue, ComputeThread ct) {
            if (method.isOfConsumer()) {
                queue.enqueueAll(ITEMS, ct);
            }
        }

        @Override
        protected void call(RingQueue<Long> queue, ComputeThread ct) {
            switch (method) {
                case ENQUEUE -> ITEMS.forEach(item -> queue.enqueue(item, ct));
                case TRY_ENQUEUE ->
                    ITEMS.forEach(item -> assertThat(queue.tryEnqueue(item, ct)).isTrue());
                case ENQUEUE_ALL -> queue.enqueueAll(ITEMS, ct);
                case DEQUEUE -> ITEMS.forEach(item -> taken.add(queue.dequeue(ct)));
                case TRY_DEQUEUE ->
                    ITEMS.forEach(item -> taken.add(queue.tryDequeue(ct).item()));
                case DEQUEUE_ALL -> queue.dequeueAll(ITEMS.size(), taken::add, ct);
            }
        }

        @Override
        protected void compete(RingQueue<Long> queue, ComputeThread ct) {
            if (method.isOfConsumer()) {
                queue.enqueue(LAST, ct);
            }
        }

        @Override
        protected void audit(RingQueue<Long> queue, boolean wasCalled, ComputeThread ct) {
            boolean isLost = ct.peers().isLost(VICTIM);
            boolean isConsumer = ct.id() == VICTIM ? method.isOfConsumer() : !method.isOfConsumer() || isLost;
            if (isConsumer) {
                drain(queue, ct);
                check(wasCalled, isLost);
            } else {
                queue.enqueue(LAST + 1, ct);
            }
        }

        private void drain(RingQueue<Long> queue, ComputeThread ct) {
            Dequeued<Long> next = queue.tryDequeue(ct);
            while (next.kind() != Dequeued.Kind.EMPTY) {
                if (next.isItem()) {
                    left.add(next.item());
                } else {
                    ct.pause();
                }
                next = queue.tryDequeue(ct);
            }
        }

        private void check(boolean wasCalled, boolean isLost) {
            List<Long> enqueued = new ArrayList<>(ITEMS);
            if (method.isOfConsumer()) {
                enqueued.add(LAST);
                if (!isLost) {
                    enqueued.add(LAST + 1);
                }
            }
            if (isLost) {
                List<Long> again = new ArrayList<>(taken);
                again.retainAll(left);
                assertThat(again)
                        .as("dequeued again")
                        .isEqualTo(taken.subList(taken.size() - again.size(), taken.size()));
                taken.removeAll(again);
            }
            List<Long> all = new ArrayList<>(taken);
            all.addAll(left);
            assertThat(all).doesNotHaveDuplicates().isSubsetOf(enqueued);
            if (kind == Kind.STRICT) {
                assertThat(all).isSorted();
            }
            if (method.isOfConsumer() || wasCalled) {
                assertThat(all).hasSameSizeAs(enqueued);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "STRICT,ENQUEUE,6",
        "STRICT,TRY_ENQUEUE,6",
        "STRICT,ENQUEUE_ALL,2",
        "STRICT,DEQUEUE,5",
        "STRICT,TRY_DEQUEUE,5",
        "STRICT,DEQUEUE_ALL,4",
        "RELAXED,ENQUEUE,9",
        "RELAXED,TRY_ENQUEUE,9",
        "RELAXED,ENQUEUE_ALL,9",
        "RELAXED,DEQUEUE,5",
        "RELAXED,TRY_DEQUEUE,5",
        "RELAXED,DEQUEUE_ALL,4"
    })
    void aBrokenLaneOrAnInterruptAtAnyStepOfAMethodLosesNoItemOfAnother(Kind kind, Method method, int least)
            throws Exception {
        for (Fault fault : new Fault[] {Fault.BROKEN_LANES, Fault.INTERRUPTED_THREADS}) {
            assertThat(MishapAtEachStep.of(fault, () -> new Mishap(kind, method)))
                    .as("steps of %s", fault)
                    .isGreaterThanOrEqualTo(least);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "STRICT,DEQUEUE,5",
        "STRICT,TRY_DEQUEUE,5",
        "STRICT,DEQUEUE_ALL,4",
        "RELAXED,DEQUEUE,5",
        "RELAXED,TRY_DEQUEUE,5",
        "RELAXED,DEQUEUE_ALL,4"
    })
    void anHeirGetsAllItemsIfTheConsumerDiesAtAnyStepOfAMethod(Kind kind, Method method, int least) throws Exception {
        assertThat(MishapAtEachStep.of(Fault.LOST_COMPUTE_NODES, () -> new Mishap(kind, method)))
                .isGreaterThanOrEqualTo(least);
    }
}
