// SPDX-License-Identifier: Apache-2.0
/**
 * Sequential specifications of sets, maps and FIFO queues, and simulator scenarios that check the structures against
 * them. The checkers of {@link dev.remus.check} judge histories by the specifications, which fit any set, map and FIFO
 * queue.
 * In the scenarios many threads use the structures of this project in the simulator.
 *
 * <p>The specifications depend on {@code dev.remus.check} only, the scenarios also on the structures and on {@code
 * dev.remus.simulation}.
 */
@NullMarked
package dev.remus.structures.spec;

import org.jspecify.annotations.NullMarked;
