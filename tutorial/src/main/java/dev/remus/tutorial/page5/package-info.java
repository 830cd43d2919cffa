// SPDX-License-Identifier: Apache-2.0
/**
 * The programs of page 5 of the tutorial, {@code tutorial/5-a-data-structure.md}, and the solution of its exercise: a
 * concurrent data structure, and a harness that measures it.
 */
@NullMarked
package dev.remus.tutorial.page5;

import org.jspecify.annotations.NullMarked;
