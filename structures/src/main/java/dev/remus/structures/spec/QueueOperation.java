package dev.remus.structures.spec;

import java.util.Objects;

/**
 * An operation on a queue. They return a {@link QueueResult}.
 *
 * @param item what to enqueue; null for a dequeue
 * @param <V> items, with {@code equals} and {@code hashCode}
 */
public record QueueOperation<V>(V item) {
    /** Puts an item at the end; returns whether there was room. */
    public static <V> QueueOperation<V> enqueue(V item) {
        return new QueueOperation<>(Objects.requireNonNull(item, "item"));
    }

    /** Takes the item at the front; returns it. */
    public static <V> QueueOperation<V> dequeue() {
        return new QueueOperation<>(null);
    }

    /** Whether it is an enqueue. */
    public boolean isEnqueue() {
        return item != null;
    }

    /** For example {@code enqueue(3)}. */
    @Override
    public String toString() {
        return isEnqueue() ? "enqueue(" + item + ")" : "dequeue()";
    }
}
