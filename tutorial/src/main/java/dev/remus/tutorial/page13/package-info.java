// SPDX-License-Identifier: Apache-2.0
/**
 * The programs of page 13 of the tutorial, {@code tutorial/13-when-a-node-dies.md}: accounts under a lock, whose holder
 * is killed at each of its steps, and the solution of the exercise.
 */
@NullMarked
package dev.remus.tutorial.page13;

import org.jspecify.annotations.NullMarked;
