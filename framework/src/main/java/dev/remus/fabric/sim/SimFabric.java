package dev.remus.fabric.sim;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Environment;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.PeerState;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One simulated cluster. Not found by name: it belongs to a {@link Simulator}. */
public final class SimFabric implements Fabric {
    private final Simulator simulator;
    private final Map<Integer, SimMemoryEndpoint> memoryNodes = new TreeMap<>();
    private final Map<Integer, SimComputeEndpoint> computeNodes = new TreeMap<>();
    private final Map<Integer, Map<SimMemoryEndpoint, PeerState>> peers = new TreeMap<>();

    public SimFabric(Simulator simulator) {
        this.simulator = simulator;
    }

    Simulator simulator() {
        return simulator;
    }

    @Override
    public String name() {
        return "sim";
    }

    @Override
    public Environment environment() {
        return simulator;
    }

    @Override
    public MemoryEndpoint openMemory(ClusterConfig config, int node) {
        synchronized (simulator) {
            if (memoryNodes.containsKey(node)) {
                throw new FabricException("Memory Node " + node + " of cluster '" + config.cluster()
                        + "' is already running. Choose another --node-id");
            }
            SimMemoryEndpoint memory =
                    new SimMemoryEndpoint(this, node, config.segmentsPerNode(), config.segmentBytes());
            memoryNodes.put(node, memory);
            return memory;
        }
    }

    @Override
    public ComputeEndpoint openCompute(ClusterConfig config, int node) {
        synchronized (simulator) {
            if (computeNodes.containsKey(node)) {
                throw new FabricException("Compute Node " + node + " of cluster '" + config.cluster()
                        + "' is already running. Choose another --node-id");
            }
            SimComputeEndpoint compute = new SimComputeEndpoint(this, node);
            computeNodes.put(node, compute);
            return compute;
        }
    }

    Optional<SimMemoryEndpoint> published(int node) {
        synchronized (simulator) {
            return Optional.ofNullable(memoryNodes.get(node)).filter(SimMemoryEndpoint::isPublished);
        }
    }

    void connected(int computeNode, SimMemoryEndpoint memory) {
        synchronized (simulator) {
            peers.computeIfAbsent(computeNode, c -> new IdentityHashMap<>()).put(memory, PeerState.JOINED);
        }
    }

    PeerState peer(int computeNode, SimMemoryEndpoint memory) {
        synchronized (simulator) {
            return peers.getOrDefault(computeNode, Map.of()).getOrDefault(memory, PeerState.ABSENT);
        }
    }

    void leave(SimComputeEndpoint compute, PeerState how) {
        synchronized (simulator) {
            computeNodes.remove(compute.node());
            peers.getOrDefault(compute.node(), Map.of()).replaceAll((memory, state) -> how);
        }
    }

    void remove(SimMemoryEndpoint memory) {
        synchronized (simulator) {
            memoryNodes.remove(memory.node(), memory);
        }
    }

    /** The time for whoever asks: virtual inside the simulation. */
    long now() {
        return simulator.isInside() ? simulator.nanoTime() : System.nanoTime();
    }

    void pause(int attempt) {
        if (simulator.isInside()) {
            simulator.pause(attempt);
        } else {
            Environment.real().pause(attempt);
        }
    }

    /** For threads outside the simulation: executes some steps of all lanes that have something to do. */
    void advance(int steps) {
        for (int i = 0; i < steps; i++) {
            for (SimComputeEndpoint compute : computeNodes.values()) {
                for (SimLink link : compute.links()) {
                    link.simLanes().forEach(SimLane::advance);
                }
            }
        }
    }
}
