// SPDX-License-Identifier: Apache-2.0
/**
 * The programs of page 6 of the tutorial, {@code tutorial/6-making-it-fast.md}, and the solution of its exercise: a
 * structure that takes fewer round trips.
 */
@NullMarked
package dev.remus.tutorial.page6;

import org.jspecify.annotations.NullMarked;
