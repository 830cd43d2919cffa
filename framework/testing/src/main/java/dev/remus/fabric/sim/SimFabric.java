// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Environment;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.MemoryEndpoint;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The fabric of simulated clusters, which are distinguished by their names. It cannot be selected by name, because it
 * belongs to a {@link Simulator}.
 */
public final class SimFabric implements Fabric {
    private final Simulator simulator;
    private final SimNetwork network;

    private final Map<Integer, Duration> cutOffs = new HashMap<>();

    private boolean localReads;

    /** A fabric for all nodes of clusters that one simulator runs. */
    public SimFabric(Simulator simulator) {
        this.simulator = simulator;
        this.network = new SimNetwork(simulator);
    }

    /**
     * Lets a node that is both a Compute Node and a Memory Node read its own words without an operation, as {@code
     * verbs} does.
     */
    public SimFabric withLocalReads() {
        localReads = true;
        return this;
    }

    /** Makes a Memory Node take so long to cut off a Compute Node that is lost. Otherwise it does so at once. */
    public SimFabric cuttingOffAfter(int memoryNode, Duration time) {
        cutOffs.put(memoryNode, time);
        return this;
    }

    @Override
    public String name() {
        return "sim";
    }

    /** The simulator itself decides when a node runs. */
    @Override
    public boolean exchangesHeartbeats() {
        return false;
    }

    @Override
    public Environment environment() {
        return simulator;
    }

    @Override
    public MemoryEndpoint openMemory(ClusterConfig config, int node) {
        synchronized (simulator) {
            NodeId id = new NodeId(config.cluster(), node);
            network.refuseSecondMemoryNode(id);
            long cutOffNanos = cutOffs.getOrDefault(node, Duration.ZERO).toNanos();
            SimMemory memory =
                    new SimMemory(simulator, id, config.segmentsPerNode(), config.segmentBytes(), cutOffNanos);
            network.add(memory);
            return new SimMemoryEndpoint(network, memory);
        }
    }

    @Override
    public ComputeEndpoint openCompute(ClusterConfig config, int node) {
        synchronized (simulator) {
            NodeId id = new NodeId(config.cluster(), node);
            network.refuseSecondComputeNode(id);
            SimComputeEndpoint compute = new SimComputeEndpoint(
                    network, new SimLanes(id, network.newIncarnation()), config.lossTimeout(), localReads);
            simulator.settle(compute);
            return compute;
        }
    }

    /**
     * Sets words of a Memory Node that has just started to values that an earlier user of the memory may have left.
     * Nothing notices the change.
     *
     * @param config the cluster that it belongs to
     * @param offset where the first of the words is in the segment
     * @throws IllegalArgumentException if there is no such Memory Node
     */
    public void preset(ClusterConfig config, int node, int segment, long offset, long... values) {
        synchronized (simulator) {
            SimMemory memory = network.memory(new NodeId(config.cluster(), node));
            if (memory == null) {
                throw new IllegalArgumentException("there is no Memory Node " + node + " in " + config.cluster());
            }
            SimSegment words = memory.segment(segment);
            for (int i = 0; i < values.length; i++) {
                words.preset(offset + (long) i * Long.BYTES, values[i]);
            }
        }
    }
}
