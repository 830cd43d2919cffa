package dev.remus.fabric.verbs;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.FabricConformance;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

/** RDMA verbs keep the fabric contract. */
@Tag("verbs")
@EnabledIf(value = "dev.remus.fabric.verbs.RdmaMachine#isThere", disabledReason = RdmaMachine.MISSING)
class VerbsConformanceTest extends FabricConformance {
    @Override
    protected Fabric fabric() {
        return new VerbsFabric();
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
