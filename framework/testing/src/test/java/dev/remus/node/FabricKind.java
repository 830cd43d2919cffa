// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.shm.ShmFabric;

/** The fabrics on which every behaviour is tested. */
public enum FabricKind {
    /** Shared memory with its own blocking operations. */
    DIRECT {
        @Override
        Fabric fabric() {
            return new ShmFabric();
        }
    },
    /** Shared memory over lanes: the blocking operations are built from posted chains. */
    LANES {
        @Override
        Fabric fabric() {
            return LaneFabric.plain();
        }
    },
    /** The same over lanes that delay and reorder as much as the contract allows, and are soon full. */
    WEAK_LANES {
        @Override
        Fabric fabric() {
            return LaneFabric.weak(8);
        }
    };

    abstract Fabric fabric();

    /** A cluster over this fabric. No node is started yet. */
    public TestCluster cluster(ClusterConfig config) {
        return TestCluster.of(config, fabric());
    }

    /**
     * Starts all nodes, runs the body in every Compute Thread and closes all nodes, without waiting for all to leave.
     */
    public void run(ClusterConfig config, ComputeNode.Body body) throws Exception {
        try (TestCluster cluster = cluster(config).start()) {
            cluster.runThreads(body);
        }
    }
}
