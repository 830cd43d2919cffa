// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.DeterministicSpecification;
import java.util.Optional;

/**
 * The specification of a map. Its keys are independent, so each is a part of its own, whose state is its value.
 *
 * @param <K> keys, with {@code equals} and {@code hashCode}
 * @param <V> values, with {@code equals} and {@code hashCode}
 */
public final class MapSpecification<K, V>
        implements DeterministicSpecification<Optional<V>, MapOperation<K, V>, Optional<V>> {
    private final Optional<V> initial;

    /** Specifies a map that is empty at first. */
    public MapSpecification() {
        this(Optional.empty());
    }

    /** Specifies a map in which every key has the same value at first, or none. */
    public MapSpecification(Optional<V> initial) {
        this.initial = initial;
    }

    @Override
    public Optional<V> initial() {
        return initial;
    }

    @Override
    public Step<Optional<V>, Optional<V>> step(Optional<V> before, MapOperation<K, V> operation) {
        return switch (operation.kind()) {
            case GET -> new Step<>(before, before);
            case PUT -> new Step<>(operation.value(), before);
            case PUT_IF_ABSENT -> new Step<>(before.or(operation::value), before);
            case REPLACE ->
                before.equals(operation.expected())
                        ? new Step<>(operation.value(), before)
                        : new Step<>(before, Optional.empty());
            case REMOVE -> new Step<>(Optional.empty(), before);
            case REMOVE_VALUE ->
                before.equals(operation.expected())
                        ? new Step<>(Optional.empty(), before)
                        : new Step<>(before, Optional.empty());
        };
    }

    @Override
    public Object partOf(MapOperation<K, V> operation) {
        return operation.key();
    }

    @Override
    public boolean changesNothing(MapOperation<K, V> operation, Optional<V> result) {
        return switch (operation.kind()) {
            case GET -> true;
            case PUT -> false;
            case PUT_IF_ABSENT -> result.isPresent();
            case REPLACE, REMOVE, REMOVE_VALUE -> result.isEmpty();
        };
    }
}
