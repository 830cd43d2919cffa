// SPDX-License-Identifier: Apache-2.0
/**
 * The programs of page 9 of the tutorial, {@code tutorial/9-on-a-cluster.md}, and the solution of its exercise: how
 * long a round trip takes, on a cluster or elsewhere.
 */
@NullMarked
package dev.remus.tutorial.page9;

import org.jspecify.annotations.NullMarked;
