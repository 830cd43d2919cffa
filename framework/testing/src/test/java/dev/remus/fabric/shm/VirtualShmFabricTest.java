// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ThreadKind;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Shared memory keeps the fabric contract towards virtual threads. */
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads exist from Java 21 on")
@DisabledIf(value = "hasOneProcessor", disabledReason = "a reader that polls does not yield to its writer")
class VirtualShmFabricTest extends ShmFabricTest {
    static boolean hasOneProcessor() {
        return Runtime.getRuntime().availableProcessors() == 1;
    }

    @Override
    protected ClusterConfig.Builder configure(ClusterConfig.Builder config) {
        return config.threadKind(ThreadKind.VIRTUAL);
    }
}
