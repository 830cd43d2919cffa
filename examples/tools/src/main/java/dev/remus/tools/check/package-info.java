/**
 * Looks for bugs in the simulator by command line: many schedules of a small scenario, each checked, and a failing one
 * shown and replayed from its seed.
 *
 * <p>Depends on {@code dev.remus.tools.scenarios}, on {@code dev.remus.tools.mutants} and {@code
 * dev.remus.tools.liveness}, which check the checks, on {@code dev.remus.cli.cluster},
 * {@code .json} and {@code .progress}, and on the framework's simulation.
 */
@NullMarked
package dev.remus.tools.check;

import org.jspecify.annotations.NullMarked;
