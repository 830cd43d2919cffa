// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import dev.remus.record.Codecs;
import dev.remus.structures.spec.OvertakenBatchesScenario;
import java.util.List;

/**
 * The relaxed buffered queue with the mistake that it had: a batch tries all of its blocks at once, and then waits for
 * those that it did not get one by one, although others of them may be free.
 */
final class StubbornBatches extends RingQueue<Long> {
    /** What the positions of blocks were, by number of the item in a batch. */
    private final LocalBuffer seen;

    private int places;

    private StubbornBatches(RdmaPtr<Ring> This, ComputeThread ct) {
        super(RelaxedBufferedQueue.KIND, This, Codecs.LONG, true, ct);
        seen = ct.allocateLocal((long) this.This.batch() * Long.BYTES);
    }

    static OvertakenBatchesScenario scenario() {
        return new OvertakenBatchesScenario(
                (n, ct) -> RelaxedBufferedQueue.create(n, Codecs.LONG, ct), StubbornBatches::new);
    }

    @Override
    public long enqueue(Long item, ComputeThread ct) {
        long position = producer.claim(1, ct);
        post(item, take(position, ct));
        return position;
    }

    @Override
    public boolean tryEnqueue(Long item, ComputeThread ct) {
        throw new UnsupportedOperationException("the scenario does not try");
    }

    @Override
    public void enqueueAll(List<? extends Long> items, ComputeThread ct) {
        long first = producer.claim(items.size(), ct);
        if (producer.isFree(first + items.size() - 1, ct)) {
            takeAtOnce(first, items.size(), ct);
        }
        for (int i = 0; i < items.size(); i++) {
            if (isTaken(first, i)) {
                post(items.get(i), first + i);
            }
        }
        for (int i = 0; i < items.size(); i++) {
            if (!isTaken(first, i)) {
                post(items.get(i), take(first + i, ct));
            }
        }
    }

    private void takeAtOnce(long first, int count, ComputeThread ct) {
        Sequence swaps = ct.sequence();
        for (int i = 0; i < count; i++) {
            swaps.compareAndSwap(pointerTo(first + i), first + i, first + i + capacity(), seen, (long) i * Long.BYTES);
        }
        swaps.execute();
    }

    private boolean isTaken(long first, int i) {
        return seen.getLong((long) i * Long.BYTES) == first + i;
    }

    private long pointerTo(long position) {
        return This.positions().pointer(This.block(position));
    }

    private long take(long taken, ComputeThread ct) {
        long position = taken;
        while (true) {
            if (producer.isFree(position, ct)) {
                long found = producer.swap(position, pointerTo(position), position + capacity(), ct);
                if (found == position) {
                    return position;
                }
                position = found;
            } else {
                position = This.positions().load(This.block(taken), ct);
                if (!producer.isFree(position)) {
                    producer.waitForConsumer(position, ct);
                }
            }
        }
    }

    private void post(long item, long position) {
        int place = places++ % This.batch();
        stage(item, place);
        producer.post(position, place, 1);
    }
}
