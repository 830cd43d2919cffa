// SPDX-License-Identifier: Apache-2.0
/**
 * The suite {@code bench overlap}: how many operations one processor completes when many Compute Threads wait at once.
 *
 * <p>Depends on {@code dev.remus.structures}, {@code dev.remus.tools.bench.suite}, {@code dev.remus.tools.plot} and the
 * packages below them.
 */
@NullMarked
package dev.remus.tools.bench.overlap;

import org.jspecify.annotations.NullMarked;
