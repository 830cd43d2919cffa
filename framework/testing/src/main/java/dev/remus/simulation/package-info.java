/**
 * Whole clusters in the simulator: {@link dev.remus.simulation.SimulatedCluster} runs the nodes of a configuration, as they
 * are, over the {@code sim} fabric, in one {@link dev.remus.simulation.Schedule}; a {@link dev.remus.simulation.Scenario}
 * says what is done there and what must come of it, and a {@link dev.remus.simulation.Finding} where it did not.
 *
 * <p>Depends on {@code dev.remus.node}, {@code dev.remus.check} and {@code dev.remus.fabric.sim}; in the framework, only
 * its scenarios and {@code dev.remus.junit} depend on it.
 */
@NullMarked
package dev.remus.simulation;

import org.jspecify.annotations.NullMarked;
