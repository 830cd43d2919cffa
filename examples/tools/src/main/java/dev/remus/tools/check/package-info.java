// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code check} command: runs many schedules of small scenarios in the simulator, checks each, and replays a
 * failing one from its seed.
 *
 * <p>Depends on {@code dev.remus.tools.scenarios}, on {@code dev.remus.tools.mutants} and {@code
 * dev.remus.tools.liveness}, which test the checks and the promises, on {@code dev.remus.cli.cluster}, {@code .json}
 * and {@code .progress}, and on the framework's simulation.
 */
@NullMarked
package dev.remus.tools.check;

import org.jspecify.annotations.NullMarked;
