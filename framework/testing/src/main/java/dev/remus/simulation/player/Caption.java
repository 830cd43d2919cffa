// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.player;

/**
 * The texts at the top of a page.
 *
 * @param title what was run
 * @param replay how the reader can run it again
 * @param failure why it is wrong; empty if it is not
 */
public record Caption(String title, String replay, String failure) {}
