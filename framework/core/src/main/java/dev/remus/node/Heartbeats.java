// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import java.util.Optional;

/**
 * Reports once that a node has shown no heartbeat for some seconds, and once that it shows them again. Neither is a
 * loss: a stopped process can go on. Used by one thread.
 *
 * <p>Each node changes a word about once a second ({@link dev.remus.memory.SegmentLayout#heartbeat}). Its value does
 * not matter.
 */
final class Heartbeats {
    private static final long SECOND = 1_000_000_000L;

    /** How long a node may show no heartbeat before it is reported. */
    static final long SILENCE_NANOS = 5 * SECOND;

    /** If this node has not read heartbeats for so long, it was held up itself, and judges no other node. */
    static final long LONGEST_PAUSE_NANOS = 3 * SECOND;

    private final String[] names;
    private final long[] heartbeats;
    private final long[] since;
    private final boolean[] silent;
    private long readAt;

    /** @param names the names of the nodes, such as {@code Compute Node 2} */
    Heartbeats(String... names) {
        this.names = names;
        this.heartbeats = new long[names.length];
        this.since = new long[names.length];
        this.silent = new boolean[names.length];
    }

    /** To be called each time before the heartbeats are read. */
    void begin(long now) {
        if (now - readAt > LONGEST_PAUSE_NANOS) {
            for (int i = 0; i < names.length; i++) {
                since[i] = silent[i] ? since[i] : now;
            }
        }
        readAt = now;
    }

    /** For how long a node has shown no heartbeat, as of the last {@link #see}. */
    long silentNanos(int node, long now) {
        return now - since[node];
    }

    /**
     * Compares a node's heartbeat with the one before.
     *
     * @param node the node's number among the names
     * @param heartbeat the word; 0 if the node has not joined yet, or has left
     * @return what to report, if anything
     */
    Optional<String> see(int node, long heartbeat, long now) {
        long seconds = (now - since[node]) / SECOND;
        boolean wasSilent = silent[node];
        if (heartbeat != heartbeats[node] || heartbeat == 0) {
            heartbeats[node] = heartbeat;
            since[node] = now;
            silent[node] = false;
            return wasSilent && heartbeat != 0
                    ? Optional.of(names[node] + " answers again, after " + seconds + " s")
                    : Optional.empty();
        }
        silent[node] = now - since[node] > SILENCE_NANOS;
        return silent[node] && !wasSilent
                ? Optional.of(names[node] + " has been silent for " + seconds
                        + " s: its process is stopped or held up, or its link is down. The others wait for it")
                : Optional.empty();
    }
}
