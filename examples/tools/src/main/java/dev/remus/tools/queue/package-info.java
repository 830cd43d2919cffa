// SPDX-License-Identifier: Apache-2.0
/**
 * Experiments with queues: {@link dev.remus.tools.queue.QueueExperiment} is the experiment, {@link
 * dev.remus.tools.queue.QueueWorkload} describes its workload, {@link dev.remus.tools.queue.QueueOptions} reads the
 * workload from a command line, {@link dev.remus.tools.queue.QueueRunResult} is its result, and {@link
 * dev.remus.tools.queue.QueueSweep} repeats it for several queues and numbers of threads.
 *
 * <p>Source: the experiment of A. Burachenko, A. Paznikov, D. Derzhavin, doi 10.17223/19988605/62/2.
 *
 * <p>Depends on the framework, on the structures, on {@code dev.remus.cli.cluster}, {@code .harness}, {@code .json},
 * {@code .latency}, {@code .plot}, {@code .progress} and {@code .report}.
 */
@NullMarked
package dev.remus.tools.queue;

import org.jspecify.annotations.NullMarked;
