// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ThreadKind;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Shared memory keeps the fabric contract towards virtual threads. */
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads exist from Java 21 on")
class VirtualShmFabricTest extends ShmFabricTest {
    @Override
    protected ClusterConfig.Builder configure(ClusterConfig.Builder config) {
        return config.threadKind(ThreadKind.VIRTUAL);
    }
}
