// SPDX-License-Identifier: Apache-2.0
/**
 * The programs of page 12 of the tutorial, {@code tutorial/12-a-map-that-grows.md}: a hash map that grows, a check of
 * it, and a count of its round trips.
 */
@NullMarked
package dev.remus.tutorial.page12;

import org.jspecify.annotations.NullMarked;
