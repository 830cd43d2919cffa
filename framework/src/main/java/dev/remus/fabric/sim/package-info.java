/**
 * The {@code sim} fabric: a deterministic simulator. All nodes of a cluster live in one JVM; only one thread runs at a
 * time; when it waits, a {@link dev.remus.fabric.sim.Scheduler} decides which thread or which lane goes on. Memory behaves
 * as weakly as the fabric contract allows ({@link dev.remus.fabric.sim.Weakness}). Everything derives from one seed, so
 * that what went wrong once goes wrong again.
 *
 * <pre>{@code
 * Simulator simulator = new Simulator(seed, new RandomScheduler(seed), EnumSet.allOf(Weakness.class));
 * simulator.run(() -> { ... start nodes over new SimFabric(simulator), run threads ... });
 * }</pre>
 *
 * <p>Depends on {@code dev.remus.fabric} and {@code dev.remus.config}; nobody depends on it except through the fabric
 * contract, and those who simulate.
 */
package dev.remus.fabric.sim;
