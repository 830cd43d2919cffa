/**
 * The experiment with queues: {@link dev.remus.tools.queue.QueueExperiment} is the experiment, {@link
 * dev.remus.tools.queue.QueueWorkload} says what it does, {@link dev.remus.tools.queue.QueueOptions} reads that from
 * a command line, {@link dev.remus.tools.queue.QueueTestResult} is what came out, and {@link
 * dev.remus.tools.queue.QueueSweep} repeats it with more and more threads.
 *
 * <p>Source: the experiment of A. Burachenko, A. Paznikov, D. Derzhavin, doi 10.17223/19988605/62/2.
 *
 * <p>Depends on the framework, on the structures, on {@code dev.remus.cli.cluster}, {@code .harness}, {@code .json}, {@code
 * .latency}, {@code .plot}, {@code .progress} and {@code .report}.
 */
@NullMarked
package dev.remus.tools.queue;

import org.jspecify.annotations.NullMarked;
