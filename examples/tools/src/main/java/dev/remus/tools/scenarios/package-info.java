// SPDX-License-Identifier: Apache-2.0
/**
 * The catalogue of scenarios that can be run by name, with their default sizes. To add one, add an entry to {@link
 * dev.remus.tools.scenarios.NamedScenario}.
 *
 * <p>Depends on the structures with their specifications and on the framework's simulation.
 */
@NullMarked
package dev.remus.tools.scenarios;

import org.jspecify.annotations.NullMarked;
