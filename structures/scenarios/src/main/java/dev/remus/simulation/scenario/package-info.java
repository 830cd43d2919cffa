/**
 * What the framework itself promises, as scenarios for the simulator: the control barrier, allocation, reclamation and
 * locks. Each draws its cluster from the seed (policies, lanes, sizes), works on it with a few threads, and compares what
 * happens with books that it keeps on the Java heap.
 *
 * <p>A scenario takes what it tests as a value, so that tests can put a known mistake in its place and see it found.
 *
 * <p>Depends on {@code dev.remus.simulation} and what that depends on, and on {@code dev.remus.memory} and {@code
 * dev.remus.lock}.
 */
@NullMarked
package dev.remus.simulation.scenario;

import org.jspecify.annotations.NullMarked;
