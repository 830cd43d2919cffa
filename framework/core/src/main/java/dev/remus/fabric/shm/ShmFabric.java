// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.fabric.ClusterSecret;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.CostModel;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.Version;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.util.Optional;

/** Shared memory on one machine. The nodes of a cluster find each other by the cluster's name and their ids. */
public final class ShmFabric implements Fabric {
    private final Version version;

    /** The fabric of this version of the software. */
    public ShmFabric() {
        this(Version.PRESENT);
    }

    /** @param version what its nodes run, as far as other nodes can see */
    ShmFabric(Version version) {
        this.version = version;
    }

    @Override
    public String name() {
        return "shm";
    }

    @Override
    public MemoryEndpoint openMemory(ClusterConfig config, int node) {
        return new ShmMemoryEndpoint(
                new ClusterDirectory(config.cluster(), version), node, config.segmentsPerNode(), config.segmentBytes());
    }

    @Override
    public ComputeEndpoint openCompute(ClusterConfig config, int node) {
        return new ShmComputeEndpoint(new ClusterDirectory(config.cluster(), version), node, emulated(config));
    }

    @Override
    public void checkSettings(ClusterConfig config) {
        emulated(config);
        ClusterSecret.of(config); // a mistake shows here too, although the folder's permissions are the fence
    }

    /** The hardware whose latency is emulated. */
    private static Optional<CostModel> emulated(ClusterConfig config) {
        try {
            return config.emulatesLatency() ? Optional.of(CostModel.parse(config.emulatedLatency())) : Optional.empty();
        } catch (IOException | InvalidPathException e) {
            throw new FabricException(
                    ClusterSettings.EMULATED_LATENCY.names() + ": " + e.getMessage() + ", or a number of microseconds",
                    e);
        }
    }

    @Override
    public void removeRemains(ClusterConfig config) {
        new ClusterDirectory(config.cluster()).removeIfDead();
    }
}
