package dev.remus.tools.queue;

import dev.remus.tools.harness.RunLength;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;

/**
 * What a {@link QueueExperiment} does. All nodes of a cluster use the same, but for the seed, which the lead thread gives to all.
 *
 * @param queue the queue
 * @param pattern who does what
 * @param length how long each thread goes on; with {@link Pattern#PRODUCER_CONSUMER}, operations are the items that each
 *     producer enqueues
 * @param capacity for how many items there is room: in all for the buffered queues, of each thread for the others
 * @param seed decides what each thread draws
 * @param latency whether the time of each operation is kept, for percentiles; takes half a megabyte per thread
 */
public record QueueWorkload(
        QueueKind queue, Pattern pattern, RunLength length, int capacity, long seed, boolean latency) {
    /** Who does what. */
    public enum Pattern {
        /**
         * Every thread tries to insert or to remove, with equal probability; FULL and EMPTY count as operations. With one
         * consumer, the thread with id 0 removes and the others insert.
         */
        RANDOM,
        /**
         * Some threads enqueue, again until there is room, and some dequeue, again until there is an item. With one
         * consumer this is the thread with id 0, otherwise the first half of the threads consume.
         */
        PRODUCER_CONSUMER;

        /** As on the command line. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Refuses what is out of range. */
    public QueueWorkload {
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(pattern, "pattern");
        Objects.requireNonNull(length, "length");
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity " + capacity + ": needs at least 1");
        }
    }

    /** One that keeps no times of single operations. */
    public QueueWorkload(QueueKind queue, Pattern pattern, long operations, int capacity, long seed) {
        this(queue, pattern, RunLength.ofOperations(operations), capacity, seed, false);
    }

    /** The same with another seed. */
    public QueueWorkload withSeed(long other) {
        return new QueueWorkload(queue, pattern, length, capacity, other, latency);
    }

    /** The same with or without keeping the time of each operation. */
    public QueueWorkload withLatency(boolean kept) {
        return new QueueWorkload(queue, pattern, length, capacity, seed, kept);
    }

    /** How many threads only dequeue; they are those with the lowest ids. */
    public int consumers(int threads) {
        if (queue.hasOneConsumer()) {
            return 1;
        }
        return pattern == Pattern.PRODUCER_CONSUMER ? threads / 2 : 0;
    }

    /** How many operations a thread does at most. */
    long operationsOf(int thread, int threads) {
        if (pattern == Pattern.RANDOM || thread >= consumers(threads)) {
            return length.operations();
        }
        long items = Math.multiplyExact(length.operations(), threads - consumers(threads));
        long each = items / consumers(threads);
        return thread < items % consumers(threads) ? each + 1 : each;
    }

    /** What all nodes have to agree on, in a word. A record's own toString() takes each Java VM a tenth of a second the first time. */
    long fingerprint() {
        long[] agreed = {
            queue.ordinal(), pattern.ordinal(), length.operations(), length.nanos(), capacity, latency ? 1 : 0
        };
        return Arrays.hashCode(agreed);
    }
}
