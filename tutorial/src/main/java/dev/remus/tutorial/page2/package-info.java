// SPDX-License-Identifier: Apache-2.0
/**
 * The programs of page 2 of the tutorial, {@code tutorial/2-building-and-running.md}, and the solution of its exercise:
 * options.
 */
@NullMarked
package dev.remus.tutorial.page2;

import org.jspecify.annotations.NullMarked;
