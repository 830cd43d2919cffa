// SPDX-License-Identifier: Apache-2.0
/**
 * The programs of page 8 of the tutorial, {@code tutorial/8-a-queue.md}, and the solution of its exercise: a queue.
 */
@NullMarked
package dev.remus.tutorial.page8;

import org.jspecify.annotations.NullMarked;
