// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.DeterministicSpecification;
import java.util.HashSet;
import java.util.Set;

/** A specification of a set that is not split by keys, for comparison. */
final class WholeSet<K> implements DeterministicSpecification<Set<K>, SetOperation<K>, Boolean> {
    @Override
    public Set<K> initial() {
        return Set.of();
    }

    @Override
    public Step<Set<K>, Boolean> step(Set<K> keys, SetOperation<K> operation) {
        boolean present = keys.contains(operation.key());
        return switch (operation.kind()) {
            case CONTAINS -> new Step<>(keys, present);
            case INSERT -> new Step<>(present ? keys : with(keys, operation.key()), !present);
            case REMOVE -> new Step<>(present ? without(keys, operation.key()) : keys, present);
        };
    }

    private static <K> Set<K> with(Set<K> keys, K key) {
        Set<K> more = new HashSet<>(keys);
        more.add(key);
        return more;
    }

    private static <K> Set<K> without(Set<K> keys, K key) {
        Set<K> fewer = new HashSet<>(keys);
        fewer.remove(key);
        return fewer;
    }
}
