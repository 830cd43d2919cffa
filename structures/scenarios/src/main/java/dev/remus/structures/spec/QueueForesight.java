// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.History;
import dev.remus.check.Invocation;
import dev.remus.check.Specification;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The specification of a queue for a known history: it rejects at an enqueue what would otherwise fail only at the
 * dequeue.
 *
 * <ul>
 *   <li>If one item's dequeue returned before another's was called, it was enqueued first.
 *   <li>Items that no dequeue of the history returned are interchangeable; a pending dequeue can have taken only one of
 *       these.
 * </ul>
 *
 * <p>Both follow from first in, first out, for items of different values. Source of the first: T. Henzinger, A. Sezgin
 * and V. Vafeiadis, "Aspect-Oriented Linearizability Proofs", CONCUR 2013, where it is the violation VOrd.
 */
final class QueueForesight<V> implements Specification<QueueForesight.State, QueueOperation<V>, QueueResult<V>> {
    /** An item that no dequeue of the history returned. */
    private record Left() {}

    private static final Object LEFT = new Left();

    private final int capacity;
    private final Map<V, Invocation<?, ?>> dequeues;
    /** The call of the first pending dequeue. */
    private final long firstPendingDequeue;

    /**
     * The items in the queue, and the latest call among the dequeues of all items ever enqueued. The latter does not
     * distinguish states: an item that has left the queue was dequeued by a call before every return yet to come.
     */
    record State(QueueState<Object> items, long latestDequeueCalled) {
        @Override
        public boolean equals(Object other) {
            return other instanceof State that && items.equals(that.items);
        }

        @Override
        public int hashCode() {
            return items.hashCode();
        }
    }

    private QueueForesight(int capacity, Map<V, Invocation<?, ?>> dequeues, long firstPendingDequeue) {
        this.capacity = capacity;
        this.dequeues = dequeues;
        this.firstPendingDequeue = firstPendingDequeue;
    }

    /** Returns a specification with foresight, or an ordinary one if values are enqueued or dequeued twice. */
    static <V> Specification<?, QueueOperation<V>, QueueResult<V>> of(
            Specification<?, QueueOperation<V>, QueueResult<V>> queue,
            int capacity,
            History<QueueOperation<V>, QueueResult<V>> history) {
        Set<V> enqueued = new HashSet<>();
        Map<V, Invocation<?, ?>> dequeues = new HashMap<>();
        long firstPendingDequeue = Long.MAX_VALUE;
        for (Invocation<QueueOperation<V>, QueueResult<V>> i : history.invocations()) {
            boolean again = false;
            if (i.operation().isEnqueue()) {
                again = !enqueued.add(i.operation().item());
            } else if (i.isPending()) {
                firstPendingDequeue = Math.min(firstPendingDequeue, i.called());
            } else if (i.result().kind() == QueueResult.Kind.ITEM) {
                again = dequeues.put(i.result().item(), i) != null;
            }
            if (again) {
                return queue;
            }
        }
        return new QueueForesight<>(capacity, dequeues, firstPendingDequeue);
    }

    @Override
    public State initial() {
        return new State(QueueState.empty(), Long.MIN_VALUE);
    }

    @Override
    public List<State> after(State state, QueueOperation<V> operation, QueueResult<V> result) {
        QueueState<Object> items = state.items();
        boolean isEnqueue = operation.isEnqueue();
        return switch (result.kind()) {
            case ENQUEUED -> isEnqueue ? enqueued(state, operation.item()) : List.of();
            case FULL -> isEnqueue && items.size() == capacity ? List.of(state) : List.of();
            case EMPTY -> !isEnqueue && items.size() == 0 ? List.of(state) : List.of();
            case ITEM -> !isEnqueue ? dequeued(state, result.item()) : List.of();
        };
    }

    @Override
    public List<State> afterPending(State state, QueueOperation<V> operation) {
        return operation.isEnqueue() ? enqueued(state, operation.item()) : dequeued(state, LEFT);
    }

    @Override
    public boolean changesNothing(QueueOperation<V> operation, QueueResult<V> result) {
        return result.kind() == QueueResult.Kind.FULL || result.kind() == QueueResult.Kind.EMPTY;
    }

    private List<State> enqueued(State state, V item) {
        Invocation<?, ?> dequeue = dequeues.get(item);
        long called = dequeue == null ? firstPendingDequeue : dequeue.called();
        long returned = dequeue == null ? Long.MAX_VALUE : dequeue.returned();
        if (state.items().size() == capacity || returned < state.latestDequeueCalled()) {
            return List.of();
        }
        QueueState<Object> items = state.items().with(dequeue == null ? LEFT : item);
        return List.of(new State(items, Math.max(called, state.latestDequeueCalled())));
    }

    private static List<State> dequeued(State state, Object item) {
        QueueState<Object> items = state.items();
        return items.size() > 0 && items.first().equals(item)
                ? List.of(new State(items.withoutFirst(), state.latestDequeueCalled()))
                : List.of();
    }
}
