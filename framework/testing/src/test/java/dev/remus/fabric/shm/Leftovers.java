// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import dev.remus.config.ClusterConfig;

/** The files of a cluster in shared memory, for tests outside this package. */
public final class Leftovers {
    private Leftovers() {}

    /** Whether the cluster has no files left. */
    public static boolean areGone(ClusterConfig config) {
        return new ClusterDirectory(config.cluster()).isGone();
    }
}
