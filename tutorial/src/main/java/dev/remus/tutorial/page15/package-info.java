// SPDX-License-Identifier: Apache-2.0
/**
 * The programs of page 15 of the tutorial, {@code tutorial/15-real-runs-judged.md}, and the solution of its exercise:
 * harnesses that record the operations of real threads, and judge them.
 */
@NullMarked
package dev.remus.tutorial.page15;

import org.jspecify.annotations.NullMarked;
