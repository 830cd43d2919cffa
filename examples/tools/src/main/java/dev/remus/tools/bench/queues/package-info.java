// SPDX-License-Identifier: Apache-2.0
/**
 * The suites {@code bench queues}, {@code bench ring} and {@code bench many-to-many}: compare the buffered queues
 * between two processes with a ring buffer for processes on one machine, the buffered queue in one thread with the same
 * in C, and the scalable queue with a queue on the heap, each in the same run.
 *
 * <p>Depends on the framework, the structures, {@code dev.remus.cli.cluster}, {@code dev.remus.cli.progress}, {@code
 * dev.remus.tools.bench.suite} and Agrona.
 */
@NullMarked
package dev.remus.tools.bench.queues;

import org.jspecify.annotations.NullMarked;
