// SPDX-License-Identifier: Apache-2.0
/**
 * The programs of page 12 of the tutorial, {@code tutorial/12-a-map-that-grows.md}: a hash map of fixed size
 * and one that grows, a check of both, and a count of their round trips.
 */
@NullMarked
package dev.remus.tutorial.page12;

import org.jspecify.annotations.NullMarked;
