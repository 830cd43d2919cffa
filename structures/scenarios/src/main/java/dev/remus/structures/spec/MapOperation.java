// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * An operation on a map, which returns the value that the key had before, if any. One that expects a value returns it
 * only if that was the value.
 *
 * @param kind the kind of operation
 * @param key the key
 * @param value the new value, empty if there is none
 * @param expected the value that a conditional operation expects, otherwise empty
 * @param <K> keys, with {@code equals} and {@code hashCode}
 * @param <V> values, with {@code equals} and {@code hashCode}
 */
public record MapOperation<K, V>(Kind kind, K key, Optional<V> value, Optional<V> expected) {
    /** The kinds of operations. */
    public enum Kind {
        /** The value of the key. */
        GET,
        /** Sets the value. */
        PUT,
        /** Sets the value if there is none. */
        PUT_IF_ABSENT,
        /** Sets the value if it is the expected one. */
        REPLACE,
        /** Removes the key. */
        REMOVE,
        /** Removes the key if its value is the expected one. */
        REMOVE_VALUE
    }

    /** Refuses null. */
    public MapOperation {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(expected, "expected");
    }

    /** The value of the key. */
    public static <K, V> MapOperation<K, V> get(K key) {
        return new MapOperation<>(Kind.GET, key, Optional.empty(), Optional.empty());
    }

    /** Sets the value. */
    public static <K, V> MapOperation<K, V> put(K key, V value) {
        return new MapOperation<>(Kind.PUT, key, Optional.of(value), Optional.empty());
    }

    /** Sets the value if there is none. */
    public static <K, V> MapOperation<K, V> putIfAbsent(K key, V value) {
        return new MapOperation<>(Kind.PUT_IF_ABSENT, key, Optional.of(value), Optional.empty());
    }

    /** Sets the value if it is the expected one. */
    public static <K, V> MapOperation<K, V> replace(K key, V expected, V value) {
        return new MapOperation<>(Kind.REPLACE, key, Optional.of(value), Optional.of(expected));
    }

    /** Removes the key. */
    public static <K, V> MapOperation<K, V> remove(K key) {
        return new MapOperation<>(Kind.REMOVE, key, Optional.empty(), Optional.empty());
    }

    /** Removes the key if its value is the expected one. */
    public static <K, V> MapOperation<K, V> removeValue(K key, V expected) {
        return new MapOperation<>(Kind.REMOVE_VALUE, key, Optional.empty(), Optional.of(expected));
    }

    /** For example {@code replace(3, 7, 8)}: the key, the expected value, the new one. */
    @Override
    public String toString() {
        return kind.name().toLowerCase(Locale.ROOT) + "(" + key
                + expected.map(v -> ", " + v).orElse("")
                + value.map(v -> ", " + v).orElse("") + ")";
    }
}
