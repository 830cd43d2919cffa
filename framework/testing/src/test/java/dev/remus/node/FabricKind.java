package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.shm.ShmFabric;

/** The fabrics that every behaviour is tested on. */
public enum FabricKind {
    /** Shared memory with its own blocking operations. */
    DIRECT {
        @Override
        Fabric fabric() {
            return new ShmFabric();
        }
    },
    /** Shared memory through lanes: the blocking operations are built from posted chains. */
    LANES {
        @Override
        Fabric fabric() {
            return LaneFabric.plain();
        }
    },
    /** The same through lanes that delay, reorder and hold back what the contract allows, and are soon full. */
    WEAK_LANES {
        @Override
        Fabric fabric() {
            return LaneFabric.weak(8);
        }
    };

    abstract Fabric fabric();

    /** A cluster over this fabric; nothing is started yet. */
    public TestCluster cluster(ClusterConfig config) {
        return TestCluster.of(config, fabric());
    }

    /** Starts all nodes, runs the body in every Compute Thread and closes all, without the slower way of parting. */
    public void run(ClusterConfig config, ComputeNode.Body body) throws Exception {
        try (TestCluster cluster = cluster(config).start()) {
            cluster.runThreads(body);
        }
    }
}
