// SPDX-License-Identifier: Apache-2.0
/**
 * The programs of page 10 of the tutorial, {@code tutorial/10-your-own-structure.md}, and the solution of its exercise:
 * a double-ended queue, from its specification to its measurement.
 */
@NullMarked
package dev.remus.tutorial.page10;

import org.jspecify.annotations.NullMarked;
