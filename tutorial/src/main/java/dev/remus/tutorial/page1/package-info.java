// SPDX-License-Identifier: Apache-2.0
/**
 * The programs of page 1 of the tutorial, {@code tutorial/1-getting-started.md}, and the solution of its exercise: a
 * whole cluster in one process.
 */
@NullMarked
package dev.remus.tutorial.page1;

import org.jspecify.annotations.NullMarked;
