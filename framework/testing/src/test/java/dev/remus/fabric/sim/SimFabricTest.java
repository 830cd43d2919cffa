// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.FabricConformance;
import dev.remus.fabric.NodesInThisProcess;
import dev.remus.fabric.OtherNodes;
import dev.remus.node.ComputeNode;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.EnumSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The simulated fabric keeps the contract, with everything on that the contract allows. */
class SimFabricTest extends FabricConformance {
    private final Fabric fabric =
            new SimFabric(new Simulator(1, new RandomScheduler(1), EnumSet.allOf(Weakness.class))).withLocalReads();

    @Override
    protected Fabric fabric() {
        return fabric;
    }

    /**
     * Each word of a transfer is a step of its own, and what goes wrong there now and then is looked for by litmus
     * tests.
     */
    @Override
    public int repetitions(int usually) {
        return usually / 10;
    }

    /** Megabytes are nothing else here than kilobytes: steps, one for each word. */
    @Override
    @ParameterizedTest
    @ValueSource(ints = {8, 16, 64, 120, 128, 136, 4096, 1 << 16})
    public void writtenBytesAreReadBackAndTheirNeighboursAreUnchanged(int bytes) {
        super.writtenBytesAreReadBackAndTheirNeighboursAreUnchanged(bytes);
    }

    @Override
    public OtherNodes otherNodes() {
        return new NodesInThisProcess(fabric);
    }

    @Override
    public void runOneThread(int operations, ComputeNode.Body body) throws Exception {
        ClusterConfig config = oneThread(SimulatedCluster.small(2), operations).build();
        new SimulatedCluster(config, Schedule.random(1)).run(body);
    }
}
