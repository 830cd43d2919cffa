// SPDX-License-Identifier: Apache-2.0
/**
 * Scenarios that check the promises of the framework itself in the simulator: control barrier, allocation, reclamation,
 * locks, asynchronous operations, sequences, lanes that break, caches and versioned records. Each draws its cluster
 * from the seed (policies, lanes, sizes), works on it with a few threads, and compares the results with a record that
 * it keeps on the Java heap.
 *
 * <p>A scenario takes the code under test as a value, so that tests can pass a flawed one and check that it is found.
 *
 * <p>Depends on {@code dev.remus.simulation} and its dependencies, and on {@code dev.remus.memory}, {@code
 * dev.remus.lock} and {@code dev.remus.record}.
 */
@NullMarked
package dev.remus.simulation.scenario;

import org.jspecify.annotations.NullMarked;
