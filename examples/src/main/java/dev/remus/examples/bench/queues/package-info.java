/**
 * The speed of the buffered queues between two processes, beside that of a ring buffer made for processes on one machine, in
 * the same run.
 *
 * <p>Depends on the framework, the structures, {@code dev.remus.examples.cluster}, {@code
 * dev.remus.examples.progress}, {@code dev.remus.examples.bench.suite} and Agrona.
 */
@NullMarked
package dev.remus.examples.bench.queues;

import org.jspecify.annotations.NullMarked;
