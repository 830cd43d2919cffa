// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.ClusterSecret;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.Version;
import java.util.List;
import java.util.Optional;

/** The fabric over RDMA verbs. {@code --hosts} or {@code --host-pattern} names each node's host on the RDMA network. */
public final class VerbsFabric implements Fabric {
    static final String NAME = "verbs";

    private static final String DISNI = "com.ibm.disni.verbs.RdmaCm";

    private final Version version;

    /** The fabric of this version of the software. */
    public VerbsFabric() {
        this(Version.PRESENT);
    }

    /** @param version what its nodes run, as far as other nodes can see */
    VerbsFabric(Version version) {
        this.version = version;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public MemoryEndpoint openMemory(ClusterConfig config, int node) {
        checkUsable();
        return new VerbsMemoryEndpoint(config, node, version);
    }

    @Override
    public ComputeEndpoint openCompute(ClusterConfig config, int node) {
        checkUsable();
        return new VerbsComputeEndpoint(config, node, version);
    }

    @Override
    public void checkSettings(ClusterConfig config) {
        Fabric.super.checkSettings(config);
        ClusterSecret.of(config);
    }

    /** The first address of the RDMA port's network interface, if there is only one port to choose. */
    @Override
    public Optional<String> localHost(ClusterConfig config) {
        checkUsable();
        List<RdmaPort> ports = DeviceChoice.of(config).ports();
        return ports.size() == 1 ? ports.get(0).addresses().stream().findFirst() : Optional.empty();
    }

    /** Checks for a device before loading the library, which is useless without one. */
    private static void checkUsable() {
        checkHasDisni();
        if (RdmaPort.all().isEmpty()) {
            throw new FabricException("fabric verbs: this machine has no RDMA device (" + RdmaPort.DEVICES
                    + " is empty). ./remus doctor lists ways to get one; fabric shm needs none");
        }
        Verbs.checkLoaded();
    }

    /** A program that needs no RDMA may omit DiSNI; no class that needs it is loaded before this check. */
    private static void checkHasDisni() {
        try {
            Class.forName(DISNI, false, VerbsFabric.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new FabricException(
                    "fabric verbs: the class path lacks com.ibm.disni:disni, through which this fabric calls verbs. Add "
                            + "that dependency; fabric shm needs none",
                    e);
        }
    }
}
