// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code sim} fabric: a deterministic simulator. All nodes of a cluster run in one JVM, and only one thread runs at
 * a time. When it waits, a {@link dev.remus.fabric.sim.Scheduler} picks the thread or lane that goes on. Memory behaves
 * as weakly as the fabric contract allows ({@link dev.remus.fabric.sim.Weakness}). Everything derives from one seed, so
 * every failure can be reproduced.
 *
 * <pre>{@code
 * Simulator simulator = new Simulator(seed, new RandomScheduler(seed), EnumSet.allOf(Weakness.class));
 * simulator.run(() -> { ... start nodes over new SimFabric(simulator), run threads ... });
 * }</pre>
 *
 * <p>On request, {@link dev.remus.fabric.sim.Fault faults} happen too, drawn from the seed or ordered for a given
 * moment ({@link dev.remus.fabric.sim.Strike}). The schedulers are {@link dev.remus.fabric.sim.RandomScheduler}, {@link
 * dev.remus.fabric.sim.PctScheduler} and, for small scenarios, {@link dev.remus.fabric.sim.ExhaustiveSearch}.
 *
 * <p>Depends on {@code dev.remus.fabric} and {@code dev.remus.config}. Apart from simulations, other packages use it
 * only through the fabric contract.
 */
@NullMarked
package dev.remus.fabric.sim;

import org.jspecify.annotations.NullMarked;
