// SPDX-License-Identifier: Apache-2.0
/**
 * The programs of page 14 of the tutorial, {@code tutorial/14-hiding-latency.md}, and the solution of its exercise:
 * several operations in flight, batches, and reading ahead, timed on modelled hardware.
 */
@NullMarked
package dev.remus.tutorial.page14;

import org.jspecify.annotations.NullMarked;
