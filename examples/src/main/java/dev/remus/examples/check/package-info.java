/**
 * Looks for bugs in the simulator by command line: many schedules of a small scenario, each checked, and a failing one
 * shown and replayed from its seed.
 *
 * <p>Depends on the structures with their specifications and on the framework's simulation.
 */
package dev.remus.examples.check;
