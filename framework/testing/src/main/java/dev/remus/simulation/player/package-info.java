// SPDX-License-Identifier: Apache-2.0
/**
 * The player: a page that shows a run in the simulator, step by step. {@link Recording} collects the events of the run,
 * and {@link PlayerPage} makes the page of them, in one file.
 *
 * <p>Depends on {@code dev.remus.fabric.sim}, {@code .record} and {@code .memory}.
 */
@NullMarked
package dev.remus.simulation.player;

import org.jspecify.annotations.NullMarked;
