/**
 * The scenarios that can be run by name, each with its usual size. A new one is one entry in {@link
 * dev.remus.tools.scenarios.NamedScenario}.
 *
 * <p>Depends on the structures with their specifications and on the framework's simulation.
 */
@NullMarked
package dev.remus.tools.scenarios;

import org.jspecify.annotations.NullMarked;
