// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import dev.remus.config.ClusterConfig;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.SynchronousQueue;

/** Every other node is a process with a JVM of its own. */
public final class NodeProcesses implements OtherNodes, AutoCloseable {
    private final Class<? extends Fabric> fabric;
    private final BlockingQueue<NodeVm> spares;

    private NodeProcesses(Class<? extends Fabric> fabric, BlockingQueue<NodeVm> spares) {
        this.fabric = fabric;
        this.spares = spares;
    }

    /**
     * Each process ends with its node.
     *
     * @param fabric a class that has a public constructor without arguments
     */
    public NodeProcesses(Class<? extends Fabric> fabric) {
        this(fabric, new SynchronousQueue<>()); // into which nothing can be put
    }

    /**
     * Reuses the process of a node that has closed in good order for the next node, since a JVM starts slowly on some
     * machines.
     *
     * @param spares the maximum number of such processes; {@link #close} ends them
     */
    public static NodeProcesses usedAgain(Class<? extends Fabric> fabric, int spares) {
        return new NodeProcesses(fabric, new ArrayBlockingQueue<>(spares));
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
        NodeVm spare = spares.poll();
        NodeVm vm = spare == null ? new NodeVm() : spare;
        vm.open(List.of(
                role,
                fabric.getName(),
                Integer.toString(node),
                config.fabric(),
                config.cluster(),
                String.join(",", config.hosts()),
                config.hostPattern(),
                Integer.toString(config.memoryPort()),
                Integer.toString(config.segmentSizeLog2())));
        return new NodeProcess(vm, spares);
    }

    @Override
    public void close() {
        for (NodeVm vm = spares.poll(); vm != null; vm = spares.poll()) {
            vm.end();
        }
    }
}
