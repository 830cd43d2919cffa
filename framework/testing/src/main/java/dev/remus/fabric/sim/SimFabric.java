package dev.remus.fabric.sim;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Environment;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.MemoryEndpoint;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Simulated clusters, told apart by their names. Not found by name: it belongs to a {@link Simulator}. */
public final class SimFabric implements Fabric {
    /** A node of a cluster. */
    record Id(String cluster, int node) {}

    private final Simulator simulator;
    private final Map<Id, SimMemoryEndpoint> memoryNodes = new HashMap<>();
    private final Map<Id, SimComputeEndpoint> computeNodes = new LinkedHashMap<>();

    private boolean localReads;

    /** A fabric for all nodes of clusters that one simulator runs. */
    public SimFabric(Simulator simulator) {
        this.simulator = simulator;
    }

    /** Lets a node that is both read words of its own Memory Node without an operation, as {@code verbs} does. */
    public SimFabric withLocalReads() {
        localReads = true;
        return this;
    }

    boolean hasLocalReads() {
        return localReads;
    }

    Simulator simulator() {
        return simulator;
    }

    @Override
    public String name() {
        return "sim";
    }

    /** The simulator decides itself when a node runs. */
    @Override
    public boolean showsSignsOfLife() {
        return false;
    }

    @Override
    public Environment environment() {
        return simulator;
    }

    @Override
    public MemoryEndpoint openMemory(ClusterConfig config, int node) {
        synchronized (simulator) {
            Id id = new Id(config.cluster(), node);
            refuseSecond(memoryNodes.get(id), "Memory Node " + node, config);
            SimMemoryEndpoint memory = new SimMemoryEndpoint(this, id, config.segmentsPerNode(), config.segmentBytes());
            memoryNodes.put(id, memory);
            return memory;
        }
    }

    @Override
    public ComputeEndpoint openCompute(ClusterConfig config, int node) {
        synchronized (simulator) {
            Id id = new Id(config.cluster(), node);
            refuseSecond(computeNodes.get(id), "Compute Node " + node, config);
            SimComputeEndpoint compute = new SimComputeEndpoint(this, id);
            computeNodes.put(id, compute);
            simulator.settle(compute);
            return compute;
        }
    }

    private static void refuseSecond(@Nullable Object first, String who, ClusterConfig config) {
        if (first != null) {
            throw new FabricException(who + " of cluster '" + config.cluster()
                    + "' is already running. Choose another --cluster or --node-id");
        }
    }

    /**
     * Lets a word of a Memory Node that has just started be what it may have been left as by something earlier. Nobody notices
     * when it changes.
     *
     * @param config the cluster that it belongs to
     * @throws IllegalArgumentException if there is no such Memory Node
     */
    public void preset(ClusterConfig config, int node, int segment, long offset, long value) {
        synchronized (simulator) {
            SimMemoryEndpoint memory = memoryNodes.get(new Id(config.cluster(), node));
            if (memory == null) {
                throw new IllegalArgumentException("there is no Memory Node " + node + " in " + config.cluster());
            }
            memory.segment(segment).preset(offset, value);
        }
    }

    Optional<SimMemoryEndpoint> published(Id id) {
        synchronized (simulator) {
            return Optional.ofNullable(memoryNodes.get(id)).filter(SimMemoryEndpoint::isPublished);
        }
    }

    void remove(SimComputeEndpoint compute) {
        synchronized (simulator) {
            computeNodes.remove(compute.id(), compute);
        }
    }

    void remove(SimMemoryEndpoint memory) {
        synchronized (simulator) {
            memoryNodes.remove(memory.id(), memory);
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
        for (int i = 0; i < steps && !isIdle(); i++) {
            for (SimComputeEndpoint compute : computeNodes.values()) {
                for (SimLink link : compute.links()) {
                    link.simLanes().forEach(SimLane::advance);
                }
            }
        }
    }

    private boolean isIdle() {
        return computeNodes.values().stream()
                .flatMap(compute -> compute.links().stream())
                .flatMap(link -> link.simLanes().stream())
                .noneMatch(SimLane::hasWork);
    }
}
