// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.node.ComputeThread;
import dev.remus.structures.BufferedQueue;
import dev.remus.structures.Dequeued;
import dev.remus.structures.LongBufferedQueue;
import dev.remus.structures.RingQueue;
import dev.remus.structures.ScalableQueue;
import java.util.List;
import java.util.function.Supplier;

/** The queues with a single consumer as the threads of a {@link BufferedQueueScenario} see them. */
final class BufferedQueueHandles {
    /** A time limit with which some attempts succeed. */
    private static final long PATIENCE_NANOS = 20_000;

    private BufferedQueueHandles() {}

    record RingHandle(RingQueue<Long> queue) implements BufferedQueueHandle {
        @Override
        public long enqueue(long item, ComputeThread ct) {
            return queue.enqueue(item, ct);
        }

        @Override
        public long dequeue(ComputeThread ct) {
            return queue.dequeue(ct);
        }

        @Override
        public boolean tryEnqueue(long item, ComputeThread ct) {
            return item % 2 == 0 ? queue.tryEnqueue(item, ct) : queue.tryEnqueue(item, PATIENCE_NANOS, ct);
        }

        @Override
        public void enqueueAll(List<Long> items, ComputeThread ct) {
            queue.enqueueAll(items, ct);
        }

        @Override
        public Dequeued<Long> tryDequeue(ComputeThread ct) {
            return ct.random().nextBoolean() ? queue.tryDequeue(ct) : queue.tryDequeue(PATIENCE_NANOS, ct);
        }

        @Override
        public void dequeueAll(int most, List<Long> into, ComputeThread ct) {
            queue.dequeueAll(most, into::add, ct);
        }

        @Override
        public void tryDequeueAll(int most, List<Long> into, ComputeThread ct) {
            queue.tryDequeueAll(most, into::add, ct);
        }

        @Override
        public void destroy(ComputeThread ct) {
            queue.destroy(ct);
        }
    }

    record ScalableHandle(ScalableQueue<Long> queue) implements BufferedQueueHandle {
        @Override
        public long enqueue(long item, ComputeThread ct) {
            queue.enqueue(item, ct);
            return UNKNOWN;
        }

        @Override
        public long dequeue(ComputeThread ct) {
            return queue.dequeue(ct);
        }

        @Override
        public boolean tryEnqueue(long item, ComputeThread ct) {
            return queue.tryEnqueue(item, ct);
        }

        @Override
        public void enqueueAll(List<Long> items, ComputeThread ct) {
            queue.enqueueAll(items, ct);
        }

        @Override
        public void dequeueAll(int most, List<Long> into, ComputeThread ct) {
            into.addAll(queue.tryDequeueAll(most, ct));
        }

        @Override
        public boolean saysEmpty() {
            return true;
        }

        @Override
        public Dequeued<Long> tryDequeue(ComputeThread ct) {
            return queue.tryDequeue(ct);
        }

        @Override
        public void destroy(ComputeThread ct) {
            queue.destroy(ct);
        }
    }

    record InPlaceHandle(BufferedQueue<Long> queue) implements BufferedQueueHandle {
        /** No item. */
        private static final long GIVEN_UP = -1;

        private void stage(long item, ComputeThread ct) {
            if (ct.random().nextBoolean()) {
                queue.stage().putLong(GIVEN_UP);
            }
            queue.stage().putLong(item);
        }

        @Override
        public long enqueue(long item, ComputeThread ct) {
            stage(item, ct);
            long position = queue.enqueueStaged(ct);
            queue.stage().putLong(GIVEN_UP);
            return position;
        }

        /** Tries twice what was staged once. */
        @Override
        public boolean tryEnqueue(long item, ComputeThread ct) {
            stage(item, ct);
            if (queue.tryEnqueueStaged(ct)) {
                return true;
            }
            ct.pause();
            return queue.tryEnqueueStaged(ct);
        }

        @Override
        public long dequeue(ComputeThread ct) {
            return queue.dequeueInPlace(ct).getLong();
        }

        @Override
        public Dequeued<Long> tryDequeue(ComputeThread ct) {
            return result(
                    queue.tryDequeueInPlace(ct), () -> queue.dequeuedInPlace().getLong());
        }

        @Override
        public void destroy(ComputeThread ct) {
            queue.destroy(ct);
        }
    }

    record LongHandle(LongBufferedQueue queue) implements BufferedQueueHandle {
        @Override
        public long enqueue(long item, ComputeThread ct) {
            return queue.enqueue(item, ct);
        }

        @Override
        public boolean tryEnqueue(long item, ComputeThread ct) {
            return queue.tryEnqueue(item, ct);
        }

        @Override
        public void enqueueAll(List<Long> items, ComputeThread ct) {
            long[] array = items.stream().mapToLong(Long::longValue).toArray();
            queue.enqueueAll(array, 0, array.length, ct);
        }

        @Override
        public long dequeue(ComputeThread ct) {
            return queue.dequeue(ct);
        }

        @Override
        public Dequeued<Long> tryDequeue(ComputeThread ct) {
            return result(
                    ct.random().nextBoolean() ? queue.tryDequeue(ct) : queue.tryDequeue(PATIENCE_NANOS, ct),
                    queue::dequeued);
        }

        @Override
        public void dequeueAll(int most, List<Long> into, ComputeThread ct) {
            queue.dequeueAll(most, into::add, ct);
        }

        @Override
        public void tryDequeueAll(int most, List<Long> into, ComputeThread ct) {
            queue.tryDequeueAll(most, into::add, ct);
        }

        @Override
        public void destroy(ComputeThread ct) {
            queue.destroy(ct);
        }
    }

    private static Dequeued<Long> result(Dequeued.Kind kind, Supplier<Long> item) {
        return switch (kind) {
            case ITEM -> Dequeued.of(item.get());
            case EMPTY -> Dequeued.empty();
            case NOT_READY -> Dequeued.notReady();
        };
    }
}
