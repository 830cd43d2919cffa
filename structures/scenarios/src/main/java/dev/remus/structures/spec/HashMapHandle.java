// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.structures.Encoding;
import dev.remus.structures.LongLongMap;
import dev.remus.structures.MapTable;
import dev.remus.structures.RemoteHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A thread's handle to a map from integers to integers that a {@link HashMapScenario} checks. */
public interface HashMapHandle {
    /** Executes an operation, and returns its result. */
    Optional<Long> execute(MapOperation<Long, Long> operation, ComputeThread ct);

    /** Calls an action with each key and value. */
    void forEach(LongLongMap.LongLongConsumer action, ComputeThread ct);

    /** Counts the entries. */
    long size(ComputeThread ct);

    /** Removes all entries. */
    void clear(ComputeThread ct);

    /** Counts the entries while no other thread uses the map, and checks it. */
    long checkedSize(ComputeThread ct);

    /** Gives all memory back. */
    void destroy(ComputeThread ct);

    private static long agreed(long size, long other, long another) {
        if (size != other || size != another) {
            throw new AssertionError("the map has " + size + ", " + other + " and " + another + " entries");
        }
        return size;
    }

    /** A handle to a {@link RemoteHashMap} whose keys and values are texts, so that their lengths differ. */
    static HashMapHandle texts(RdmaPtr<?> This, int rememberedSlots, ComputeThread ct) {
        RemoteHashMap<String, String> map = new RemoteHashMap<>(
                new RdmaPtr<MapTable>(This.raw()), Encoding.strings(), Encoding.strings(), rememberedSlots, ct);
        return new HashMapHandle() {
            @Override
            public Optional<Long> execute(MapOperation<Long, Long> operation, ComputeThread ct) {
                String key = "key " + operation.key();
                String value = text(operation.value().orElse(0L));
                String expected = text(operation.expected().orElse(0L));
                return switch (operation.kind()) {
                    case GET -> number(map.get(key, ct));
                    case PUT -> number(map.put(key, value, ct));
                    case PUT_IF_ABSENT -> number(map.putIfAbsent(key, value, ct));
                    case REPLACE -> when(replaceComputed(key, expected, value, ct), operation);
                    case REMOVE -> number(map.remove(key, ct));
                    case REMOVE_VALUE -> when(replaceComputed(key, expected, null, ct), operation);
                };
            }

            /** Removes the key if the value is null. */
            private boolean replaceComputed(String key, String expected, @Nullable String value, ComputeThread ct) {
                boolean[] isExpected = {false}; // in the last of the calls
                map.compute(
                        key,
                        (same, old) -> {
                            isExpected[0] = expected.equals(old);
                            return isExpected[0] ? value : old;
                        },
                        ct);
                return isExpected[0];
            }

            /** Texts of one, two or three blocks. */
            private String text(long value) {
                return value + " ".repeat((int) (value % 3) * 60);
            }

            private Optional<Long> number(@Nullable String text) {
                return Optional.ofNullable(text).map(t -> Long.valueOf(t.strip()));
            }

            @Override
            public void forEach(LongLongMap.LongLongConsumer action, ComputeThread ct) {
                map.forEach(
                        (key, value) -> action.accept(Long.parseLong(key.substring(4)), Long.parseLong(value.strip())),
                        ct);
            }

            @Override
            public long size(ComputeThread ct) {
                return map.size(ct);
            }

            @Override
            public void clear(ComputeThread ct) {
                map.clear(ct);
            }

            @Override
            public long checkedSize(ComputeThread ct) {
                long[] visited = {0};
                map.forEach((key, value) -> visited[0]++, ct);
                return agreed(map.checkedSize(ct), map.size(ct), visited[0]);
            }

            @Override
            public void destroy(ComputeThread ct) {
                map.clear(ct);
                agreed(0, map.checkedSize(ct), map.size(ct));
                map.destroy(ct);
            }
        };
    }

