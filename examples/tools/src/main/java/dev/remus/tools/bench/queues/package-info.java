/**
 * The suite {@code bench queues}: compares the speed of the buffered queues between two processes with that of a ring
 * buffer for processes on one machine, in the same run.
 *
 * <p>Depends on the framework, the structures, {@code dev.remus.cli.cluster}, {@code dev.remus.cli.progress}, {@code
 * dev.remus.tools.bench.suite} and Agrona.
 */
@NullMarked
package dev.remus.tools.bench.queues;

import org.jspecify.annotations.NullMarked;
