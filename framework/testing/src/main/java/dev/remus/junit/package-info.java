/**
 * Tests structures in the simulator with JUnit 5: {@link dev.remus.junit.SimulationTest} runs a test method in many
 * schedules. The tests need {@code junit-jupiter} on their class path; the framework does not depend on it.
 *
 * <p>Depends on {@code dev.remus.simulation}, {@code dev.remus.fabric.sim} and JUnit; nothing depends on it.
 */
@NullMarked
package dev.remus.junit;

import org.jspecify.annotations.NullMarked;
