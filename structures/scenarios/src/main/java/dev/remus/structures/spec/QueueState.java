// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The items in a queue, first in first out. It is immutable: each change returns a new queue that shares items with the
 * old one. Changes take constant time on average, and so does {@code hashCode}.
 *
 * <p>Source: C. Okasaki, "Purely Functional Data Structures", 1998, section 5.2: a list from the front, and one from
 * the back that is reversed when the front is empty.
 *
 * @param <V> items, with {@code equals} and {@code hashCode}
 */
public final class QueueState<V> implements Iterable<V> {
    private static final QueueState<?> EMPTY = new QueueState<>(null, null, 0, 0, 1);
    private static final int BASE = 31;
    /** BASE times this is 1, as ints. */
    private static final int INVERSE = 0xBDEF7BDF;

    private final @Nullable Cell<V> front;
    private final @Nullable Cell<V> back;
    private final int size;
    /** The first item's hash times BASE^(size-1), plus the next one's times BASE^(size-2), and so on. */
    private final int hash;
    /** BASE^size. */
    private final int power;

    private record Cell<V>(V item, @Nullable Cell<V> next) {}

    private QueueState(@Nullable Cell<V> front, @Nullable Cell<V> back, int size, int hash, int power) {
        this.front = front;
        this.back = back;
        this.size = size;
        this.hash = hash;
        this.power = power;
    }

    /** The queue without items. */
    @SuppressWarnings("unchecked") // without items, their type does not matter
    public static <V> QueueState<V> empty() {
        return (QueueState<V>) EMPTY;
    }

    /** The number of items. */
    public int size() {
        return size;
    }

    /** The item at the front. */
    public V first() {
        if (front == null) {
            throw new NoSuchElementException("the queue is empty");
        }
        return front.item;
    }

    /** This queue with one more item at the end. */
    public QueueState<V> with(V item) {
        int newHash = hash * BASE + item.hashCode();
        return front == null
                ? new QueueState<>(new Cell<>(item, null), null, 1, newHash, power * BASE)
                : new QueueState<>(front, new Cell<>(item, back), size + 1, newHash, power * BASE);
    }

    /** This queue without the item at the front. */
    public QueueState<V> withoutFirst() {
        int newPower = power * INVERSE;
        int newHash = hash - first().hashCode() * newPower;
        if (front != null && front.next != null) {
            return new QueueState<>(front.next, back, size - 1, newHash, newPower);
        }
        @Nullable Cell<V> turned = null;
        for (Cell<V> cell = back; cell != null; cell = cell.next) {
            turned = new Cell<>(cell.item, turned);
        }
        return new QueueState<>(turned, null, size - 1, newHash, newPower);
    }

    @Override
    public Iterator<V> iterator() {
        List<V> items = new ArrayList<>(size);
        for (Cell<V> cell = front; cell != null; cell = cell.next) {
            items.add(cell.item);
        }
        int turned = items.size();
        for (Cell<V> cell = back; cell != null; cell = cell.next) {
            items.add(cell.item);
        }
        Collections.reverse(items.subList(turned, items.size()));
        return Collections.unmodifiableList(items).iterator();
    }

    /** Two states are equal if they hold equal items in the same order. */
    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        if (!(other instanceof QueueState<?> that) || size != that.size || hash != that.hash) {
            return false;
        }
        Iterator<?> others = that.iterator();
        for (V item : this) {
            if (!item.equals(others.next())) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** For example {@code [1, 2, 3]}. */
    @Override
    public String toString() {
        List<V> items = new ArrayList<>(size);
        forEach(items::add);
        return items.toString();
    }
}
