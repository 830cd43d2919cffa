/**
 * The {@code sim} fabric: a deterministic simulator. All nodes of a cluster live in one JVM; only one thread runs at a
 * time; when it waits, a {@link dev.remus.fabric.sim.Scheduler} decides which thread or which lane goes on. Memory
 * behaves as weakly as the fabric contract allows ({@link dev.remus.fabric.sim.Weakness}). Everything derives from one
 * seed, so that what went wrong once goes wrong again.
 *
 * <pre>{@code
 * Simulator simulator = new Simulator(seed, new RandomScheduler(seed), EnumSet.allOf(Weakness.class));
 * simulator.run(() -> { ... start nodes over new SimFabric(simulator), run threads ... });
 * }</pre>
 *
 * <p>What goes wrong on top of that, if it is asked for, are {@link dev.remus.fabric.sim.Fault faults}, drawn from the
 * seed or ordered for a moment ({@link dev.remus.fabric.sim.Strike}). Schedulers are {@link
 * dev.remus.fabric.sim.RandomScheduler}, {@link dev.remus.fabric.sim.PctScheduler} and, for small scenarios, {@link
 * dev.remus.fabric.sim.ExhaustiveSearch}.
 *
 * <p>Depends on {@code dev.remus.fabric} and {@code dev.remus.config}. Apart from simulations, other packages use it
 * only through the fabric contract.
 */
@NullMarked
package dev.remus.fabric.sim;

import org.jspecify.annotations.NullMarked;
