/**
 * For tests of structures with JUnit 5: {@link dev.remus.junit.SimulationTest} runs a test method in many simulated
 * schedules. Needs {@code junit-jupiter} on the class path of the tests, which the framework does not bring along.
 *
 * <p>Depends on {@code dev.remus.simulation}, {@code dev.remus.fabric.sim} and JUnit; nothing depends on it.
 */
@NullMarked
package dev.remus.junit;

import org.jspecify.annotations.NullMarked;
