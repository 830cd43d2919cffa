package dev.remus.fabric.sim;

import dev.remus.fabric.Fabric;
import dev.remus.fabric.FabricConformance;
import dev.remus.fabric.NodesInThisProcess;
import dev.remus.fabric.OtherNodes;
import java.util.EnumSet;

/** The simulated fabric keeps the contract, with everything on that the contract allows. */
class SimFabricTest extends FabricConformance {
    private final Fabric fabric =
            new SimFabric(new Simulator(1, new RandomScheduler(1), EnumSet.allOf(Weakness.class))).withLocalReads();

    @Override
    protected Fabric fabric() {
        return fabric;
    }

    /** Each word of a transfer is a step of its own, and what goes wrong there now and then is looked for by litmus tests. */
    @Override
    public int repetitions(int usually) {
        return usually / 10;
    }

    @Override
    public OtherNodes otherNodes() {
        return new NodesInThisProcess(fabric);
    }
}
