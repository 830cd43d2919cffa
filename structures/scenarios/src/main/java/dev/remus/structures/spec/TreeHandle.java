// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.structures.Encoding;
import dev.remus.structures.LongLongMap.LongLongConsumer;
import dev.remus.structures.LongLongTree;
import dev.remus.structures.OrderedCodec;
import dev.remus.structures.RemoteTreeMap;
import dev.remus.structures.TreeTable;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** A thread's handle to an ordered map from integers to integers that a {@link TreeScenario} checks. */
public interface TreeHandle {
    /** Executes an operation on one key, and returns its result. */
    Optional<Long> execute(MapOperation<Long, Long> operation, ComputeThread ct);

    /** Passes the entries of an interval on, by ascending keys; returns their number. */
    long scan(long from, long to, long limit, LongLongConsumer consumer, ComputeThread ct);

    /** The same by descending keys, from the highest key of the interval to the lowest. */
    long scanDown(long from, long to, long limit, LongLongConsumer consumer, ComputeThread ct);

    /** Passes the entries on that an interval has at one moment, by ascending keys; returns their number. */
    long scanSnapshot(long from, long to, long limit, LongLongConsumer consumer, ComputeThread ct);

    /** Passes the entry with the highest key on that is at most another; returns whether there is one. */
    boolean floor(long key, LongLongConsumer consumer, ComputeThread ct);

    /** Passes the entry with the lowest key on that is at least another; returns whether there is one. */
    boolean ceiling(long key, LongLongConsumer consumer, ComputeThread ct);

    /** Loads entries into a map that is new, and else throws an {@link IllegalStateException}. */
    void bulkLoad(SortedMap<Long, Long> entries, ComputeThread ct);

    /** Removes all entries, one after the other; returns their number. */
    long clear(ComputeThread ct);

    /** Counts the entries while no other thread uses the map, and checks it. */
    long checkedSize(ComputeThread ct);

    /** Gives all memory back. */
    void destroy(ComputeThread ct);

    /** A handle to a {@link LongLongTree}. */
    static TreeHandle shipped(RdmaPtr<?> This, int rememberedNodes, ComputeThread ct) {
        return of(new LongLongTree(new RdmaPtr<TreeTable>(This.raw()), Long.MIN_VALUE, rememberedNodes, ct));
    }

    /** A handle to a map for which {@link Long#MIN_VALUE} stands for no value. */
    static TreeHandle of(LongLongTree map) {
        return new TreeHandle() {
            @Override
            public Optional<Long> execute(MapOperation<Long, Long> operation, ComputeThread ct) {
                long key = operation.key();
                long value = operation.value().orElse(0L);
                long expected = operation.expected().orElse(0L);
                return switch (operation.kind()) {
                    case GET -> number(map.get(key, ct));
                    case PUT -> number(map.put(key, value, ct));
                    case PUT_IF_ABSENT -> number(map.putIfAbsent(key, value, ct));
                    case REPLACE -> map.replace(key, expected, value, ct) ? operation.expected() : Optional.empty();
                    case REMOVE -> number(map.remove(key, ct));
                    case REMOVE_VALUE -> throw new IllegalArgumentException(operation + ": the map has no such one");
                };
            }

            private Optional<Long> number(long value) {
                return value == Long.MIN_VALUE ? Optional.empty() : Optional.of(value);
            }

            @Override
            public long scan(long from, long to, long limit, LongLongConsumer consumer, ComputeThread ct) {
                return map.scan(from, to, limit, consumer, ct);
            }

            @Override
            public long scanDown(long from, long to, long limit, LongLongConsumer consumer, ComputeThread ct) {
                return map.scanDown(from, to, limit, consumer, ct);
            }

            @Override
            public long scanSnapshot(long from, long to, long limit, LongLongConsumer consumer, ComputeThread ct) {
                return map.scanSnapshot(from, to, limit, consumer, ct);
            }

            @Override
            public boolean floor(long key, LongLongConsumer consumer, ComputeThread ct) {
                return map.floor(key, consumer, ct);
            }

            @Override
            public boolean ceiling(long key, LongLongConsumer consumer, ComputeThread ct) {
                return map.ceiling(key, consumer, ct);
            }

            @Override
            public void bulkLoad(SortedMap<Long, Long> entries, ComputeThread ct) {
                map.bulkLoad(into -> entries.forEach(into::accept), ct);
            }

            @Override
            public long clear(ComputeThread ct) {
                return map.clear(ct);
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

    /** Keys of three words, whose first words collide. */
    static OrderedCodec<Long> wideKeys() {
        return WideKeys.ordered();
    }

    /** A handle to a {@link RemoteTreeMap} with {@linkplain #wideKeys wide keys}. */
    static TreeHandle wide(RdmaPtr<?> This, int rememberedNodes, ComputeThread ct) {
        return of(new RemoteTreeMap<>(
                new RdmaPtr<>(This.raw()), wideKeys(), Encoding.of(Codecs.LONG), rememberedNodes, ct));
    }

    /** A handle to a {@link RemoteTreeMap} with wide keys, of whose values some are longer than 4 KiB. */
    static TreeHandle longValued(RdmaPtr<?> This, int rememberedNodes, ComputeThread ct) {
        return of(
                new RemoteTreeMap<>(new RdmaPtr<>(This.raw()), wideKeys(), WideKeys.longValues(), rememberedNodes, ct));
    }

    /** A handle to a map with values in blocks. */
    static TreeHandle of(RemoteTreeMap<Long, Long> map) {
        return new TreeHandle() {
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
            public long scan(long from, long to, long limit, LongLongConsumer consumer, ComputeThread ct) {
                return map.scan(from, to, limit, consumer::accept, ct);
            }

            @Override
            public long scanDown(long from, long to, long limit, LongLongConsumer consumer, ComputeThread ct) {
                return map.scanDown(from, to, limit, consumer::accept, ct);
            }

            @Override
            public long scanSnapshot(long from, long to, long limit, LongLongConsumer consumer, ComputeThread ct) {
                return map.scanSnapshot(from, to, limit, consumer::accept, ct);
            }

            @Override
            public boolean floor(long key, LongLongConsumer consumer, ComputeThread ct) {
                return pass(map.floor(key, ct), consumer);
            }

            @Override
            public boolean ceiling(long key, LongLongConsumer consumer, ComputeThread ct) {
                return pass(map.ceiling(key, ct), consumer);
            }

            private static boolean pass(Map.@Nullable Entry<Long, Long> found, LongLongConsumer consumer) {
                if (found != null) {
                    consumer.accept(found.getKey(), found.getValue());
                }
                return found != null;
            }

            @Override
            public void bulkLoad(SortedMap<Long, Long> entries, ComputeThread ct) {
                map.bulkLoad(entries, ct);
            }

            @Override
            public long clear(ComputeThread ct) {
                return map.clear(ct);
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
}
