package dev.remus.fabric.shm;

import dev.remus.config.ClusterConfig;

/** What a cluster has left in shared memory, for tests outside this package. */
public final class Leftovers {
    private Leftovers() {}

    /** Whether nothing is left of it. */
    public static boolean areGone(ClusterConfig config) {
        return new ClusterDirectory(config.cluster()).isGone();
    }
}
