// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import dev.remus.config.ClusterConfig;
import org.junit.jupiter.api.Tag;

/** Shared memory with emulated latencies keeps the fabric contract. */
@Tag("any-jdk")
class EmulatedShmFabricTest extends ShmFabricTest {
    @Override
    protected ClusterConfig.Builder configure(ClusterConfig.Builder config) {
        return config.emulatedLatency("infiniband-fdr");
    }
}
