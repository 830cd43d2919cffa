// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.config.Suggestion;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;

/**
 * Carries one-sided operations between nodes. {@link ServiceLoader} finds implementations, and users can add one: list
 * it in {@code META-INF/services/dev.remus.fabric.Fabric}, and give it a public constructor without arguments.
 */
public interface Fabric {
    /** The name that selects it with {@code --fabric}. */
    String name();

    /**
     * Opens a Memory Node's side, and reserves the memory of all its segments, zeroed.
     *
     * @throws FabricException if there is not enough memory, or this Memory Node is already running
     */
    MemoryEndpoint openMemory(ClusterConfig config, int node);

    /**
     * Opens a Compute Node's side. Memory Nodes regard the node as joined once it has connected to them, at the latest.
     *
     * @throws FabricException if this Compute Node is already running
     */
    ComputeEndpoint openCompute(ClusterConfig config, int node);

    /**
     * Whether nodes show each other once a second that they run, so that a stopped process is reported. A fabric that
     * itself decides when a node runs needs no heartbeats.
     */
    default boolean exchangesHeartbeats() {
        return true;
    }

    /** Time, waiting, random seeds and threads of nodes on this fabric. */
    default Environment environment() {
        return RealEnvironment.INSTANCE;
    }

    /**
     * The host of every node of a cluster that runs on this machine only.
     *
     * @param config names no hosts
     * @return empty if this fabric needs no hosts, or if several are possible
     * @throws FabricException if this fabric cannot be used on this machine
     */
    default Optional<String> localHost(ClusterConfig config) {
        return Optional.empty();
    }

    /**
     * Checks the settings that only some fabrics have.
     *
     * @throws FabricException if this fabric cannot have one of them
     */
    default void checkSettings(ClusterConfig config) {
        if (config.emulatesLatency()) {
            throw new FabricException(ClusterSettings.EMULATED_LATENCY.names() + ": got '" + config.emulatedLatency()
                    + "', needs " + ClusterSettings.NO_LATENCY + " on the fabric " + name()
                    + ": only shm emulates latencies");
        }
        if (!config.killSilent().isZero()) {
            throw new FabricException(ClusterSettings.KILL_SILENT.names() + ": got '"
                    + ClusterSettings.KILL_SILENT.type().format(config.killSilent()) + "', needs 0 on the fabric "
                    + name() + ": only shm runs all nodes on one machine");
        }
    }

    /**
     * Removes what nodes of a cluster that were killed have left on this machine. Does nothing while one of its nodes
     * runs, and on a fabric that leaves nothing.
     */
    default void removeRemains(ClusterConfig config) {}

    /**
     * The fabric that a configuration names.
     *
     * @throws FabricException if there is none of that name; the message lists the names and suggests the nearest one.
     *     Also if it cannot have one of the settings
     */
    static Fabric of(ClusterConfig config) {
        TreeMap<String, Fabric> found = new TreeMap<>();
        ServiceLoader.load(Fabric.class, Fabric.class.getClassLoader()).forEach(f -> found.put(f.name(), f));
        Fabric fabric = found.get(config.fabric());
        if (fabric == null) {
            throw new FabricException(ClusterSettings.FABRIC.names() + ": got '" + config.fabric() + "', needs one of "
                    + String.join(", ", found.keySet())
                    + Suggestion.didYouMean(config.fabric(), found.keySet()));
        }
        fabric.checkSettings(config);
        return fabric;
    }
}
