package dev.remus.node;

import java.util.Optional;

/**
 * Notices that other nodes show no sign of life for some seconds, and that they do again. Each is reported once, and
 * none is a loss: a process that is stopped can go on. Used by one thread.
 *
 * <p>Each node changes a word about once a second ({@link dev.remus.memory.SegmentLayout#signOfLife}); the value does
 * not matter.
 */
final class SignsOfLife {
    private static final long SECOND = 1_000_000_000L;

    /** How long a node may show no sign before it is reported. */
    static final long SILENCE_NANOS = 5 * SECOND;

    /** If this node has not looked for so long, it was held up itself, and knows nothing about the others. */
    static final long LONGEST_PAUSE_NANOS = 3 * SECOND;

    private final String[] names;
    private final long[] signs;
    private final long[] since;
    private final boolean[] silent;
    private long lookedAt;

    /** @param names those of the nodes to look at, such as {@code Compute Node 2} */
    SignsOfLife(String... names) {
        this.names = names;
        this.signs = new long[names.length];
        this.since = new long[names.length];
        this.silent = new boolean[names.length];
    }

    /** To be called before the nodes are looked at, each time. */
    void begin(long now) {
        if (now - lookedAt > LONGEST_PAUSE_NANOS) {
            for (int i = 0; i < names.length; i++) {
                since[i] = silent[i] ? since[i] : now;
            }
        }
        lookedAt = now;
    }

    /**
     * Takes note of a node's word.
     *
     * @param node its number among the names
     * @param sign the word as it is now; 0 if the node has not shown itself yet, or does not count any more
     * @return what to report, if anything
     */
    Optional<String> see(int node, long sign, long now) {
        long seconds = (now - since[node]) / SECOND;
        boolean wasSilent = silent[node];
        if (sign != signs[node] || sign == 0) {
            signs[node] = sign;
            since[node] = now;
            silent[node] = false;
            return wasSilent && sign != 0
                    ? Optional.of(names[node] + " answers again, after " + seconds + " s")
                    : Optional.empty();
        }
        silent[node] = now - since[node] > SILENCE_NANOS;
        return silent[node] && !wasSilent
                ? Optional.of(names[node] + " has been silent for " + seconds
                        + " s: its process is stopped or held up. The others wait for it")
                : Optional.empty();
    }
}
