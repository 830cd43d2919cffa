// SPDX-License-Identifier: Apache-2.0
/**
 * Common parts of all benchmark suites: the run of a command line, a cluster in this process, the machine's
 * description, and the results as JSON.
 *
 * <p>Depends on the framework, {@code dev.remus.cli.cluster}, {@code .json} and {@code .plot}.
 */
@NullMarked
package dev.remus.tools.bench.suite;

import org.jspecify.annotations.NullMarked;
