// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An operation on a queue, which returns a {@link QueueResult}.
 *
 * @param item the item to enqueue; null for a dequeue
 * @param <V> items, with {@code equals} and {@code hashCode}
 */
public record QueueOperation<V>(@Nullable V item) {
    /** Puts an item at the end; returns whether there was room. */
    public static <V> QueueOperation<V> enqueue(V item) {
        return new QueueOperation<>(Objects.requireNonNull(item, "item"));
    }

    /** Takes the item at the front; returns it. */
    public static <V> QueueOperation<V> dequeue() {
        return new QueueOperation<>(null);
    }

    /**
     * The item to enqueue.
     *
     * @throws NoSuchElementException if this is a dequeue
     */
    @Override
    public V item() {
        if (item == null) {
            throw new NoSuchElementException("a dequeue has no item");
        }
        return item;
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
