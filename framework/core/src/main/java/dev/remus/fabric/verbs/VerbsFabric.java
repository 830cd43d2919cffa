package dev.remus.fabric.verbs;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.MemoryEndpoint;
import java.util.List;
import java.util.Optional;

/** RDMA verbs. {@code --hosts} or {@code --host-pattern} name each node's host on the RDMA network. */
public final class VerbsFabric implements Fabric {
    private static final String DISNI = "com.ibm.disni.verbs.RdmaCm";

    @Override
    public String name() {
        return "verbs";
    }

    @Override
    public MemoryEndpoint openMemory(ClusterConfig config, int node) {
        checkUsable();
        return new VerbsMemoryEndpoint(config, node);
    }

    @Override
    public ComputeEndpoint openCompute(ClusterConfig config, int node) {
        checkUsable();
        return new VerbsComputeEndpoint(config, node);
    }

    /** The first address of the network interface of the RDMA port, if there is only one. */
    @Override
    public Optional<String> localHost() {
        checkUsable();
        List<RdmaPort> ports = RdmaPort.all();
        return ports.size() == 1 ? ports.get(0).addresses().stream().findFirst() : Optional.empty();
    }

    /** Asks the kernel before the library, which is of no use where there is no device. */
    private static void checkUsable() {
        checkHasDisni();
        if (RdmaPort.all().isEmpty()) {
            throw new FabricException("--fabric verbs: this machine has no RDMA device (" + RdmaPort.DEVICES
                    + " is empty). ./remus doctor says how to get one; --fabric shm needs none");
        }
        Verbs.checkLoaded();
    }

    /** A program that needs no RDMA may leave DiSNI out; no class that needs it is loaded before this. */
    private static void checkHasDisni() {
        try {
            Class.forName(DISNI, false, VerbsFabric.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new FabricException(
                    "--fabric verbs: the class path lacks com.ibm.disni:disni, through which this fabric calls verbs. Add "
                            + "that dependency; --fabric shm needs none",
                    e);
        }
    }
}
