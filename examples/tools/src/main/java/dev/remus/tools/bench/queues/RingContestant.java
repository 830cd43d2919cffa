// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.queues;

import dev.remus.node.ComputeThread;
import dev.remus.structures.RingQueue;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A ring queue of the framework, under measurement. */
final class RingContestant implements Contestant, Consumer<Cell> {
    private final RingQueue<Cell> queue;
    private long sum;

    RingContestant(RingQueue<Cell> queue) {
        this.queue = queue;
    }

    @Override
    public void produce(long from, long to, int batch, ComputeThread ct) {
        if (batch == 1) {
            Cell cell = new Cell();
            for (long item = from; item < to; item++) {
                cell.value = item;
                queue.enqueue(cell, ct);
            }
            return;
        }
        List<Cell> cells = Stream.generate(Cell::new).limit(batch).toList();
        for (long item = from; item < to; item += batch) {
            for (int i = 0; i < batch; i++) {
                cells.get(i).value = item + i;
            }
            queue.enqueueAll(cells.subList(0, (int) Math.min(batch, to - item)), ct);
        }
    }

    @Override
    public Stretch consume(long items, int batch, ComputeThread ct) {
        sum = 0;
        accept(queue.dequeue(ct));
        long start = System.nanoTime();
        for (long done = 1; done < items; ) {
            if (batch == 1) {
                accept(queue.dequeue(ct));
                done++;
            } else {
                done += queue.dequeueAll((int) Math.min(batch, items - done), this, ct);
            }
        }
        return new Stretch(sum, System.nanoTime() - start);
    }

    @Override
    public void accept(Cell cell) {
        sum += cell.value;
    }

    @Override
    public void destroy(ComputeThread ct) {
        queue.destroy(ct);
    }
}
