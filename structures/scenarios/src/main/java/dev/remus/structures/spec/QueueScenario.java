// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.Checker;
import dev.remus.check.History;
import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Minimiser;
import dev.remus.check.QuiescentConsistencyChecker;
import dev.remus.check.Recorder;
import dev.remus.check.Verdict;
import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.config.Reclamation;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.Dequeued;
import dev.remus.structures.RemoteQueue;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * A few threads on two simulated Compute Nodes enqueue and dequeue at random; their results, and the items left at the
 * end, must be what the queue promises. Memory is checked ({@code --check-memory}).
 *
 * <p>A dequeue that returns {@link Dequeued.Kind#NOT_READY} implies nothing about the queue, and is not judged.
 *
 * @param threads the number of threads, which is even
 * @param operations the number of operations of each
 * @param capacity the number of items for which the queue has room
 * @param consumers the number of threads that dequeue, those with the lowest ids; the others only enqueue
 * @param promise the promise of the queue
 * @param creator makes the queue
 * @param opener makes a thread's handle to it
 */
public record QueueScenario(
        int threads,
        int operations,
        int capacity,
        int consumers,
        Promise promise,
        Creator creator,
        Function<RdmaPtr<?>, RemoteQueue<Long>> opener)
        implements Scenario {

    /** The order that a queue promises. */
    public enum Promise {
        /** Every operation takes effect at one moment between its call and its return. */
        LINEARIZABLE {
            @Override
            Checker<QueueOperation<Long>, QueueResult<Long>> checker(QueueSpecification<Long> specification) {
                return new LinearizabilityChecker<>(specification);
            }
        },
        /** Order holds across any moment at which no enqueue is in flight. */
        QUIESCENTLY_CONSISTENT {
            @Override
            Checker<QueueOperation<Long>, QueueResult<Long>> checker(QueueSpecification<Long> specification) {
                return new QuiescentConsistencyChecker<>(specification, QueueOperation::isEnqueue);
            }
        };

        abstract Checker<QueueOperation<Long>, QueueResult<Long>> checker(QueueSpecification<Long> specification);
    }

    /** Makes a queue of {@code Long} in remote memory. */
    @FunctionalInterface
    public interface Creator {
        /** Makes an empty queue with room for so many items. */
        RdmaPtr<?> create(int capacity, ComputeThread ct);
    }

    /** Rejects parameters that cannot be run. */
    public QueueScenario {
        if (threads < 2 || threads % 2 != 0 || operations < 1 || capacity < 1 || consumers < 1 || consumers > threads) {
            throw new IllegalArgumentException("threads " + threads + ", operations " + operations + ", capacity "
                    + capacity + ", consumers " + consumers
                    + ": needs an even number of threads, at least one operation and room for one item, and 1 to"
                    + " all threads as consumers");
        }
    }

    private ClusterConfig config() {
        return ClusterConfig.builder()
                .cluster("scenario")
                .memoryNodes(0, 1)
                .computeNodes(2, 3)
                .threadsPerNode(threads / 2)
                .lanes(2)
                .lanePolicy(LanePolicy.RAND)
                .segmentSizeLog2(14)
                .reclaim(Reclamation.BARRIER)
                .checkMemory(true)
                .build();
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        Notes notes = new Notes(new Recorder<>(), new HashSet<>());
        new SimulatedCluster(config(), schedule).recordedBy(notes.recorder()).run(ct -> {
            if (ct.id() == 0) {
                ct.root().set(creator.create(capacity, ct));
            }
            ct.barrier();
            RemoteQueue<Long> queue = opener.apply(ct.root().get());
            SplittableRandom random = new SplittableRandom(schedule.seed() * 31 + ct.id());
            for (int i = 0; i < operations; i++) {
                if (ct.id() < consumers && random.nextBoolean()) {
                    notes.dequeue(queue, ct);
                } else {
                    notes.enqueue(queue, (long) ct.id() * operations + i, ct);
                }
            }
            ct.barrier();
            if (ct.id() == 0) {
                while (notes.dequeue(queue, ct).isItem()) {
                    // until it is empty
                }
                queue.destroy(ct);
            }
        });
        judge(notes.history());
    }

    /** The history, and the operations of it that are not judged. */
    private record Notes(Recorder<QueueOperation<Long>, QueueResult<Long>> recorder, Set<Integer> notReady) {
        void enqueue(RemoteQueue<Long> queue, long item, ComputeThread ct) {
            recorder.record(
                    ct.id(),
                    QueueOperation.enqueue(item),
                    () -> queue.tryEnqueue(item, ct) ? QueueResult.enqueued() : QueueResult.full());
        }

        Dequeued<Long> dequeue(RemoteQueue<Long> queue, ComputeThread ct) {
            int id = recorder.call(ct.id(), QueueOperation.dequeue());
            Dequeued<Long> dequeued;
            try {
                dequeued = queue.tryDequeue(ct);
            } catch (RuntimeException e) {
                recorder.failed(id, e);
                throw e;
            }
            switch (dequeued.kind()) {
                case ITEM -> recorder.returned(id, QueueResult.of(dequeued.item()));
                case EMPTY -> recorder.returned(id, QueueResult.empty());
                case NOT_READY -> notReady.add(id);
            }
            return dequeued;
        }

        History<QueueOperation<Long>, QueueResult<Long>> history() {
            return recorder.history().only(invocation -> !notReady.contains(invocation.id()));
        }
    }

    private void judge(History<QueueOperation<Long>, QueueResult<Long>> history) {
        Checker<QueueOperation<Long>, QueueResult<Long>> checker = promise.checker(new QueueSpecification<>(capacity));
        Verdict<QueueOperation<Long>, QueueResult<Long>> verdict = checker.check(history);
        (verdict.isRejected() ? new Minimiser<>(checker, QueueSpecification::itemOf).minimise(history) : verdict)
                .orThrow();
    }
}