    /** A handle to a {@link LongLongMap}. */
    static HashMapHandle longs(RdmaPtr<?> This, int rememberedSlots, ComputeThread ct) {
        LongLongMap map = new LongLongMap(new RdmaPtr<MapTable>(This.raw()), Long.MIN_VALUE, rememberedSlots, ct);
        return new HashMapHandle() {
            @Override
            public Optional<Long> execute(MapOperation<Long, Long> operation, ComputeThread ct) {
                long key = operation.key();
                long value = operation.value().orElse(0L);
                long expected = operation.expected().orElse(0L);
                return switch (operation.kind()) {
                    case GET -> number(map.get(key, ct));
                    case PUT -> number(map.put(key, value, ct));
                    case PUT_IF_ABSENT -> number(map.putIfAbsent(key, value, ct));
                    case REPLACE -> when(map.replace(key, expected, value, ct), operation);
                    case REMOVE -> number(map.remove(key, ct));
                    case REMOVE_VALUE -> when(map.remove(key, expected, ct), operation);
                };
            }

            private Optional<Long> number(long value) {
                return value == Long.MIN_VALUE ? Optional.empty() : Optional.of(value);
            }

            @Override
            public void forEach(LongLongMap.LongLongConsumer action, ComputeThread ct) {
                map.forEach(action, ct);
            }

            @Override
            public long size(ComputeThread ct) {
                return map.size(ct);
            }

            @Override
            public void clear(ComputeThread ct) {
                map.clear(ct);
            }

            @Override
            public long checkedSize(ComputeThread ct) {
                long[] visited = {0};
                map.forEach((key, value) -> visited[0]++, ct);
                return agreed(map.checkedSize(ct), map.size(ct), visited[0]);
            }

            @Override
            public void destroy(ComputeThread ct) {
                map.clear(ct);
                agreed(0, map.checkedSize(ct), map.size(ct));
                map.destroy(ct);
            }
        };
    }

    /**
     * A handle to a {@link RemoteHashMap} that looks up and sets in batches. Beside each key that is set, the batch
     * sets one that no other thread uses, in the same bucket or in another one.
     */
    static HashMapHandle batches(RdmaPtr<?> This, int rememberedSlots, ComputeThread ct) {
        RemoteHashMap<Long, Long> map = new RemoteHashMap<>(
                new RdmaPtr<MapTable>(This.raw()),
                Encoding.of(Codecs.LONG),
                Encoding.of(Codecs.LONG),
                rememberedSlots,
                ct);
        long own = -1L - ct.id();
        return new HashMapHandle() {
            private @Nullable Long last;

            @Override
            public Optional<Long> execute(MapOperation<Long, Long> operation, ComputeThread ct) {
                long key = operation.key();
                long value = operation.value().orElse(0L);
                long expected = operation.expected().orElse(0L);
                return switch (operation.kind()) {
                    case GET -> number(map.getAll(List.of(key, own), ct), key);
                    case PUT -> number(map.putAll(Map.of(key, value, own, value), ct), key, value);
                    case PUT_IF_ABSENT -> Optional.ofNullable(map.putIfAbsent(key, value, ct));
                    case REPLACE -> when(map.replace(key, expected, value, ct), operation);
                    case REMOVE -> Optional.ofNullable(map.remove(key, ct));
                    case REMOVE_VALUE -> when(map.remove(key, expected, ct), operation);
                };
            }

            private Optional<Long> number(Map<Long, Long> found, long key) {
                if (!Objects.equals(found.get(own), last)) {
                    throw new AssertionError("key " + own + " has " + found.get(own) + " instead of " + last);
                }
                return Optional.ofNullable(found.get(key));
            }

            private Optional<Long> number(Map<Long, Long> old, long key, long value) {
                Optional<Long> number = number(old, key);
                last = value;
                return number;
            }

            @Override
            public void forEach(LongLongMap.LongLongConsumer action, ComputeThread ct) {
                map.forEach(action::accept, ct);
            }

            @Override
            public long size(ComputeThread ct) {
                return map.size(ct);
            }

            @Override
            public void clear(ComputeThread ct) {
                map.clear(ct);
            }

            @Override
            public long checkedSize(ComputeThread ct) {
                return map.checkedSize(ct);
            }

            @Override
            public void destroy(ComputeThread ct) {
                map.destroy(ct);
            }
        };
    }

    private static Optional<Long> when(boolean tookEffect, MapOperation<Long, Long> operation) {
        return tookEffect ? operation.expected() : Optional.empty();
    }
}
