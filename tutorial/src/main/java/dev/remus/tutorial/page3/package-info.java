// SPDX-License-Identifier: Apache-2.0
/**
 * The programs of page 3 of the tutorial, {@code tutorial/3-connecting-nodes.md}, and the solution of its exercise: the
 * nodes of a cluster.
 */
@NullMarked
package dev.remus.tutorial.page3;

import org.jspecify.annotations.NullMarked;
