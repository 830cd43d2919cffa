package dev.remus.fabric;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Suggestion;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;

/**
 * What carries the operations. Implementations are found by name with {@link ServiceLoader}, so that an importer can
 * add one: list it in {@code META-INF/services/dev.remus.fabric.Fabric} and give it a public constructor without
 * arguments.
 */
public interface Fabric {
    /** The name under which {@code --fabric} finds it. */
    String name();

    /**
     * Opens a Memory Node's side: reserves the memory of all its segments now, zeroed.
     *
     * @throws FabricException if there is not enough memory, or this Memory Node is already running
     */
    MemoryEndpoint openMemory(ClusterConfig config, int node);

    /**
     * Opens a Compute Node's side. Memory Nodes see it as joined once it has connected to them, at the latest.
     *
     * @throws FabricException if this Compute Node is already running
     */
    ComputeEndpoint openCompute(ClusterConfig config, int node);

    /**
     * Whether nodes show each other once a second that they run, so that one whose process is stopped is named. A
     * fabric that decides by itself when a node runs needs no such signs.
     */
    default boolean showsSignsOfLife() {
        return true;
    }

    /** Time, waiting, chance and threads of nodes on this fabric. */
    default Environment environment() {
        return RealEnvironment.INSTANCE;
    }

    /**
     * The host to name for each node of a cluster that is on this machine only, where the user has named none.
     *
     * @return empty if this fabric needs no hosts, or if there are several to choose from
     * @throws FabricException if this fabric cannot be used on this machine
     */
    default Optional<String> localHost() {
        return Optional.empty();
    }

    /**
     * The fabric that a configuration names.
     *
     * @throws FabricException if there is none of that name; the message lists the names and suggests the nearest
     */
    static Fabric of(ClusterConfig config) {
        TreeMap<String, Fabric> found = new TreeMap<>();
        ServiceLoader.load(Fabric.class, Fabric.class.getClassLoader()).forEach(f -> found.put(f.name(), f));
        Fabric fabric = found.get(config.fabric());
        if (fabric == null) {
            throw new FabricException("--fabric: got '" + config.fabric() + "', needs one of "
                    + String.join(", ", found.keySet())
                    + Suggestion.didYouMean(config.fabric(), found.keySet()));
        }
        return fabric;
    }
}
