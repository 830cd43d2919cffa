/**
 * What all suites of measurements share: how one is run by command line, what it was measured on, and its results as JSON.
 *
 * <p>Depends on the framework, {@code dev.remus.examples.cluster} and {@code dev.remus.examples.plot}.
 */
package dev.remus.examples.bench.suite;
