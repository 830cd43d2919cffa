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

    /** Asks the kernel first, so that no library is looked for where it would be of no use. */
    private static void checkUsable() {
        if (RdmaPort.all().isEmpty()) {
            throw new FabricException("--fabric verbs: this machine has no RDMA device (" + RdmaPort.DEVICES
                    + " is empty). ./remus doctor says how to get one; --fabric shm needs none");
        }
        Verbs.checkLoaded();
    }
}
