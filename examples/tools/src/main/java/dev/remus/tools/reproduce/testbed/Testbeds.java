// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.testbed;

import dev.remus.fabric.CostModel;
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
        return of(fabric, model, RunLimit.GENEROUS);
    }

    /** The same with another limit of a run. */
    public static Testbed of(Where fabric, CostModel model, RunLimit limit) {
        return fabric == Where.SIM
                ? new SimulatedTestbed(model, limit)
                : new OneProcessTestbed(fabric.toString(), limit);
    }
}
