// SPDX-License-Identifier: Apache-2.0
/**
 * Experiments with sets of integers, for any {@link dev.remus.structures.RemoteLongSet}: {@link
 * dev.remus.tools.harness.IntSetExperiment} is the experiment, {@link dev.remus.tools.harness.IntSetWorkload} describes
 * its workload, {@link dev.remus.tools.harness.IntSetOptions} reads the workload from a command line, and {@link
 * dev.remus.tools.harness.IntSetResult} is its result.
 *
 * <pre>{@code
 * IntSetFactory factory = IntSetFactory.of("MySet", MySet::create, MySet::new);
 * IntSetExperiment experiment = new IntSetExperiment(factory, IntSetWorkload.defaults());
 * try (ComputeNode node = ComputeNode.connect(config, nodeId)) {
 *     node.runThreads(ct -> experiment.run(ct).ifPresent(result -> System.out.print(new ResultTable(result))));
 * }
 * }</pre>
 *
 * <p>{@link dev.remus.tools.harness.HeapBaseline} repeats the workload on a list on the Java heap, for comparison.
 *
 * <p>Depends on the framework, on the structures' interfaces, on {@code dev.remus.tools.json}, {@code .latency} and
 * {@code .progress}.
 */
@NullMarked
package dev.remus.tools.harness;

import org.jspecify.annotations.NullMarked;
