// SPDX-License-Identifier: Apache-2.0
/**
 * The suite {@code bench recovery}: how long the others wait for a lock whose holder was killed with its process.
 *
 * <p>Depends on the framework, {@code dev.remus.cli.cluster}, {@code dev.remus.cli.progress} and {@code
 * dev.remus.tools.bench.suite}.
 */
@NullMarked
package dev.remus.tools.bench.recovery;

import org.jspecify.annotations.NullMarked;
