/**
 * {@code bench transfers}: how long a transfer takes by its size, and how many bytes a second go through with several
 * outstanding. After the test of latency and bandwidth of the C++ Remus.
 *
 * <p>Depends on the framework, {@code dev.remus.tools.bench.suite}, {@code .cluster} and {@code .plot}.
 */
@NullMarked
package dev.remus.tools.bench.transfers;

import org.jspecify.annotations.NullMarked;
