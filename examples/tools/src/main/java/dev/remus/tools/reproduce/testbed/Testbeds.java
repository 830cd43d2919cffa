package dev.remus.tools.reproduce.testbed;

import dev.remus.fabric.sim.CostModel;
import dev.remus.tools.reproduce.experiment.ExperimentOptions.Where;

/** Makes the {@link Testbed} of a fabric. */
public final class Testbeds {
    private Testbeds() {}

    /**
     * The testbed of a fabric.
     *
     * @param model the cost of operations on sim
     */
    public static Testbed of(Where fabric, CostModel model) {
        return fabric == Where.SIM ? new SimulatedTestbed(model) : new OneProcessTestbed(fabric.toString());
    }
}
