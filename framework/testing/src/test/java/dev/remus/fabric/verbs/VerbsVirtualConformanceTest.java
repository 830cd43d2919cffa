// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ThreadKind;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.JRE;

/** RDMA verbs keep the fabric contract towards virtual threads. */
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads exist from Java 21 on")
@EnabledIf(value = "dev.remus.fabric.verbs.RdmaMachine#isThere", disabledReason = RdmaMachine.MISSING)
class VerbsVirtualConformanceTest extends VerbsConformanceTest {
    @Override
    protected ClusterConfig.Builder configure(ClusterConfig.Builder config) {
        return super.configure(config).threadKind(ThreadKind.VIRTUAL);
    }
}
