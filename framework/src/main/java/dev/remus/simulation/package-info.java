/**
 * Whole clusters in the simulator: {@link dev.remus.simulation.SimulatedCluster} runs the nodes of a configuration, as they
 * are, over the {@code sim} fabric.
 *
 * <p>Depends on {@code dev.remus.node} and {@code dev.remus.fabric.sim}; nothing in the framework depends on it.
 */
package dev.remus.simulation;
