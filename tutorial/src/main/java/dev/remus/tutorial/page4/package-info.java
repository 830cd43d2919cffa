// SPDX-License-Identifier: Apache-2.0
/**
 * The programs of page 4 of the tutorial, {@code tutorial/4-memory.md}, and the solution of its exercise: allocating
 * and accessing memory.
 */
@NullMarked
package dev.remus.tutorial.page4;

import org.jspecify.annotations.NullMarked;
