// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ThreadKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.JRE;

/** RDMA verbs keep the fabric contract towards virtual threads. */
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads exist from Java 21 on")
@EnabledIf(value = "dev.remus.fabric.verbs.RdmaMachine#isThere", disabledReason = RdmaMachine.MISSING)
class VerbsVirtualConformanceTest extends VerbsConformanceTest {
    static boolean hasOneProcessor() {
        return Runtime.getRuntime().availableProcessors() == 1;
    }

    @Override
    protected ClusterConfig.Builder configure(ClusterConfig.Builder config) {
        return super.configure(config).threadKind(ThreadKind.VIRTUAL);
    }

    @Test
    @Override
    @DisabledIf(value = "hasOneProcessor", disabledReason = "a reader of its own node's memory does not yield")
    public void closingTheMemoryNodeThrowsInAThreadThatReadsItsMemory() {
        super.closingTheMemoryNodeThrowsInAThreadThatReadsItsMemory();
    }
}
