// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.Dequeued;
import dev.remus.structures.RemoteQueue;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One thread of a lock-based queue is killed at one remote operation, and this is repeated for each remote operation of
 * each method. The others, which begin then, find the queue as if the operation had been done, or as if it had not.
 */
@Tag("any-jdk")
@Timeout(300)
class DeathInLockQueuesTest {
    private static final int THREADS = 4;
    private static final int CAPACITY = 2;
    private static final int VICTIM = 0;
    private static final int SECOND_VICTIM = 1;

    /** Its memory is on another Memory Node than that of the first victim, so that requests arrive in any order. */
    private static final int SURVIVOR = 3;

    /** What arrives of the outstanding requests of a dead thread differs from seed to seed. */
    private static final int SEEDS = 6;

    /** A method has fewer remote operations. */
    private static final int MANY_STEPS = 200;

    private static final int STRIDE = 8;

    private static final long QUIET_NANOS = 5_000_000_000L;

    private enum Kind {
        CENTRALIZED {
            @Override
            RdmaPtr<?> create(ComputeThread ct) {
                return CentralizedLockQueue.create(CAPACITY, Codecs.LONG, ct);
            }

            @Override
            RemoteQueue<Long> open(ComputeThread ct) {
                return new CentralizedLockQueue<>(new RdmaPtr<>(ct.root().get().raw()), Codecs.LONG, ct);
            }
        },
        DECENTRALIZED {
            @Override
            RdmaPtr<?> create(ComputeThread ct) {
                return DecentralizedLockQueue.create(CAPACITY, Codecs.LONG, ct);
            }

            @Override
            RemoteQueue<Long> open(ComputeThread ct) {
                return new DecentralizedLockQueue<>(
                        new RdmaPtr<>(ct.root().get().raw()), Codecs.LONG, ct);
            }
        };

        abstract RdmaPtr<?> create(ComputeThread ct);

        abstract RemoteQueue<Long> open(ComputeThread ct);
    }

    private enum Method {
        ENQUEUE {
            @Override
            void call(RemoteQueue<Long> queue, long item, ComputeThread ct) {
                queue.tryEnqueue(item, ct);
            }

            @Override
            List<Long> after(List<Long> items, long item) {
                List<Long> after = new ArrayList<>(items);
                after.add(item);
                return after;
            }
        },
        DEQUEUE {
            @Override
            void call(RemoteQueue<Long> queue, long item, ComputeThread ct) {
                queue.tryDequeue(ct);
            }

            @Override
            List<Long> after(List<Long> items, long item) {
                return items.isEmpty() ? items : items.subList(1, items.size());
            }
        };

        abstract void call(RemoteQueue<Long> queue, long item, ComputeThread ct);

        /** The items in the queue after the method, given those before. */
        abstract List<Long> after(List<Long> items, long item);
    }

    /** A run in which up to two threads are killed while they call the same method. */
    private static final class Run {
        private final Kind kind;
        private final Method method;
        private final int items;
        private final Strike[] deaths;
        private final boolean[] isThrough = new boolean[THREADS];
        private final List<Long> found = new ArrayList<>();
        private SimulatedCluster cluster;

        /** @param items the number of items that the survivor has enqueued before */
        Run(Kind kind, Method method, int items, Strike... deaths) {
            this.kind = kind;
            this.method = method;
            this.items = items;
            this.deaths = deaths;
        }

        Run with(long seed) throws Exception {
            RemoteQueue<?>[] handles = new RemoteQueue<?>[THREADS];
            cluster = new SimulatedCluster(
                    SimulatedCluster.small(THREADS)
                            .computeNodes(2, 1 + THREADS)
                            .threadsPerNode(1)
                            .onNodeLoss(OnNodeLoss.CONTINUE)
                            .build(),
                    Schedule.random(seed).withStrikes(deaths));
            cluster.simulator().quietAfter(QUIET_NANOS);
            cluster.prepared(ct -> handles[ct.id()] = prepare(ct)).run(ct -> {
                @SuppressWarnings("unchecked")
                RemoteQueue<Long> queue = (RemoteQueue<Long>) handles[ct.id()];
                awaitAllBefore(ct);
                if (ct.id() <= SECOND_VICTIM) {
                    method.call(queue, -1 - ct.id(), ct);
                } else if (ct.id() == SURVIVOR) {
                    found.addAll(takeAll(queue, ct));
                    for (int round = 0; round <= 2 * CAPACITY; round++) {
                        fillAndEmpty(queue, ct);
                    }
                }
                isThrough[ct.id()] = true;
            });
            return this;
        }

        private RemoteQueue<Long> prepare(ComputeThread ct) {
            if (ct.id() == 0) {
                ct.root().set(kind.create(ct));
            }
            ct.barrier();
            RemoteQueue<Long> queue = kind.open(ct);
            if (ct.id() == SURVIVOR) {
                fillAndEmpty(queue, ct); // so that memory is used again below
                for (long i = 0; i < items; i++) {
                    queue.tryEnqueue(i, ct);
                }
            }
            return queue;
        }

