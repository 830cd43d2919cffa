// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.DeterministicSpecification;
import dev.remus.check.History;
import dev.remus.check.Invocation;
import dev.remus.check.Specification;

/**
 * The specification of a first-in-first-out queue, with or without a bound. It also fits queues whose operations wait
 * instead of returning FULL or EMPTY.
 *
 * <p>Give every enqueued item a value of its own: that makes checks much faster, and their findings easier to read.
 *
 * @param <V> items, with {@code equals} and {@code hashCode}
 */
public final class QueueSpecification<V>
        implements DeterministicSpecification<QueueState<V>, QueueOperation<V>, QueueResult<V>> {
    private final int capacity;

    /** Specifies a queue without a bound. */
    public QueueSpecification() {
        this(Integer.MAX_VALUE);
    }

    /** @param capacity the number of items that have room, at least 1 */
    public QueueSpecification(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a queue with room for " + capacity + " items: needs at least 1");
        }
        this.capacity = capacity;
    }

    @Override
    public QueueState<V> initial() {
        return QueueState.empty();
    }

    @Override
    public Step<QueueState<V>, QueueResult<V>> step(QueueState<V> queue, QueueOperation<V> operation) {
        if (operation.isEnqueue()) {
            return queue.size() < capacity
                    ? new Step<>(queue.with(operation.item()), QueueResult.enqueued())
                    : new Step<>(queue, QueueResult.full());
        }
        return queue.size() == 0
                ? new Step<>(queue, QueueResult.empty())
                : new Step<>(queue.withoutFirst(), QueueResult.of(queue.first()));
    }

    @Override
    public boolean changesNothing(QueueOperation<V> operation, QueueResult<V> result) {
        return result.kind() == QueueResult.Kind.FULL || result.kind() == QueueResult.Kind.EMPTY;
    }

    @Override
    public Specification<?, QueueOperation<V>, QueueResult<V>> knowing(
            History<QueueOperation<V>, QueueResult<V>> history) {
        return QueueForesight.of(this, capacity, history);
    }

    /**
     * Groups operations for a {@link dev.remus.check.Minimiser}: the enqueue and the dequeue of an item belong
     * together, and every other operation stands alone.
     */
    public static <V> Object itemOf(Invocation<QueueOperation<V>, QueueResult<V>> invocation) {
        if (invocation.operation().isEnqueue()) {
            return invocation.operation().item();
        }
        boolean tookOne = !invocation.isPending() && invocation.result().kind() == QueueResult.Kind.ITEM;
        return tookOne ? invocation.result().item() : new Alone(invocation.id());
    }

    private record Alone(int id) {}
}
