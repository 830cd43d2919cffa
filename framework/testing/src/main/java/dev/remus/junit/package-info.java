// SPDX-License-Identifier: Apache-2.0
/**
 * Tests structures with JUnit 5: {@link dev.remus.junit.SimulationTest} runs a test method in many schedules of the
 * simulator, {@link dev.remus.junit.LocalCluster} on a real cluster of threads or processes on this machine. The tests
 * need {@code junit-jupiter} on their class path; the framework does not depend on it.
 *
 * <p>Depends on {@code dev.remus.simulation}, {@code dev.remus.fabric.sim}, {@code dev.remus.local} and JUnit; nothing
 * depends on it.
 */
@NullMarked
package dev.remus.junit;

import org.jspecify.annotations.NullMarked;
