// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.config.ThreadKind;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.TestCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.JRE;

/** Virtual threads over RDMA. CI runs this one of the tests over RDMA also with a JDK that has virtual threads. */
@Tag("verbs")
@Timeout(120)
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads exist from Java 21 on")
@EnabledIf(value = "dev.remus.fabric.verbs.RdmaMachine#isThere", disabledReason = RdmaMachine.MISSING)
class VerbsVirtualThreadsTest {
    @Test
    void virtualThreadsThatShareLanesLoseNoRequest() throws Exception {
        int threads = 16;
        int additions = 20;
        ClusterConfig config = TestCluster.config(1, 1, threads)
                .fabric("verbs")
                .hosts(RdmaMachine.hosts().subList(0, 2))
                .memoryPort(32_090)
                .segmentSizeLog2(16)
                .lanes(3)
                .lanePolicy(LanePolicy.RR)
                .threadKind(ThreadKind.VIRTUAL)
                .build();
        TestCluster.of(config).run(ct -> {
            if (ct.id() == 0) {
                long block = ct.allocate(64);
                ct.write(block, 0);
                ct.root().set(new RdmaPtr<>(block));
            }
            ct.barrier();
            long word = ct.root().get().raw();
            for (int i = 0; i < additions; i++) {
                ct.fetchAndAdd(word, 1);
            }
            ct.barrier();
            assertThat(ct.read(word)).isEqualTo((long) threads * additions);
        });
    }
}
