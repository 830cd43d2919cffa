// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * A map of {@code java.util.concurrent}, with or without order. Values are numbers, whatever the size of those in
 * remote memory.
 */
final class HeapPeer implements KvPeer {
    private final ConcurrentMap<Long, Long> map;

    HeapPeer(KvMap kind) {
        map = kind.isOrdered() ? new ConcurrentSkipListMap<>() : new ConcurrentHashMap<>();
    }

    @Override
    public KvStore connect() {
        return new Store(map);
    }

    @Override
    public KvFound count() {
        long sum = 0;
        for (long value : map.values()) {
            sum += value;
        }
        return new KvFound(map.size(), sum);
    }

    @Override
    public void close() {
        map.clear();
    }

    private record Store(ConcurrentMap<Long, Long> map) implements KvStore {
        private static long orMissing(@Nullable Long value) {
            return value == null ? MISSING : value;
        }

        @Override
        public long get(long key) {
            return orMissing(map.get(key));
        }

        @Override
        public long put(long key, long value) {
            return orMissing(map.put(key, value));
        }

        @Override
        public boolean replace(long key, long expected, long value) {
            return map.replace(key, expected, value);
        }

        @Override
        public long remove(long key) {
            return orMissing(map.remove(key));
        }

        @Override
        public int scan(long from, int most) {
            if (!(map instanceof ConcurrentNavigableMap<Long, Long> ordered)) {
                return KvStore.super.scan(from, most);
            }
            int found = 0;
            Iterator<Long> values = ordered.tailMap(from).values().iterator();
            while (found < most && values.hasNext()) {
                values.next();
                found++;
            }
            return found;
        }
    }
}
