/**
 * Looks for bugs in the simulator by command line: many schedules of a small scenario, each checked, and a failing one
 * shown and replayed from its seed.
 *
 * <p>Depends on {@code dev.remus.examples.scenarios}, on {@code dev.remus.examples.mutants} and {@code
 * dev.remus.examples.liveness}, which check the checks, on {@code dev.remus.examples.cluster},
 * {@code .json} and {@code .progress}, and on the framework's simulation.
 */
@NullMarked
package dev.remus.examples.check;

import org.jspecify.annotations.NullMarked;
