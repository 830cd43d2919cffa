// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.structures.spec.BufferedQueueHandle;
import dev.remus.structures.spec.BufferedQueueScenario;
import dev.remus.structures.spec.QueueScenario.Promise;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The buffered queue with items in place, used wrongly. */
final class HastyQueue implements BufferedQueueHandle {
    /** The mistakes. */
    enum Flaw {
        /** A producer takes a position first, writes the item then, and sometimes gives it up. */
        CLAIMS_FIRST,
        /** The consumer reads an item when it has dequeued the next one. */
        READS_LATE
    }

    private final BufferedQueue<Long> queue;
    private final Flaw flaw;

    /** The item that was dequeued, and not read yet. */
    private @Nullable ByteBuffer unread;

    private HastyQueue(RdmaPtr<Ring> This, Flaw flaw, ComputeThread ct) {
        this.queue = new BufferedQueue<>(This, Codecs.LONG, ct);
        this.flaw = flaw;
    }

    @SuppressWarnings("unchecked") // the pointer comes from the creator
    static BufferedQueueScenario scenario(Flaw flaw, int threads, int operations, int capacity) {
        return new BufferedQueueScenario(
                threads,
                operations,
                capacity,
                Promise.LINEARIZABLE,
                (n, ct) -> BufferedQueue.create(n, Codecs.LONG, ct),
                (This, ct) -> new HastyQueue((RdmaPtr<Ring>) This, flaw, ct));
    }

    @Override
    public long enqueue(long item, ComputeThread ct) {
        if (flaw == Flaw.CLAIMS_FIRST && ct.random().nextInt(4) == 0) {
            queue.producer.claim(1, ct);
        }
        queue.stage().putLong(item);
        return queue.enqueueStaged(ct);
    }

    @Override
    public long dequeue(ComputeThread ct) {
        ByteBuffer item = queue.dequeueInPlace(ct);
        if (flaw == Flaw.READS_LATE) {
            ByteBuffer next = item;
            item = unread == null ? next : unread;
            unread = next;
        }
        return item.getLong(0);
    }

    @Override
    public void destroy(ComputeThread ct) {
        queue.destroy(ct);
    }
}
