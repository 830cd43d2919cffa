// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import dev.remus.tools.peer.RedisConnection;
import dev.remus.tools.peer.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An ordered map in Redis on this machine ({@link RedisServer}), as people build it: a hash has the values, and a
 * sorted set has the keys in their order. Scripts keep the two together. Redis runs one at a time, so each is one step.
 */
final class RedisOrderedPeer implements KvPeer {
    private static final byte[] HASH = RedisConnection.word("values");
    private static final byte[] SORTED_SET = RedisConnection.word("keys");

    private static final String PUT = """
            local old = redis.call('HGET', KEYS[1], ARGV[1])
            redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
            if not old then redis.call('ZADD', KEYS[2], 0, ARGV[1]) end
            return old
            """;

    private static final String REPLACE = """
            if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
            redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
            return 1
            """;

    private static final String REMOVE = """
            local old = redis.call('HGET', KEYS[1], ARGV[1])
            if old then
              redis.call('HDEL', KEYS[1], ARGV[1])
              redis.call('ZREM', KEYS[2], ARGV[1])
            end
            return old
            """;

    /** The keys from one on, up to a number of them, and then their values. A call takes a limited number of them. */
    private static final String SCAN = """
            local found = redis.call('ZRANGEBYLEX', KEYS[2], '[' .. ARGV[1], '+', 'LIMIT', 0, ARGV[2])
            local keys = #found
            for i = 1, keys, 1000 do
              local last = math.min(i + 999, keys)
              for _, value in ipairs(redis.call('HMGET', KEYS[1], unpack(found, i, last))) do
                found[#found + 1] = value
              end
            end
            return found
            """;

    private static final int PART = 10_000;

    /** How many keys a command sets that loads them. */
    private static final int LOADED_AT_ONCE = 1000;

    private final RedisServer server;

    private RedisOrderedPeer(RedisServer server) {
        this.server = server;
    }

    /** Starts a server. */
    static RedisOrderedPeer start() throws IOException, InterruptedException {
        return new RedisOrderedPeer(RedisServer.start());
    }

    @Override
    public KvStore connect() throws IOException {
        return new Store(server.open());
    }

    @Override
    public KvFound count() throws IOException {
        Store store = new Store(server.open());
        long keys = 0;
        long sum = 0;
        long from = Long.MIN_VALUE;
        List<byte[]> part;
        do {
            part = store.entries(from, PART);
            int found = part.size() / 2;
            for (byte[] value : part.subList(found, part.size())) {
                sum += ByteBuffer.wrap(value).getLong();
            }
            keys += found;
            from = found == 0 ? from : keyOf(part.get(found - 1)) + 1;
        } while (part.size() == 2 * PART && from != Long.MIN_VALUE);
        return new KvFound(keys, sum);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    /** Bytes whose order is that of the keys. */
    private static byte[] bytesOf(long key) {
        return value(key ^ Long.MIN_VALUE);
    }

    private static long keyOf(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getLong() ^ Long.MIN_VALUE;
    }

    private static byte[] value(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    private static final class Store implements KvStore {
        private static final byte[] HGET = RedisConnection.word("HGET");
        private static final byte[] HSET = RedisConnection.word("HSET");
        private static final byte[] ZADD = RedisConnection.word("ZADD");
        private static final byte[] ZERO = RedisConnection.word("0");
        private static final byte[] EVAL = RedisConnection.word("EVAL");
        private static final byte[] TWO = RedisConnection.word("2");

        private final RedisConnection connection;

        Store(RedisConnection connection) {
            this.connection = connection;
        }

        private @Nullable Object call(byte[]... words) {
            try {
                return connection.call(words);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private @Nullable Object run(String script, byte[]... arguments) {
            return call(Stream.concat(
                            Stream.of(EVAL, RedisConnection.word(script), TWO, HASH, SORTED_SET), Stream.of(arguments))
                    .toArray(byte[][]::new));
        }

        private static long decoded(@Nullable Object reply) {
            return reply instanceof byte[] bytes ? ByteBuffer.wrap(bytes).getLong() : MISSING;
        }

        @Override
        public long get(long key) {
            return decoded(call(HGET, HASH, bytesOf(key)));
        }

        @Override
        public long put(long key, long value) {
            return decoded(run(PUT, bytesOf(key), value(value)));
        }

        @Override
        public boolean replace(long key, long expected, long value) {
            return Long.valueOf(1).equals(run(REPLACE, bytesOf(key), value(expected), value(value)));
        }

        @Override
        public long remove(long key) {
            return decoded(run(REMOVE, bytesOf(key)));
        }

        @Override
        public boolean load(long[] keys, LongUnaryOperator value) {
            for (int from = 0; from < keys.length; from += LOADED_AT_ONCE) {
                int end = Math.min(keys.length, from + LOADED_AT_ONCE);
                List<byte[]> hash = new ArrayList<>(List.of(HSET, HASH));
                List<byte[]> sortedSet = new ArrayList<>(List.of(ZADD, SORTED_SET));
                for (int i = from; i < end; i++) {
                    byte[] key = bytesOf(keys[i]);
                    hash.addAll(List.of(key, value(value.applyAsLong(keys[i]))));
                    sortedSet.addAll(List.of(ZERO, key));
                }
                call(hash.toArray(byte[][]::new));
                call(sortedSet.toArray(byte[][]::new));
            }
            return true;
        }

        @Override
        public int scan(long from, int most) {
            return entries(from, most).size() / 2;
        }

        /** The keys from one on, in ascending order, up to a number of them; then their values. */
        List<byte[]> entries(long from, int most) {
            List<byte[]> entries = new ArrayList<>();
            if (run(SCAN, bytesOf(from), RedisConnection.word(Integer.toString(most))) instanceof List<?> found) {
                for (Object word : found) {
                    if (!(word instanceof byte[] bytes)) {
                        throw new IllegalStateException("the sorted set in Redis has a key without a value");
                    }
                    entries.add(bytes);
                }
            }
            return entries;
        }
    }
}
