// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A producer is killed at one remote operation, and this is repeated for each remote operation of each method. The
 * consumer gets the items of another producer, and passes over what the dead one has left.
 */
@Tag("any-jdk")
@Timeout(300)
class DeathInBufferedQueuesTest {
    private static final int THREADS = 4;
    private static final int CAPACITY = 2;
    private static final int VICTIM = 0;
    private static final int CONSUMER = 1;
    private static final int PRODUCER = 2;

    /** What arrives of the outstanding requests of a dead thread differs from seed to seed. */
    private static final int SEEDS = 6;

    /** A method has fewer remote operations. */
    private static final int MANY_STEPS = 200;

    private static final long QUIET_NANOS = 5_000_000_000L;
    private static final List<Long> ITEMS_OF_VICTIM = List.of(-1L, -2L, -3L);
    private static final List<Long> ITEMS_OF_PRODUCER = List.of(1L, 2L, 3L, 4L, 5L);

    private enum Kind {
        STRICT,
        RELAXED;

        RingQueue<Long> open(ComputeThread ct) {
            if (ct.id() == 0) {
                ct.root().set(create(ct));
            }
            ct.barrier();
            RdmaPtr<Ring> shared = new RdmaPtr<>(ct.root().get().raw());
            return this == STRICT
                    ? new BufferedQueue<>(shared, Codecs.LONG, ct)
                    : new RelaxedBufferedQueue<>(shared, Codecs.LONG, ct);
        }

        private RdmaPtr<Ring> create(ComputeThread ct) {
            return this == STRICT
                    ? BufferedQueue.create(CAPACITY, Codecs.LONG, ct)
                    : RelaxedBufferedQueue.create(CAPACITY, Codecs.LONG, ct);
        }
    }

    private enum Method {
        ENQUEUE {
            @Override
            void call(RingQueue<Long> queue, ComputeThread ct) {
                ITEMS_OF_VICTIM.forEach(item -> queue.enqueue(item, ct));
            }
        },
        TRY_ENQUEUE {
            @Override
            void call(RingQueue<Long> queue, ComputeThread ct) {
                for (long item : ITEMS_OF_VICTIM) {
                    while (!queue.tryEnqueue(item, ct)) {
                        ct.pause();
                    }
                }
            }
        },
        ENQUEUE_ALL {
            @Override
            void call(RingQueue<Long> queue, ComputeThread ct) {
                queue.enqueueAll(ITEMS_OF_VICTIM, ct);
            }
        };

        abstract void call(RingQueue<Long> queue, ComputeThread ct);
    }

    /** A run in which the victim is killed at one step, unless it has fewer. */
    private static final class Run {
        private final List<Long> found = new ArrayList<>();
        private boolean isVictimThrough;
        private boolean isProducerThrough;
        private boolean isConsumerThrough;
        private boolean isVictimDead;

        Run(Kind kind, Method method, int step, long seed) throws Exception {
            List<RingQueue<Long>> handles = new ArrayList<>(Collections.nCopies(THREADS, null));
            SimulatedCluster cluster = new SimulatedCluster(
                    SimulatedCluster.small(THREADS)
                            .computeNodes(2, 1 + THREADS)
                            .threadsPerNode(1)
                            .onNodeLoss(OnNodeLoss.CONTINUE)
                            .build(),
                    Schedule.random(seed).withStrikes(new Strike(Fault.LOST_COMPUTE_NODES, VICTIM, step)));
            cluster.simulator().quietAfter(QUIET_NANOS);
            cluster.prepared(ct -> handles.set(ct.id(), kind.open(ct))).run(ct -> {
                RingQueue<Long> queue = handles.get(ct.id());
                if (ct.id() == VICTIM) {
                    method.call(queue, ct);
                    isVictimThrough = true;
                } else if (ct.id() == CONSUMER) {
                    consume(queue, ct);
                } else if (ct.id() == PRODUCER) {
                    while (!isVictimThrough && !ct.peers().isLost(VICTIM)) {
                        ct.pause();
                    }
                    ITEMS_OF_PRODUCER.forEach(item -> queue.enqueue(item, ct));
                    isProducerThrough = true;
                }
            });
            isVictimDead = cluster.stoppedThreads().contains(VICTIM);
        }

        private void consume(RingQueue<Long> queue, ComputeThread ct) {
            Dequeued<Long> next = queue.tryDequeue(ct);
            while (!isProducerThrough || next.kind() != Dequeued.Kind.EMPTY) {
                if (next.isItem()) {
                    found.add(next.item());
                } else {
                    ct.pause();
                }
                next = queue.tryDequeue(ct);
            }
            isConsumerThrough = true;
        }

        void judge(Kind kind, String what) {
            assertThat(isConsumerThrough && isProducerThrough)
                    .as("all end, %s", what)
                    .isTrue();
            List<Long> ofVictim = new ArrayList<>(found);
            ofVictim.removeAll(ITEMS_OF_PRODUCER);
            assertThat(ofVictim).as(what).doesNotHaveDuplicates().isSubsetOf(ITEMS_OF_VICTIM);
            List<Long> all = new ArrayList<>(ofVictim);
            all.addAll(ITEMS_OF_PRODUCER);
            if (kind == Kind.STRICT) {
                assertThat(ofVictim).as(what).isSortedAccordingTo((a, b) -> Long.compare(b, a));
                assertThat(found).as(what).isEqualTo(all);
            } else {
                assertThat(found).as(what).containsExactlyInAnyOrderElementsOf(all);
            }
            if (!isVictimDead) {
                assertThat(ofVictim).as(what).hasSameSizeAs(ITEMS_OF_VICTIM);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "STRICT,ENQUEUE,6",
        "STRICT,TRY_ENQUEUE,6",
        "STRICT,ENQUEUE_ALL,2",
        "RELAXED,ENQUEUE,9",
        "RELAXED,TRY_ENQUEUE,9",
        "RELAXED,ENQUEUE_ALL,9"
    })
    void theQueueGoesOnWhenAProducerDiesAtAnyStepOfAMethod(Kind kind, Method method, int least) throws Exception {
        for (int step = 1; step < MANY_STEPS; step++) {
            boolean isAnyDead = false;
            for (long seed = 0; seed < SEEDS; seed++) {
                Run run = new Run(kind, method, step, seed);
                run.judge(kind, "step " + step + ", seed " + seed);
                isAnyDead |= run.isVictimDead;
            }
            if (!isAnyDead) {
                assertThat(step - 1).as("steps").isGreaterThanOrEqualTo(least);
                return;
            }
        }
        throw new AssertionError("the method has not ended after " + MANY_STEPS + " steps");
    }
}
