// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import dev.remus.config.ClusterSettings;
import dev.remus.fabric.Environment;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.RealEnvironment;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The nodes of all clusters of a simulated fabric: the memory of Memory Nodes and the lanes of Compute Nodes. */
final class SimNetwork {
    private final Simulator simulator;
    private final Map<NodeId, SimMemory> memoryNodes = new HashMap<>();
    private final Map<NodeId, SimLanes> computeNodes = new LinkedHashMap<>();

    private long incarnations;

    SimNetwork(Simulator simulator) {
        this.simulator = simulator;
    }

    Simulator simulator() {
        return simulator;
    }

    // ------------------------------------------------------------------------------------------------ nodes

    void add(SimMemory memory) {
        memoryNodes.put(memory.id(), memory);
    }

    void add(SimLanes lanes) {
        computeNodes.put(lanes.id(), lanes);
    }

    /** Numbers the starts of Compute Nodes. */
    long newIncarnation() {
        return ++incarnations;
    }

    /** @throws FabricException if it is running */
    void refuseSecondMemoryNode(NodeId id) {
        refuseSecond(memoryNodes.get(id), "Memory Node ", id);
    }

    /** @throws FabricException if it is running */
    void refuseSecondComputeNode(NodeId id) {
        refuseSecond(computeNodes.get(id), "Compute Node ", id);
    }

    private static void refuseSecond(@Nullable Object first, String role, NodeId id) {
        if (first != null) {
            throw new FabricException(role + id.node() + " of cluster '" + id.cluster()
                    + "' is already running. Choose another " + ClusterSettings.CLUSTER.names() + " or node id");
        }
    }

    /** A Memory Node, published or not; null if there is none. */
    @Nullable
    SimMemory memory(NodeId id) {
        return memoryNodes.get(id);
    }

    /** A Memory Node to which Compute Nodes may connect. */
    Optional<SimMemory> published(NodeId id) {
        synchronized (simulator) {
            return Optional.ofNullable(memoryNodes.get(id)).filter(SimMemory::isPublished);
        }
    }

    /** Ends a Memory Node; does nothing if it has ended. */
    void end(SimMemory memory) {
        if (!memory.isGone()) {
            memory.end();
            synchronized (simulator) {
                memoryNodes.remove(memory.id(), memory);
            }
        }
    }

    /** Removes a Compute Node that has left. */
    void remove(SimLanes lanes) {
        synchronized (simulator) {
            computeNodes.remove(lanes.id(), lanes);
        }
    }

    // ------------------------------------------------------------------------------------------------ time

    /** The time for the calling thread: virtual inside the simulation. */
    long now() {
        return environment().nanoTime();
    }

    /** The pauses of a polling loop of the calling thread. */
    Environment.Pauses newPauses() {
        return environment().newPauses();
    }

    private Environment environment() {
        return simulator.isInside() ? simulator : RealEnvironment.INSTANCE;
    }

    /** Executes some steps of all lanes that have work, for threads outside the simulation. */
    void advance(int steps) {
        for (int i = 0; i < steps && !isIdle(); i++) {
            for (SimLanes node : computeNodes.values()) {
                node.all().forEach(SimLane::advance);
            }
        }
    }

    private boolean isIdle() {
        return computeNodes.values().stream()
                .flatMap(node -> node.all().stream())
                .noneMatch(SimLane::hasWork);
    }
}
