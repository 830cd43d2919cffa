// SPDX-License-Identifier: Apache-2.0
/**
 * Measures in the simulator how crashed or paused threads affect the others, and compares the result with the promises
 * of each structure's methods ({@code ./remus check --progress}).
 *
 * <p>Depends on the structures, on the framework's simulation and on {@code dev.remus.cli.cluster}.
 */
@NullMarked
package dev.remus.tools.liveness;

import org.jspecify.annotations.NullMarked;
