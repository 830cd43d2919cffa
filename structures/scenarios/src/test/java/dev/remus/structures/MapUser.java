// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.node.ComputeThread;
import dev.remus.structures.spec.HashMapHandle;
import dev.remus.structures.spec.MapOperation;
import dev.remus.structures.spec.TreeHandle;
import java.util.Optional;
import java.util.SortedMap;

/** A thread's handle to a map of any kind. */
interface MapUser {
    /** Executes an operation on one key, and returns its result. */
    Optional<Long> execute(MapOperation<Long, Long> operation, ComputeThread ct);

    /** Reads all entries. */
    default void walk(ComputeThread ct) {
        throw new UnsupportedOperationException("the map has no such method");
    }

    /** Removes all entries. */
    default void clear(ComputeThread ct) {
        throw new UnsupportedOperationException("the map has no such method");
    }

    /** Loads entries into a map that is new. */
    default void bulkLoad(SortedMap<Long, Long> entries, ComputeThread ct) {
        throw new UnsupportedOperationException("the map has no such method");
    }

    /** Counts the entries while no other thread uses the map, and checks it. */
    long checkedSize(ComputeThread ct);

    /** A handle to a map with the methods of all maps. */
    static MapUser of(RemoteMap<Long, Long> map) {
        return new MapUser() {
            @Override
            public Optional<Long> execute(MapOperation<Long, Long> operation, ComputeThread ct) {
                long key = operation.key();
                long value = operation.value().orElse(0L);
                long expected = operation.expected().orElse(0L);
                return switch (operation.kind()) {
                    case GET -> Optional.ofNullable(map.get(key, ct));
                    case PUT -> Optional.ofNullable(map.put(key, value, ct));
                    case PUT_IF_ABSENT -> Optional.ofNullable(map.putIfAbsent(key, value, ct));
                    case REPLACE -> map.replace(key, expected, value, ct) ? operation.expected() : Optional.empty();
                    case REMOVE -> Optional.ofNullable(map.remove(key, ct));
                    case REMOVE_VALUE -> throw new IllegalArgumentException(operation + ": the map has no such one");
                };
            }

            @Override
            public long checkedSize(ComputeThread ct) {
                return map.checkedSize(ct);
            }
        };
    }

    /** A handle to a hash map. */
    static MapUser of(HashMapHandle map) {
        return new MapUser() {
            @Override
            public Optional<Long> execute(MapOperation<Long, Long> operation, ComputeThread ct) {
                return map.execute(operation, ct);
            }

            @Override
            public void walk(ComputeThread ct) {
                map.forEach((key, value) -> {}, ct);
            }

            @Override
            public void clear(ComputeThread ct) {
                map.clear(ct);
            }

            @Override
            public long checkedSize(ComputeThread ct) {
                return map.checkedSize(ct);
            }
        };
    }

    /** A handle to an ordered map. */
    static MapUser of(TreeHandle map) {
        return new MapUser() {
            @Override
            public Optional<Long> execute(MapOperation<Long, Long> operation, ComputeThread ct) {
                return map.execute(operation, ct);
            }

            @Override
            public void walk(ComputeThread ct) {
                map.scan(Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, (key, value) -> {}, ct);
                map.scanDown(Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE, (key, value) -> {}, ct);
                map.scanSnapshot(Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, (key, value) -> {}, ct);
            }

            @Override
            public void clear(ComputeThread ct) {
                map.clear(ct);
            }

            @Override
            public void bulkLoad(SortedMap<Long, Long> entries, ComputeThread ct) {
                map.bulkLoad(entries, ct);
            }

            @Override
            public long checkedSize(ComputeThread ct) {
                return map.checkedSize(ct);
            }
        };
    }
}
