package dev.remus.fabric.shm;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ThreadKind;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.FabricConformance;
import dev.remus.fabric.VirtualThreads;

/**
 * Shared memory with emulated latencies keeps the fabric contract; the Compute Threads are virtual if Java has them.
 */
class EmulatedShmFabricTest extends FabricConformance {
    @Override
    protected Fabric fabric() {
        return new ShmFabric();
    }

    /** Memory cannot be taken away from a process. */
    @Override
    public boolean cutsOffTheLiving() {
        return false;
    }

    @Override
    protected ClusterConfig.Builder configure(ClusterConfig.Builder config) {
        return config.emulatedLatency("infiniband-fdr")
                .threadKind(VirtualThreads.exist() ? ThreadKind.VIRTUAL : ThreadKind.PLATFORM);
    }
}
