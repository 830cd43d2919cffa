// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.sim.Fault;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.scenario.MishapAtEachStep;
import dev.remus.structures.spec.PooledQueueScenario;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A thread's node is lost, or its lane breaks, at one remote operation of a method of a queue, and this is repeated for
 * each remote operation of each method. The other finds the items as if the method had been called, or had not, and has
 * room for as many as before. {@code DeathInLockQueuesTest} and {@link DeathInBufferedQueuesTest} lose
 * nodes in the same way with the other queues.
 */
@Tag("any-jdk")
@Timeout(600)
class MishapsInQueuesTest {
    private static final int CAPACITY = 3;
    private static final List<Long> ITEMS_OF_VICTIM = List.of(-1L, -2L);

    private enum Kind {
        LOCK_FREE(PooledQueueScenario.lockFree(2, 1, CAPACITY)),
        SCALABLE(PooledQueueScenario.scalable(2, 1, CAPACITY)),
        SHARDED(PooledQueueScenario.sharded(2, 1, CAPACITY)),
        CENTRALIZED(PooledQueueScenario.centralizedLock(2, 1, CAPACITY)),
        DECENTRALIZED(PooledQueueScenario.decentralizedLock(2, 1, CAPACITY));

        private final PooledQueueScenario queue;

        Kind(PooledQueueScenario queue) {
            this.queue = queue;
        }

        boolean isExact() {
            return queue.promises().contains(PooledQueueScenario.Promise.FULL_IS_EXACT);
        }
    }

    /** What the victim does. */
    private enum Method {
        TRY_ENQUEUE(true) {
            @Override
            void call(RemoteQueue<Long> queue, ComputeThread ct) {
                ITEMS_OF_VICTIM.forEach(item -> queue.tryEnqueue(item, ct));
            }
        },
        ENQUEUE(true) {
            @Override
            void call(RemoteQueue<Long> queue, ComputeThread ct) {
                ITEMS_OF_VICTIM.forEach(item -> scalable(queue).enqueue(item, ct));
            }
        },
        ENQUEUE_ALL(true) {
            @Override
            void call(RemoteQueue<Long> queue, ComputeThread ct) {
                scalable(queue).enqueueAll(ITEMS_OF_VICTIM, ct);
            }
        },
        TRY_DEQUEUE(false) {
            @Override
            void call(RemoteQueue<Long> queue, ComputeThread ct) {
                queue.tryDequeue(ct);
                queue.tryDequeue(ct);
            }
        },
        DEQUEUE(false) {
            @Override
            void call(RemoteQueue<Long> queue, ComputeThread ct) {
                scalable(queue).dequeue(ct);
            }
        },
        TRY_DEQUEUE_ALL(false) {
            @Override
            void call(RemoteQueue<Long> queue, ComputeThread ct) {
                scalable(queue).tryDequeueAll(2, ct);
            }
        };

        private final boolean enqueues;

        Method(boolean enqueues) {
            this.enqueues = enqueues;
        }

        abstract void call(RemoteQueue<Long> queue, ComputeThread ct);

        private static ScalableQueue<Long> scalable(RemoteQueue<Long> queue) {
            return (ScalableQueue<Long>) queue;
        }
    }

    private static final class Mishap extends MishapAtEachStep<RemoteQueue<Long>> {
        private final Kind kind;
        private final Method method;

        /** The number of items that the survivor has enqueued before. */
        private final int items;

        Mishap(Kind kind, Method method, int items) {
            this.kind = kind;
            this.method = method;
            this.items = items;
        }

        @Override
        protected void create(ComputeThread ct) {
            ct.root().set(kind.queue.creator().create(CAPACITY, ct));
        }

        @Override
        protected RemoteQueue<Long> open(ComputeThread ct) {
            return kind.queue.opener().open(ct.root().get(), ct);
        }

        @Override
        protected void prepare(RemoteQueue<Long> queue, ComputeThread ct) {
            fillAndEmpty(queue, ct); // so that memory is used again below
            before().forEach(item -> queue.tryEnqueue(item, ct));
        }

        private List<Long> before() {
            return LongStream.range(0, items).boxed().toList();
        }

        @Override
        protected void call(RemoteQueue<Long> queue, ComputeThread ct) {
            method.call(queue, ct);
        }

        @Override
        protected void audit(RemoteQueue<Long> queue, boolean wasCalled, ComputeThread ct) {
            List<Long> found = takeAll(queue, ct);
            if (ct.id() == VICTIM) {
                assertThat(found).as("what the victim finds in the empty queue").isEmpty();
            } else {
                assertThat(found).isIn(allowed(wasCalled));
            }
            for (int round = 0; round <= 2 * CAPACITY; round++) {
                fillAndEmpty(queue, ct);
            }
        }

        /** What may be left: if the method has not returned, any of its changes may be missing. */
        private List<List<Long>> allowed(boolean wasCalled) {
            List<List<Long>> allowed = new ArrayList<>();
            if (method.enqueues) {
                int room = kind == Kind.SCALABLE ? CAPACITY - items : CAPACITY; // else each thread has its own
                List<Long> added = ITEMS_OF_VICTIM.subList(0, Math.min(room, ITEMS_OF_VICTIM.size()));
                for (List<Long> some : wasCalled ? List.of(added) : subsequences(added)) {
                    List<Long> all = new ArrayList<>(before());
                    all.addAll(some);
                    allowed.add(all);
                }
            } else {
                int most = Math.min(items, method == Method.DEQUEUE ? 1 : 2);
                List<Long> rest = before().subList(most, items);
                for (List<Long> some : wasCalled ? List.of(List.<Long>of()) : subsequences(before().subList(0, most))) {
                    List<Long> all = new ArrayList<>(some);
                    all.addAll(rest);
                    allowed.add(all);
                }
            }
            return allowed;
        }

