package dev.remus.tools.kv;

import dev.remus.structures.Encoding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Redis server of its own on this machine, without persistence, reached through a socket in a folder of its own. Keys
 * and values have the same sizes as in the experiment.
 */
final class RedisPeer implements KvPeer {
    private static final long START_MILLIS = 10_000;
    private static final String SCAN_COUNT = "1000";

    /** Replaces a value if it is the expected one. */
    private static final String REPLACE =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2]) return 1 end return 0";

    private final PeerServer server;
    private final Encoding<Long> values;
    private final int valueBytes;
    private final List<SocketChannel> channels = new ArrayList<>();

    private RedisPeer(PeerServer server, int valueBytes) {
        this.server = server;
        this.valueBytes = valueBytes;
        this.values = KvEncoding.of(valueBytes);
    }

    /** Whether the server is on the path. */
    static boolean isInstalled() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(place -> !place.isEmpty() && Files.isExecutable(Path.of(place, "redis-server")));
    }

    /** Starts a server. */
    static RedisPeer start(int valueBytes) throws IOException, InterruptedException {
        Path folder = PeerServer.createFolder("redis");
        List<String> command = List.of(
                "redis-server",
                "--port",
                "0",
                "--unixsocket",
                socket(folder).toString(),
                "--dir",
                folder.toString(),
                "--save",
                "",
                "--appendonly",
                "no");
        return new RedisPeer(
                PeerServer.start("redis-server", folder, command, () -> Files.exists(socket(folder)), START_MILLIS),
                valueBytes);
    }

    private static Path socket(Path folder) {
        return folder.resolve("socket");
    }

    /** The folder of the server. */
    Path folder() {
        return server.folder();
    }

    private RedisConnection open() throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channels.add(channel);
        channel.connect(UnixDomainSocketAddress.of(socket(server.folder())));
        return new RedisConnection(Channels.newInputStream(channel), Channels.newOutputStream(channel));
    }

    @Override
    public KvStore connect() throws IOException {
        return new Store(open());
    }

    @Override
    public KvFound count() throws IOException {
        RedisConnection connection = open();
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
            for (Object found : (List<?>) reply(part.get(1))) {
                byte[] key = (byte[]) reply(found);
                if (keys.add(ByteBuffer.wrap(key).getLong())) {
                    sum += decoded(connection.call(RedisConnection.word("GET"), key));
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
        for (SocketChannel channel : channels) {
            channel.close();
        }
        server.close();
    }

    /** Redis as one thread uses it, through its own connection. */
    private final class Store implements KvStore {
        private static final byte[] GET = RedisConnection.word("GET");
        private static final byte[] SET = RedisConnection.word("SET");
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
    }
}
