// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Environment;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.MemoryEndpoint;
import java.util.function.IntConsumer;

/**
 * A fabric on which something happens when a Compute Node starts.
 *
 * @param fabric the fabric that is used
 * @param before is called with the number of the node before it opens its side
 * @param after is called when it has
 */
record WatchedFabric(Fabric fabric, IntConsumer before, IntConsumer after) implements Fabric {
    @Override
    public String name() {
        return fabric.name();
    }

    @Override
    public boolean exchangesHeartbeats() {
        return fabric.exchangesHeartbeats();
    }

    @Override
    public Environment environment() {
        return fabric.environment();
    }

    @Override
    public MemoryEndpoint openMemory(ClusterConfig config, int node) {
        return fabric.openMemory(config, node);
    }

    @Override
    public ComputeEndpoint openCompute(ClusterConfig config, int node) {
        before.accept(node);
        ComputeEndpoint opened = fabric.openCompute(config, node);
        after.accept(node);
        return opened;
    }
}
