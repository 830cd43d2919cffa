/**
 * What all suites of measurements share: how one is run by command line, a cluster in this process, what it was measured on,
 * and the results as JSON.
 *
 * <p>Depends on the framework, {@code dev.remus.cli.cluster}, {@code .json} and {@code .plot}.
 */
@NullMarked
package dev.remus.tools.bench.suite;

import org.jspecify.annotations.NullMarked;
