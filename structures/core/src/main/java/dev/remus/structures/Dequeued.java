// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result of an attempt to dequeue. There is one object each for the two ways of getting nothing, so that an attempt
 * in vain allocates nothing.
 *
 * @param kind which of the possible results
 * @param item the item if there was one, else null
 * @param <T> items
 */
public record Dequeued<T>(Kind kind, @Nullable T item) {
    /** The possible results. */
    public enum Kind {
        /** There was one. */
        ITEM,
        /** There was none. */
        EMPTY,
        /** There was one that is not complete yet: a thread is still enqueuing it. */
        NOT_READY
    }

    private static final Dequeued<?> EMPTY = new Dequeued<>(Kind.EMPTY, null);
    private static final Dequeued<?> NOT_READY = new Dequeued<>(Kind.NOT_READY, null);

    /** Rejects an item that is missing, or that was not dequeued. */
    public Dequeued {
        Objects.requireNonNull(kind, "kind");
        if (kind == Kind.ITEM != (item != null)) {
            throw new IllegalArgumentException(kind + " with item " + item);
        }
    }

    /** This item. */
    public static <T> Dequeued<T> of(T item) {
        return new Dequeued<>(Kind.ITEM, item);
    }

    /** The queue was empty. */
    @SuppressWarnings("unchecked") // without an item, its type does not matter
    public static <T> Dequeued<T> empty() {
        return (Dequeued<T>) EMPTY;
    }

    /** There is an item that cannot be taken yet. */
    @SuppressWarnings("unchecked") // as above
    public static <T> Dequeued<T> notReady() {
        return (Dequeued<T>) NOT_READY;
    }

    /**
     * The item.
     *
     * @throws NoSuchElementException if there is none: ask {@link #isItem} first
     */
    @Override
    public T item() {
        if (item == null) {
            throw new NoSuchElementException("there is no item: " + kind);
        }
        return item;
    }

    /** Whether there is an item. */
    public boolean isItem() {
        return kind == Kind.ITEM;
    }

    /** For example {@code 3}, {@code EMPTY} or {@code NOT_READY}. */
    @Override
    public String toString() {
        return item == null ? kind.name() : item.toString();
    }
}
