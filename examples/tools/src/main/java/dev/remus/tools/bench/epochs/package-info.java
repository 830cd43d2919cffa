// SPDX-License-Identifier: Apache-2.0
/**
 * The suite {@code bench epochs}: how often the epoch of {@code --reclaim epochs} moves on in simulated clusters of any
 * size, and what that costs.
 */
@NullMarked
package dev.remus.tools.bench.epochs;

import org.jspecify.annotations.NullMarked;
