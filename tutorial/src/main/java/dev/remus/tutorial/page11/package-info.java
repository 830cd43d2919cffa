// SPDX-License-Identifier: Apache-2.0
/**
 * The programs of page 11 of the tutorial, {@code tutorial/11-memory-that-comes-back.md}: the list of page 5 in the
 * simulator, while the memory of its nodes is used again, and the solution of the exercise.
 */
@NullMarked
package dev.remus.tutorial.page11;

import org.jspecify.annotations.NullMarked;