        private static List<List<Long>> subsequences(List<Long> items) {
            return IntStream.range(0, 1 << items.size())
                    .mapToObj(set -> IntStream.range(0, items.size())
                            .filter(i -> (set >> i & 1) != 0)
                            .mapToObj(items::get)
                            .toList())
                    .toList();
        }

        private static List<Long> takeAll(RemoteQueue<Long> queue, ComputeThread ct) {
            List<Long> taken = new ArrayList<>();
            for (Dequeued<Long> next = queue.tryDequeue(ct); next.isItem(); next = queue.tryDequeue(ct)) {
                taken.add(next.item());
            }
            return taken;
        }

        private void fillAndEmpty(RemoteQueue<Long> queue, ComputeThread ct) {
            List<Long> all = new ArrayList<>();
            for (long i = 0; i < CAPACITY; i++) {
                assertThat(queue.tryEnqueue(i, ct)).as("room for item %d", i).isTrue();
                all.add(i);
            }
            if (kind.isExact()) {
                assertThat(queue.tryEnqueue(-1L, ct)).as("room for too many").isFalse();
            }
            assertThat(takeAll(queue, ct)).isEqualTo(all);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "LOCK_FREE,TRY_ENQUEUE,LOST_COMPUTE_NODES,60",
        "LOCK_FREE,TRY_DEQUEUE,LOST_COMPUTE_NODES,25",
        "SCALABLE,TRY_ENQUEUE,LOST_COMPUTE_NODES,35",
        "SCALABLE,ENQUEUE,LOST_COMPUTE_NODES,15",
        "SCALABLE,ENQUEUE_ALL,LOST_COMPUTE_NODES,12",
        "SCALABLE,TRY_DEQUEUE,LOST_COMPUTE_NODES,25",
        "SCALABLE,DEQUEUE,LOST_COMPUTE_NODES,12",
        "SCALABLE,TRY_DEQUEUE_ALL,LOST_COMPUTE_NODES,18",
        "SHARDED,TRY_ENQUEUE,LOST_COMPUTE_NODES,28",
        "SHARDED,TRY_DEQUEUE,LOST_COMPUTE_NODES,55",
        "LOCK_FREE,TRY_ENQUEUE,BROKEN_LANES,60",
        "LOCK_FREE,TRY_ENQUEUE,INTERRUPTED_THREADS,60",
        "LOCK_FREE,TRY_DEQUEUE,BROKEN_LANES,25",
        "LOCK_FREE,TRY_DEQUEUE,INTERRUPTED_THREADS,25",
        "SCALABLE,TRY_ENQUEUE,BROKEN_LANES,35",
        "SCALABLE,TRY_ENQUEUE,INTERRUPTED_THREADS,35",
        "SCALABLE,ENQUEUE,BROKEN_LANES,15",
        "SCALABLE,ENQUEUE,INTERRUPTED_THREADS,15",
        "SCALABLE,ENQUEUE_ALL,BROKEN_LANES,12",
        "SCALABLE,ENQUEUE_ALL,INTERRUPTED_THREADS,12",
        "SCALABLE,TRY_DEQUEUE,BROKEN_LANES,25",
        "SCALABLE,TRY_DEQUEUE,INTERRUPTED_THREADS,25",
        "SCALABLE,DEQUEUE,BROKEN_LANES,12",
        "SCALABLE,DEQUEUE,INTERRUPTED_THREADS,12",
        "SCALABLE,TRY_DEQUEUE_ALL,BROKEN_LANES,18",
        "SCALABLE,TRY_DEQUEUE_ALL,INTERRUPTED_THREADS,18",
        "SHARDED,TRY_ENQUEUE,BROKEN_LANES,28",
        "SHARDED,TRY_ENQUEUE,INTERRUPTED_THREADS,28",
        "SHARDED,TRY_DEQUEUE,BROKEN_LANES,55",
        "SHARDED,TRY_DEQUEUE,INTERRUPTED_THREADS,55",
        "CENTRALIZED,TRY_ENQUEUE,BROKEN_LANES,120",
        "CENTRALIZED,TRY_DEQUEUE,BROKEN_LANES,65",
        "CENTRALIZED,TRY_DEQUEUE,INTERRUPTED_THREADS,65",
        "DECENTRALIZED,TRY_ENQUEUE,BROKEN_LANES,220",
        "DECENTRALIZED,TRY_DEQUEUE,BROKEN_LANES,110",
        "DECENTRALIZED,TRY_DEQUEUE,INTERRUPTED_THREADS,110"
    })
    void theQueueGoesOnWhateverHappensToAThreadAtAnyStepOfAMethod(Kind kind, Method method, Fault fault, int least)
            throws Exception {
        int steps = 0;
        for (int items = method == Method.DEQUEUE ? 1 : 0; items <= CAPACITY; items++) {
            if (method.enqueues && method != Method.TRY_ENQUEUE && items > 1) {
                break; // it would wait for room
            }
            int before = items;
            steps += MishapAtEachStep.of(fault, () -> new Mishap(kind, method, before));
        }
        assertThat(steps).as("steps").isGreaterThanOrEqualTo(least);
    }
}
