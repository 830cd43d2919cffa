// SPDX-License-Identifier: Apache-2.0
/**
 * The experiment of the lock-free queue's paper: figures 4 and 5 of A. Burachenko, A. Paznikov, D. Derzhavin, doi
 * 10.17223/19988605/62/2.
 *
 * <p>Depends on {@code dev.remus.tools.reproduce.experiment}, {@code .testbed}, {@code .queue}, {@code .plot}, {@code
 * .harness} and on the simulator.
 */
@NullMarked
package dev.remus.tools.reproduce.lockfree;

import org.jspecify.annotations.NullMarked;
