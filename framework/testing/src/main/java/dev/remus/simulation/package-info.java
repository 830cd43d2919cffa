// SPDX-License-Identifier: Apache-2.0
/**
 * Runs whole clusters in the simulator. A {@link dev.remus.simulation.SimulatedCluster} runs the unchanged nodes of a
 * configuration over the {@code sim} fabric, in one {@link dev.remus.simulation.Schedule}. A {@link
 * dev.remus.simulation.Scenario} is the program to run and check, and a {@link dev.remus.simulation.Finding} is a
 * schedule in which it failed.
 *
 * <p>Depends on {@code dev.remus.node}, {@code dev.remus.check} and {@code dev.remus.fabric.sim}; of this module, only
 * {@code dev.remus.junit} depends on it.
 */
@NullMarked
package dev.remus.simulation;

import org.jspecify.annotations.NullMarked;
