// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import java.util.Locale;
import java.util.Objects;

/**
 * An operation on a set, which returns a boolean.
 *
 * @param kind the kind of operation
 * @param key the key
 * @param <K> keys, with {@code equals} and {@code hashCode}
 */
public record SetOperation<K>(Kind kind, K key) {
    /** The kinds of operations. */
    public enum Kind {
        /** Whether the key is in the set. */
        CONTAINS,
        /** Adds the key; returns whether it was missing. */
        INSERT,
        /** Removes the key; returns whether it was there. */
        REMOVE
    }

    /** Refuses null. */
    public SetOperation {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(key, "key");
    }

    /** Whether the key is in the set. */
    public static <K> SetOperation<K> contains(K key) {
        return new SetOperation<>(Kind.CONTAINS, key);
    }

    /** Adds the key; returns whether it was missing. */
    public static <K> SetOperation<K> insert(K key) {
        return new SetOperation<>(Kind.INSERT, key);
    }

    /** Removes the key; returns whether it was there. */
    public static <K> SetOperation<K> remove(K key) {
        return new SetOperation<>(Kind.REMOVE, key);
    }

    /** For example {@code insert(3)}. */
    @Override
    public String toString() {
        return kind.name().toLowerCase(Locale.ROOT) + "(" + key + ")";
    }
}
