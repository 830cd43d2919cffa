// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.queues;

import dev.remus.node.ComputeThread;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;

/** Agrona's queue for many producers and many consumers, an array on the heap of one process. */
final class AgronaArrayContestant implements Contestant {
    private final ManyToManyConcurrentArrayQueue<Long> queue;
    private final IdleStrategy idle = new BackoffIdleStrategy();
    private long sum;

    /** @param queue shared by all threads */
    AgronaArrayContestant(ManyToManyConcurrentArrayQueue<Long> queue) {
        this.queue = queue;
    }

    /** Enqueues items singly, because the queue has no batches for producers. */
    @Override
    public void produce(long from, long to, int batch, ComputeThread ct) {
        for (long item = from; item < to; item++) {
            Long boxed = item;
            while (!queue.offer(boxed)) {
                idle.idle();
            }
            idle.reset();
        }
    }

    @Override
    public Stretch consume(long items, int batch, ComputeThread ct) {
        sum = 0;
        take(1);
        long start = System.nanoTime();
        for (long done = 1; done < items; ) {
            done += take((int) Math.min(batch, items - done));
        }
        return new Stretch(sum, System.nanoTime() - start);
    }

    private int take(int most) {
        int count = tryTake(most);
        while (count == 0) {
            idle.idle();
            count = tryTake(most);
        }
        idle.reset();
        return count;
    }

    private int tryTake(int most) {
        if (most > 1) {
            return queue.drain(item -> sum += item, most);
        }
        Long item = queue.poll();
        if (item == null) {
            return 0;
        }
        sum += item;
        return 1;
    }
}
