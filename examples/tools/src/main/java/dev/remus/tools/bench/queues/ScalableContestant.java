// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.queues;

import dev.remus.node.ComputeThread;
import dev.remus.structures.ScalableQueue;
import java.util.ArrayList;
import java.util.List;

/** The framework's queue for many producers and many consumers, under measurement. */
final class ScalableContestant implements Contestant {
    private final ScalableQueue<Long> queue;

    /** @param queue the handle of one thread */
    ScalableContestant(ScalableQueue<Long> queue) {
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
        List<Long> items = new ArrayList<>(batch);
        for (long item = from; item < to; ) {
            items.clear();
            for (; items.size() < batch && item < to; item++) {
                items.add(item);
            }
            queue.enqueueAll(items, ct);
        }
    }

    @Override
    public Stretch consume(long items, int batch, ComputeThread ct) {
        long sum = queue.dequeue(ct);
        long start = System.nanoTime();
        for (long done = 1; done < items; ) {
            if (batch == 1) {
                sum += queue.dequeue(ct);
                done++;
                continue;
            }
            List<Long> taken = queue.tryDequeueAll((int) Math.min(batch, items - done), ct);
            for (Long item : taken) {
                sum += item;
            }
            done += taken.size();
            if (taken.isEmpty()) {
                ct.pause();
            }
        }
        return new Stretch(sum, System.nanoTime() - start);
    }

    @Override
    public void destroy(ComputeThread ct) {
        queue.destroy(ct);
    }
}
