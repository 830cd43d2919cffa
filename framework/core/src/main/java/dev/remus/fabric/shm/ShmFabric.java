package dev.remus.fabric.shm;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.MemoryEndpoint;

/** Shared memory on one machine. The nodes of a cluster find each other by the cluster's name and their ids. */
public final class ShmFabric implements Fabric {
    @Override
    public String name() {
        return "shm";
    }

    @Override
    public MemoryEndpoint openMemory(ClusterConfig config, int node) {
        return new ShmMemoryEndpoint(
                new ClusterDirectory(config.cluster()), node, config.segmentsPerNode(), config.segmentBytes());
    }

    @Override
    public ComputeEndpoint openCompute(ClusterConfig config, int node) {
        return new ShmComputeEndpoint(new ClusterDirectory(config.cluster()), node);
    }

    @Override
    public void removeRemains(ClusterConfig config) {
        new ClusterDirectory(config.cluster()).removeIfDead();
    }
}
