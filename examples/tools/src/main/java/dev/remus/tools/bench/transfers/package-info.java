// SPDX-License-Identifier: Apache-2.0
/**
 * The suite {@code bench transfers}: latency of transfers by size, and bandwidth with several outstanding. It follows
 * the latency and bandwidth test of the C++ Remus.
 *
 * <p>Depends on the framework, {@code dev.remus.tools.bench.suite}, {@code .cluster} and {@code .plot}.
 */
@NullMarked
package dev.remus.tools.bench.transfers;

import org.jspecify.annotations.NullMarked;
