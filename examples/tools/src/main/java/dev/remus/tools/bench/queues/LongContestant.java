// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.queues;

import dev.remus.node.ComputeThread;
import dev.remus.structures.LongBufferedQueue;
import java.util.function.LongConsumer;

/** The buffered queue of integers. */
final class LongContestant implements Contestant, LongConsumer {
    private final LongBufferedQueue queue;
    private long sum;

    LongContestant(LongBufferedQueue queue) {
        this.queue = queue;
    }

    @Override
    public void produce(long from, long to, int batch, ComputeThread ct) {
        if (batch == 1) {
            for (long item = from; item < to; item++) {
                queue.enqueue(item, ct);
            }
            return;
        }
        long[] items = new long[batch];
        for (long item = from; item < to; item += batch) {
            for (int i = 0; i < batch; i++) {
                items[i] = item + i;
            }
            queue.enqueueAll(items, 0, (int) Math.min(batch, to - item), ct);
        }
    }

    @Override
    public Stretch consume(long items, int batch, ComputeThread ct) {
        sum = queue.dequeue(ct);
        long start = System.nanoTime();
        for (long done = 1; done < items; ) {
            if (batch == 1) {
                sum += queue.dequeue(ct);
                done++;
            } else {
                done += queue.dequeueAll((int) Math.min(batch, items - done), this, ct);
            }
        }
        return new Stretch(sum, System.nanoTime() - start);
    }

    @Override
    public void accept(long item) {
        sum += item;
    }

    @Override
    public void destroy(ComputeThread ct) {
        queue.destroy(ct);
    }
}
