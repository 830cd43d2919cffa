// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.AllocationPolicy;
import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.simulation.SimulatedCluster;
import java.util.SplittableRandom;

/** Draws small clusters that differ in everything that must not matter. */
final class Clusters {
    private static final int MAX_LANES = 4;

    private Clusters() {}

    /**
     * Two nodes, each a Memory Node and a Compute Node, with lanes, lane policy and allocation policy drawn at random.
     */
    static ClusterConfig.Builder drawn(int threads, SplittableRandom random) {
        return SimulatedCluster.small(threads)
                .memoryNodes(0, 1)
                .computeNodes(0, 1)
                .segmentsPerNode(1 + random.nextInt(2))
                .lanes(1 + random.nextInt(MAX_LANES))
                .lanePolicy(random.nextBoolean() ? LanePolicy.RR : LanePolicy.RAND)
                .allocationPolicy(AllocationPolicy.values()[random.nextInt(AllocationPolicy.values().length)]);
    }
}
