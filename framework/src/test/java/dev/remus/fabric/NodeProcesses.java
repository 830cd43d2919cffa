package dev.remus.fabric;

import dev.remus.config.ClusterConfig;
import java.util.List;

/** Every other node is a process with a JVM of its own. */
public final class NodeProcesses implements OtherNodes {
    private final Class<? extends Fabric> fabric;

    /** @param fabric has a public constructor without arguments */
    public NodeProcesses(Class<? extends Fabric> fabric) {
        this.fabric = fabric;
    }

    @Override
    public OtherNode startMemory(ClusterConfig config, int node) {
        return start("memory", config, node);
    }

    @Override
    public OtherNode startCompute(ClusterConfig config, int node) {
        return start("compute", config, node);
    }

    private OtherNode start(String role, ClusterConfig config, int node) {
        return new NodeProcess(List.of(
                role,
                fabric.getName(),
                Integer.toString(node),
                config.fabric(),
                config.cluster(),
                String.join(",", config.hosts()),
                config.hostPattern(),
                Integer.toString(config.memoryPort()),
                Integer.toString(config.segmentSizeLog2())));
    }
}
