// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import dev.remus.structures.Encoding;
import dev.remus.tools.peer.RedisConnection;
import dev.remus.tools.peer.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Redis on this machine ({@link RedisServer}). Keys and values have the same sizes as in the experiment. */
final class RedisPeer implements KvPeer {
    private static final String SCAN_COUNT = "1000";

    /** How many keys a command sets that loads them. */
    private static final int LOADED_AT_ONCE = 1000;

    /** Replaces a value if it is the expected one. */
    private static final String REPLACE =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2]) return 1 end return 0";

    private final RedisServer server;
    private final Encoding<Long> values;
    private final int valueBytes;

    private RedisPeer(RedisServer server, int valueBytes) {
        this.server = server;
        this.valueBytes = valueBytes;
        this.values = KvEncoding.of(valueBytes);
    }

    /** Starts a server. */
    static RedisPeer start(int valueBytes) throws IOException, InterruptedException {
        return new RedisPeer(RedisServer.start(), valueBytes);
    }

    /** The folder of the server. */
    Path folder() {
        return server.folder();
    }

    @Override
    public KvStore connect() throws IOException {
        return new Store(server.open());
    }

    @Override
    public KvFound count() throws IOException {
        RedisConnection connection = server.open();
        Set<Long> keys = new HashSet<>(); // a scan may return a key twice
        long sum = 0;
        byte[] cursor = RedisConnection.word("0");
        do {
            List<?> part = (List<?>) reply(connection.call(
                    RedisConnection.word("SCAN"),
                    cursor,
                    RedisConnection.word("COUNT"),
                    RedisConnection.word(SCAN_COUNT)));
            cursor = (byte[]) reply(part.get(0));
            List<byte[]> get = new ArrayList<>(List.of(RedisConnection.word("MGET")));
            for (Object found : (List<?>) reply(part.get(1))) {
                byte[] key = (byte[]) reply(found);
                if (keys.add(ByteBuffer.wrap(key).getLong())) {
                    get.add(key);
                }
            }
            if (get.size() > 1) {
                for (Object value : (List<?>) reply(connection.call(get.toArray(byte[][]::new)))) {
                    sum += decoded(value);
                }
            }
        } while (cursor.length != 1 || cursor[0] != '0');
        return new KvFound(keys.size(), sum);
    }

    private static Object reply(@Nullable Object value) throws IOException {
        if (value == null) {
            throw new IOException("Redis has left out a part of its reply");
        }
        return value;
    }

    private byte[] encoded(long value) {
        ByteBuffer buffer = ByteBuffer.allocate(valueBytes).order(ByteOrder.LITTLE_ENDIAN);
        values.encode(value, buffer);
        return buffer.array();
    }

    private long decoded(@Nullable Object reply) {
        return reply instanceof byte[] bytes
                ? values.decode(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN))
                : KvStore.MISSING;
    }

    private static byte[] key(long key) {
        return ByteBuffer.allocate(Long.BYTES).putLong(key).array();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    /** Redis as one thread uses it, through its own connection. */
    private final class Store implements KvStore {
        private static final byte[] GET = RedisConnection.word("GET");
        private static final byte[] SET = RedisConnection.word("SET");
        private static final byte[] MSET = RedisConnection.word("MSET");
        private static final byte[] GETDEL = RedisConnection.word("GETDEL");
        private static final byte[] EVAL = RedisConnection.word("EVAL");
        private static final byte[] SCRIPT = RedisConnection.word(REPLACE);
        private static final byte[] ONE = RedisConnection.word("1");

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

        @Override
        public long get(long key) {
            return decoded(call(GET, key(key)));
        }

        @Override
        public long put(long key, long value) {
            return decoded(call(SET, key(key), encoded(value), GET));
        }

        @Override
        public boolean replace(long key, long expected, long value) {
            return Long.valueOf(1).equals(call(EVAL, SCRIPT, ONE, key(key), encoded(expected), encoded(value)));
        }

        @Override
        public long remove(long key) {
            return decoded(call(GETDEL, key(key)));
        }

        @Override
        public boolean load(long[] keys, LongUnaryOperator value) {
            for (int from = 0; from < keys.length; from += LOADED_AT_ONCE) {
                int count = Math.min(LOADED_AT_ONCE, keys.length - from);
                byte[][] words = new byte[1 + 2 * count][];
                words[0] = MSET;
                for (int i = 0; i < count; i++) {
                    long key = keys[from + i];
                    words[1 + 2 * i] = key(key);
                    words[2 + 2 * i] = encoded(value.applyAsLong(key));
                }
                call(words);
            }
            return true;
        }
    }
}
