package dev.remus.tools.kv;

import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A {@link ConcurrentHashMap}. Values are numbers, whatever the size of those in remote memory. */
final class HeapPeer implements KvPeer {
    private final ConcurrentHashMap<Long, Long> map = new ConcurrentHashMap<>();

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

    private record Store(ConcurrentHashMap<Long, Long> map) implements KvStore {
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
    }
}
