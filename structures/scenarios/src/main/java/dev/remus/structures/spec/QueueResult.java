// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result of an operation on a queue.
 *
 * @param kind the kind of result
 * @param item the item that was dequeued, else null
 * @param <V> items, with {@code equals} and {@code hashCode}
 */
public record QueueResult<V>(Kind kind, @Nullable V item) {
    /** The possible results. */
    public enum Kind {
        /** Of an enqueue: done. */
        ENQUEUED,
        /** Of an enqueue: there is no room, and the queue is unchanged. */
        FULL,
        /** Of a dequeue: this item. */
        ITEM,
        /** Of a dequeue: there is no item. */
        EMPTY
    }

    /** Rejects a missing item of a dequeue, or an item of another result. */
    public QueueResult {
        Objects.requireNonNull(kind, "kind");
        if (kind == Kind.ITEM != (item != null)) {
            throw new IllegalArgumentException(kind + " with item " + item);
        }
    }

    /**
     * The item that was dequeued.
     *
     * @throws NoSuchElementException if the kind is not {@link Kind#ITEM}
     */
    @Override
    public V item() {
        if (item == null) {
            throw new NoSuchElementException("there is no item: " + kind);
        }
        return item;
    }

    /** The item has been enqueued. */
    public static <V> QueueResult<V> enqueued() {
        return new QueueResult<>(Kind.ENQUEUED, null);
    }

    /** There was no room for the item. */
    public static <V> QueueResult<V> full() {
        return new QueueResult<>(Kind.FULL, null);
    }

    /** This item has been dequeued. */
    public static <V> QueueResult<V> of(V item) {
        return new QueueResult<>(Kind.ITEM, item);
    }

    /** There was no item. */
    public static <V> QueueResult<V> empty() {
        return new QueueResult<>(Kind.EMPTY, null);
    }

    /** For example {@code true}, {@code FULL}, {@code 3} or {@code EMPTY}. */
    @Override
    public String toString() {
        return switch (kind) {
            case ENQUEUED -> "true";
            case ITEM -> item().toString();
            case FULL, EMPTY -> kind.name();
        };
    }
}
