// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.locks;

import dev.remus.node.ComputeThread;
import dev.remus.tools.peer.RedisConnection;
import dev.remus.tools.peer.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A lock as people write it with Redis: a key that is set if it is absent, to a value of the thread's own and with a
 * time to live, and deleted by a script if it still has that value. A waiter tries again after a random pause. Neither
 * fair nor safe: a holder that is slower than the time to live loses the lock without noticing.
 *
 * <p>Source: "Distributed Locks with Redis", redis.io, "Correct Implementation with a Single Instance".
 */
final class RedisLock implements ContestedLock {
    private static final byte[] SET = RedisConnection.word("SET");
    private static final byte[] KEY = RedisConnection.word("lock");
    private static final byte[] IF_ABSENT = RedisConnection.word("NX");
    private static final byte[] TIME_TO_LIVE = RedisConnection.word("PX");
    private static final byte[] MILLIS = RedisConnection.word("30000");
    private static final byte[] EVAL = RedisConnection.word("EVAL");
    private static final byte[] ONE = RedisConnection.word("1");
    private static final byte[] DELETE_IF_OWN = RedisConnection.word(
            "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end");

    /** The longest pause between two attempts. */
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private final RedisServer server;

    private RedisLock(RedisServer server) {
        this.server = server;
    }

    static ContestedLock start() throws IOException, InterruptedException {
        return new RedisLock(RedisServer.start());
    }

    @Override
    public User open(ComputeThread ct) throws IOException {
        RedisConnection connection = server.open();
        byte[] own = RedisConnection.word("thread " + ct.id());
        return new User() {
            @Override
            public void acquire(boolean reads) {
                while (call(connection, SET, KEY, own, IF_ABSENT, TIME_TO_LIVE, MILLIS) == null) {
                    ct.pause(1 + ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS)); // ends if the run does
                }
            }

            @Override
            public void release(boolean reads) {
                if (!Long.valueOf(1).equals(call(connection, EVAL, DELETE_IF_OWN, ONE, KEY, own))) {
                    throw new IllegalStateException("the lock in Redis has expired");
                }
            }
        };
    }

    private static @Nullable Object call(RedisConnection connection, byte[]... words) {
        try {
            return connection.call(words);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
