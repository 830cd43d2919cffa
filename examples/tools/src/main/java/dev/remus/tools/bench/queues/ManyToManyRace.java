// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.queues;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.structures.ScalableQueue;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;

/** Measurements of queues between {@value #PAIRS} producers and as many consumers, all threads of this process. */
final class ManyToManyRace {
    static final int PAIRS = 2;
    static final int THREADS = 2 * PAIRS;

    /** The queues, of which the first is the reference. */
    enum Subject {
        AGRONA("Agrona ManyToManyConcurrentArrayQueue"),
        SCALABLE("ScalableQueue");

        private final String title;

        Subject(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }
    }

    private final long items;
    private final int capacity;
    private final AtomicLong sum = new AtomicLong();
    private final AtomicReference<@Nullable ManyToManyConcurrentArrayQueue<Long>> onHeap = new AtomicReference<>();

    /**
     * @param items the number of items of each producer, and of each consumer
     * @param capacity the number of items that a queue has room for, a power of two
     */
    ManyToManyRace(long items, int capacity) {
        this.items = items;
        this.capacity = capacity;
    }

    /** Moves all items; called by each thread. The first one returns the items per second, others 0. */
    double run(Subject subject, int batch, ComputeThread ct) {
        if (ct.id() == 0) {
            sum.set(0);
            onHeap.set(new ManyToManyConcurrentArrayQueue<>(capacity));
            if (subject == Subject.SCALABLE) {
                ct.root().set(ScalableQueue.create(capacity, Codecs.LONG, ct));
            }
        }
        ct.barrier();
        Contestant queue = subject == Subject.SCALABLE
                ? new ScalableContestant(new ScalableQueue<>(ct.root().get(), Codecs.LONG, ct))
                : new AgronaArrayContestant(Objects.requireNonNull(onHeap.get(), "made"));
        ct.barrier();
        long start = System.nanoTime();
        if (ct.id() < PAIRS) {
            queue.produce(ct.id() * items, (ct.id() + 1) * items, batch, ct);
        } else {
            sum.addAndGet(queue.consume(items, batch, ct).sum());
        }
        ct.barrier();
        double nanos = System.nanoTime() - start;
        if (ct.id() != 0) {
            return 0;
        }
        check(subject, batch);
        ct.root().set(RdmaPtr.nullPointer());
        queue.destroy(ct);
        ct.reclaimDeferred();
        return PAIRS * items * 1e9 / nanos;
    }

    private void check(Subject subject, int batch) {
        long total = PAIRS * items;
        long expected = total / 2 * (total - 1); // the total is even
        if (sum.get() != expected) {
            throw new IllegalStateException(subject.title() + ", batches of " + batch
                    + ": the dequeued items add up to " + sum + ", the enqueued items to " + expected);
        }
    }
}
