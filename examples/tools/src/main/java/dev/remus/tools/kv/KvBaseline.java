// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import dev.remus.tools.peer.RedisServer;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Another map that repeats the workload, for comparison. */
enum KvBaseline {
    /**
     * A {@link java.util.concurrent.ConcurrentHashMap}, or a {@link java.util.concurrent.ConcurrentSkipListMap} beside
     * an ordered map, in one process: no map that processes share can be faster.
     */
    HEAP("on the heap", ""),
    /** Redis on this machine, with one connection for each thread: what people would use instead. */
    REDIS("in Redis", RedisServer.NEEDS),
    /** Hazelcast on this machine, with a client that all threads share: what people who write Java would use. */
    HAZELCAST(
            "in Hazelcast", "the JAR of Hazelcast in the local Maven repository: run examples/peers/install-hazelcast");

    private final String place;
    private final String installation;

    KvBaseline(String place, String installation) {
        this.place = place;
        this.installation = installation;
    }

    /** The baseline of a name on the command line. */
    static Optional<KvBaseline> of(String name) {
        return Arrays.stream(values())
                .filter(baseline -> baseline.toString().equals(name))
                .findFirst();
    }

    /** Where it keeps its entries, for a table. */
    String place() {
        return place;
    }

    /** What is missing on this machine, and how to get it. */
    Optional<String> missing() {
        boolean isInstalled = switch (this) {
            case HEAP -> true;
            case REDIS -> RedisServer.isInstalled();
            case HAZELCAST -> HazelcastPeer.isInstalled();
        };
        return isInstalled ? Optional.empty() : Optional.of(installation);
    }

    /** Whether it repeats the workload of an ordered map. */
    boolean isOrdered() {
        return this != HAZELCAST;
    }

    /** Starts it beside a map, for values of a size. */
    KvPeer start(KvMap map, int valueBytes) throws IOException, InterruptedException {
        return switch (this) {
            case HEAP -> new HeapPeer(map);
            case REDIS -> map.isOrdered() ? RedisOrderedPeer.start() : RedisPeer.start(valueBytes);
            case HAZELCAST -> HazelcastPeer.start(valueBytes);
        };
    }

    /** As on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
