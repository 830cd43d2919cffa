// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

/** Thrown in simulated threads that are still alive when a simulation ends, so that they end too. Not to be caught. */
final class SimulationEnded extends Error {
    private static final long serialVersionUID = 1L;

    SimulationEnded() {
        super("the simulation has ended", null, false, false);
    }
}