        /** One thread works after the other, so that each death has one outcome. */
        private void awaitAllBefore(ComputeThread ct) {
            for (int thread = 0; thread < ct.id(); thread++) {
                while (!isThrough[thread] && !isDead(thread)) {
                    ct.pause();
                }
            }
        }

        private static List<Long> takeAll(RemoteQueue<Long> queue, ComputeThread ct) {
            List<Long> taken = new ArrayList<>();
            for (Dequeued<Long> next = queue.tryDequeue(ct); next.isItem(); next = queue.tryDequeue(ct)) {
                taken.add(next.item());
            }
            return taken;
        }

        private static void fillAndEmpty(RemoteQueue<Long> queue, ComputeThread ct) {
            List<Long> all = new ArrayList<>();
            for (long i = 0; i < CAPACITY; i++) {
                assertThat(queue.tryEnqueue(i, ct)).as("room for item %d", i).isTrue();
                all.add(i);
            }
            assertThat(queue.tryEnqueue(-1L, ct)).as("room for too many").isFalse();
            assertThat(takeAll(queue, ct)).isEqualTo(all);
        }

        boolean isDead(int thread) {
            return cluster.stoppedThreads().contains(thread);
        }

        void judge() {
            for (int thread = 0; thread < THREADS; thread++) {
                assertThat(isThrough[thread] || isDead(thread))
                        .as("thread %d ends after %s", thread, cluster.struck())
                        .isTrue();
            }
            List<Long> before = new ArrayList<>();
            for (long i = 0; i < items; i++) {
                before.add(i);
            }
            List<List<Long>> allowed = List.of(before);
            for (int thread = 0; thread <= SECOND_VICTIM; thread++) {
                List<List<Long>> next = new ArrayList<>();
                for (List<Long> each : allowed) {
                    next.add(method.after(each, -1 - thread));
                    if (isDead(thread)) {
                        next.add(each);
                    }
                }
                allowed = next;
            }
            assertThat(found).as("the items after %s", cluster.struck()).isIn(allowed);
        }
    }

    private static Strike death(int thread, int step) {
        return new Strike(Fault.LOST_COMPUTE_NODES, thread, step);
    }

    /** Kills a thread at each of its steps, until there is none left. Returns the number of steps. */
    private static int atEachStep(Kind kind, Method method, int items) throws Exception {
        for (int step = 1; step < MANY_STEPS; step++) {
            boolean isAnyDead = false;
            for (int seed = 0; seed < SEEDS; seed++) {
                Run run = new Run(kind, method, items, death(VICTIM, step)).with(seed);
                run.judge();
                isAnyDead |= run.isDead(VICTIM);
            }
            if (!isAnyDead) {
                return step - 1;
            }
        }
        throw new AssertionError("the method has not ended after " + MANY_STEPS + " steps");
    }

    @ParameterizedTest
    @CsvSource({
        "CENTRALIZED,ENQUEUE,0,11",
        "CENTRALIZED,ENQUEUE,2,15",
        "CENTRALIZED,DEQUEUE,0,5",
        "CENTRALIZED,DEQUEUE,1,10",
        "CENTRALIZED,DEQUEUE,2,10",
        "DECENTRALIZED,ENQUEUE,0,55",
        "DECENTRALIZED,ENQUEUE,2,35",
        "DECENTRALIZED,DEQUEUE,0,10",
        "DECENTRALIZED,DEQUEUE,1,10",
        "DECENTRALIZED,DEQUEUE,2,30"
    })
    void aThreadThatDiesAtAnyStepOfAMethodHasCalledItOrNot(Kind kind, Method method, int items, int least)
            throws Exception {
        assertThat(atEachStep(kind, method, items)).isGreaterThanOrEqualTo(least);
    }

    @ParameterizedTest
    @EnumSource
    void aThreadThatDiesAtAnyStepOfARepairLeavesItToTheNext(Kind kind) throws Exception {
        for (Method method : Method.values()) {
            for (int items = 0; items < 2; items++) {
                twoDeaths(kind, method, items);
            }
        }
    }

    /** Of all pairs of steps one in eight; each step of either thread occurs. */
    private static void twoDeaths(Kind kind, Method method, int items) throws Exception {
        int steps = 0;
        for (int step = 1; step == steps + 1; step++) {
            for (int second = 1 + step % STRIDE; second < MANY_STEPS; second += STRIDE) {
                Run run = new Run(kind, method, items, death(VICTIM, step), death(SECOND_VICTIM, second)).with(second);
                run.judge();
                steps = run.isDead(VICTIM) ? step : steps;
                if (!run.isDead(SECOND_VICTIM)) {
                    break;
                }
            }
        }
    }
}
