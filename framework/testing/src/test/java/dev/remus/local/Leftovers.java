// SPDX-License-Identifier: Apache-2.0
package dev.remus.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.shm.LocalClusters;
import java.io.IOException;

/** Checks that a cluster has left nothing on this machine. */
public final class Leftovers {
    private Leftovers() {}

    /** Checks that the cluster has neither files nor processes. */
    public static void assertNone(ClusterConfig config) throws IOException {
        assertThat(LocalClusters.names()).doesNotContain(config.cluster());
        assertThat(ProcessHandle.current()
                        .children()
                        .filter(ProcessHandle::isAlive)
                        .map(child -> child.info().commandLine().orElse(""))
                        .filter(command -> command.contains(config.cluster())))
                .isEmpty();
    }
}
