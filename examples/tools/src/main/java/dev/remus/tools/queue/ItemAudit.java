// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import java.util.Arrays;

/**
 * Makes and checks one thread's items for the audit of a queue. An item is the id of the thread that enqueues it and,
 * in the lower 40 bits, the number of items that it enqueued before.
 */
public final class ItemAudit {
    private static final int NUMBER_BITS = 40;

    private final long producer;

    /** The highest item number of each producer that this thread has dequeued. */
    private final long[] last;

    private long produced;
    private long reordered;
    private long enqueuedChecksum;
    private long dequeuedChecksum;

    /**
     * @param thread the id of this thread
     * @param threads the number of threads whose items this one may dequeue
     */
    public ItemAudit(int thread, int threads) {
        this.producer = (long) thread << NUMBER_BITS;
        this.last = new long[threads];
        Arrays.fill(last, -1);
    }

    /** The id of the thread that has enqueued an item. */
    static int producer(long item) {
        return (int) (item >>> NUMBER_BITS);
    }

    /** An item's name for readers, such as {@code 1.5}: its producer and its number. */
    static String name(long item) {
        return producer(item) + "." + (item & (1L << NUMBER_BITS) - 1);
    }

    /** The next item of this thread; the same until {@link #enqueued} is called. */
    public long next() {
        return producer | produced;
    }

    /** Counts the {@link #next} item as enqueued. */
    public void enqueued() {
        enqueuedChecksum += mix(next());
        produced++;
    }

    /**
     * Checks and counts an item that this thread has dequeued.
     *
     * @throws IllegalStateException if no thread can have enqueued the item
     */
    public void dequeued(long item) {
        int from = producer(item);
        if (from < 0 || from >= last.length) {
            throw new IllegalStateException(
                    "the queue is damaged: 0x" + Long.toHexString(item) + " was dequeued, but no thread enqueued it");
        }
        long number = item & (1L << NUMBER_BITS) - 1;
        reordered += number < last[from] ? 1 : 0;
        last[from] = Math.max(last[from], number);
        dequeuedChecksum += mix(item);
    }

    /** The number of items that this thread dequeued after a later item of the same producer. */
    public long reordered() {
        return reordered;
    }

    /** The checksum of all items that this thread enqueued; different sets of items are unlikely to have the same. */
    public long enqueuedChecksum() {
        return enqueuedChecksum;
    }

    /** The checksum of all items that this thread dequeued. */
    public long dequeuedChecksum() {
        return dequeuedChecksum;
    }

    /** Spreads the bits of a number over the whole word. Source: the finaliser of SplitMix64. */
    private static long mix(long item) {
        long z = (item ^ item >>> 30) * 0xBF58476D1CE4E5B9L + 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
