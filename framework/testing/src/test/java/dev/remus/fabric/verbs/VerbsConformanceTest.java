// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.FabricConformance;
import dev.remus.fabric.NodeProcesses;
import dev.remus.fabric.OtherNodes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** RDMA verbs keep the fabric contract. */
@Tag("verbs")
@Timeout(300)
@EnabledIf(value = "dev.remus.fabric.verbs.RdmaMachine#isThere", disabledReason = RdmaMachine.MISSING)
class VerbsConformanceTest extends FabricConformance {
    /** On an emulated processor a JVM takes ten seconds to start. */
    private static final NodeProcesses PROCESSES = NodeProcesses.usedAgain(VerbsFabric.class, 2);

    @AfterAll
    static void endProcesses() {
        PROCESSES.close();
    }

    @Override
    protected Fabric fabric() {
        return new VerbsFabric();
    }

    @Override
    public OtherNodes otherNodes() {
        return PROCESSES;
    }

    /** To connect takes two handshakes, which an emulated machine does in some tens of milliseconds. */
    @Override
    public int repetitions(int usually) {
        return usually / 5;
    }

    @Override
    protected ClusterConfig.Builder configure(ClusterConfig.Builder config) {
        return config.hosts(RdmaMachine.hosts());
    }
}
