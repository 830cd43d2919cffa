// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.structures.KeyType;
import dev.remus.structures.LockFreeListMap;
import dev.remus.structures.LongLongMap;
import dev.remus.structures.LongLongTree;
import dev.remus.structures.MapTable;
import dev.remus.structures.OrderedCodec;
import dev.remus.structures.RemoteHashMap;
import dev.remus.structures.RemoteMap;
import dev.remus.structures.RemoteTreeMap;
import dev.remus.structures.TreeTable;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** A map in remote memory, as one Compute Thread uses it. */
abstract class RemoteKvStore implements KvStore {
    /** Makes an empty map in remote memory. */
    static RdmaPtr<?> create(KvMap map, ComputeThread ct) {
        return switch (map) {
            case HASH -> LongLongMap.create(ct);
            case TREE -> LongLongTree.create(ct);
            case LIST -> LockFreeListMap.create(ct);
        };
    }

    /** Opens a map that {@link #create} made. */
    static RemoteKvStore open(RdmaPtr<?> pointer, KvMap map, int valueBytes, ComputeThread ct) {
        return switch (map) {
            case HASH -> openHashMap(pointer, valueBytes, ct);
            case TREE -> openTree(pointer, valueBytes, ct);
            case LIST ->
                OfRecords.of(
                        new LockFreeListMap<>(
                                new RdmaPtr<>(pointer.raw()), KeyType.of(Codecs.LONG), KvEncoding.codec(valueBytes)),
                        ct);
        };
    }

    private static RemoteKvStore openHashMap(RdmaPtr<?> pointer, int valueBytes, ComputeThread ct) {
        RdmaPtr<MapTable> table = new RdmaPtr<>(pointer.raw());
        return valueBytes == Long.BYTES
                ? new OfLongs(new LongLongMap(table, MISSING, ct), ct)
                : OfRecords.of(
                        new RemoteHashMap<>(table, KvEncoding.of(Long.BYTES), KvEncoding.of(valueBytes), ct), ct);
    }

    private static RemoteKvStore openTree(RdmaPtr<?> pointer, int valueBytes, ComputeThread ct) {
        RdmaPtr<TreeTable> table = new RdmaPtr<>(pointer.raw());
        return valueBytes == Long.BYTES
                ? new OfTree(new LongLongTree(table, MISSING, ct), ct)
                : new OfSortedRecords(
                        new RemoteTreeMap<>(table, OrderedCodec.longs(), KvEncoding.of(valueBytes), ct), ct);
    }

    /** Counts the keys and adds up their values, while no other thread uses the map, and checks what must hold. */
    abstract KvFound count();

    /** Gives all memory of the map back. */
    abstract void destroy();

    private static final class OfLongs extends RemoteKvStore {
        private final LongLongMap map;
        private final ComputeThread ct;

        OfLongs(LongLongMap map, ComputeThread ct) {
            this.map = map;
            this.ct = ct;
        }

        @Override
        public long get(long key) {
            return map.get(key, ct);
        }

        @Override
        public long put(long key, long value) {
            return map.put(key, value, ct);
        }

        @Override
        public boolean replace(long key, long expected, long value) {
            return map.replace(key, expected, value, ct);
        }

        @Override
        public long remove(long key) {
            return map.remove(key, ct);
        }

        @Override
        KvFound count() {
            long[] sum = {0};
            map.forEach((key, value) -> sum[0] += value, ct);
            return new KvFound(map.checkedSize(ct), sum[0]);
        }

        @Override
        void destroy() {
            map.destroy(ct);
        }
    }

    /** A map of objects, and its walk through all entries. */
    private static class OfRecords extends RemoteKvStore {
        private final RemoteMap<Long, Long> map;
        private final BiConsumer<BiConsumer<Long, Long>, ComputeThread> walk;
        private final ComputeThread ct;

        OfRecords(RemoteMap<Long, Long> map, BiConsumer<BiConsumer<Long, Long>, ComputeThread> walk, ComputeThread ct) {
            this.map = map;
            this.walk = walk;
            this.ct = ct;
        }

        static OfRecords of(RemoteHashMap<Long, Long> map, ComputeThread ct) {
            return new OfRecords(map, map::forEach, ct);
        }

        static OfRecords of(LockFreeListMap<Long, Long> map, ComputeThread ct) {
            return new OfRecords(map, map::forEach, ct);
        }

        private static long orMissing(@Nullable Long value) {
            return value == null ? MISSING : value;
        }

        @Override
        public long get(long key) {
            return orMissing(map.get(key, ct));
        }

        @Override
        public long put(long key, long value) {
            return orMissing(map.put(key, value, ct));
        }

        @Override
        public boolean replace(long key, long expected, long value) {
            return map.replace(key, expected, value, ct);
        }

        @Override
        public long remove(long key) {
            return orMissing(map.remove(key, ct));
        }

        @Override
        KvFound count() {
            long[] sum = {0};
            walk.accept((key, value) -> sum[0] += value, ct);
            return new KvFound(map.checkedSize(ct), sum[0]);
        }

        @Override
        void destroy() {
            map.destroy(ct);
        }
    }

    private static final class OfSortedRecords extends OfRecords {
        private final RemoteTreeMap<Long, Long> map;
        private final ComputeThread ct;

        OfSortedRecords(RemoteTreeMap<Long, Long> map, ComputeThread ct) {
            super(map, map::forEach, ct);
            this.map = map;
            this.ct = ct;
        }

        @Override
        public boolean load(long[] keys, LongUnaryOperator value) {
            SortedMap<Long, Long> entries = new TreeMap<>();
            for (long key : keys) {
                entries.put(key, value.applyAsLong(key));
            }
            map.bulkLoad(entries, ct);
            return true;
        }

        @Override
        public int scan(long from, int most) {
            return (int) map.scan(from, Long.MAX_VALUE, most, (key, value) -> {}, ct);
        }
    }

    private static final class OfTree extends RemoteKvStore {
        private final LongLongTree map;
        private final ComputeThread ct;

        OfTree(LongLongTree map, ComputeThread ct) {
            this.map = map;
            this.ct = ct;
        }

        @Override
        public long get(long key) {
            return map.get(key, ct);
        }

        @Override
        public long put(long key, long value) {
            return map.put(key, value, ct);
        }

        @Override
        public boolean replace(long key, long expected, long value) {
            return map.replace(key, expected, value, ct);
        }

        @Override
        public long remove(long key) {
            return map.remove(key, ct);
        }

        @Override
        public boolean load(long[] keys, LongUnaryOperator value) {
            Arrays.sort(keys);
            map.bulkLoad(
                    entries -> {
                        for (long key : keys) {
                            entries.accept(key, value.applyAsLong(key));
                            ct.quiescent();
                        }
                    },
                    ct);
            return true;
        }

        @Override
        public int scan(long from, int most) {
            return (int) map.scan(from, Long.MAX_VALUE, most, (key, value) -> {}, ct);
        }

        @Override
        KvFound count() {
            long[] sum = {0};
            map.scan(Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, (key, value) -> sum[0] += value, ct);
            return new KvFound(map.checkedSize(ct), sum[0]);
        }

        @Override
        void destroy() {
            map.destroy(ct);
        }
    }
}
