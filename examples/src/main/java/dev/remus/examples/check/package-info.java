/**
 * Looks for bugs in the simulator by command line: many schedules of a small scenario, each checked, and a failing one
 * shown and replayed from its seed. A new scenario is one entry in {@code NamedScenario}.
 *
 * <p>Depends on the structures with their specifications and on the framework's simulation.
 */
package dev.remus.examples.check;
