// SPDX-License-Identifier: Apache-2.0
/**
 * The suite {@code bench round-trips}: compares the tutorial's lazy list with the fast one, without and with its cache,
 * and with the lock-free one, by round trips of each operation and by operations per second. The list on the Java heap
 * comes from {@code dev.remus.tools.harness}.
 *
 * <p>Depends on the framework, the structures, {@code dev.remus.tools.bench.suite}, {@code .cluster}, {@code .harness},
 * {@code .plot} and {@code .progress}.
 */
@NullMarked
package dev.remus.tools.bench.lists;

import org.jspecify.annotations.NullMarked;
