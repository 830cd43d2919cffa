/**
 * Experiments with sets of integers, for anybody's {@link dev.remus.structures.IntSet}: {@link
 * dev.remus.tools.harness.IntSetExperiment} is the experiment, {@link dev.remus.tools.harness.IntSetWorkload} says what
 * it does, {@link dev.remus.tools.harness.IntSetOptions} reads that from a command line, and {@link
 * dev.remus.tools.harness.IntSetResult} is what came out.
 *
 * <pre>{@code
 * IntSetExperiment test = new IntSetExperiment(IntSetFactory.of("MySet", MySet::create, MySet::new), IntSetWorkload.defaults());
 * try (ComputeNode node = ComputeNode.connect(config, nodeId)) {
 *     node.runThreads(ct -> test.run(ct).ifPresent(result -> System.out.print(new ResultTable(result))));
 * }
 * }</pre>
 *
 * <p>{@link dev.remus.tools.harness.HeapBaseline} does the same on a list on the Java heap, for comparison.
 *
 * <p>Depends on the framework, on the structures' interfaces, on {@code dev.remus.tools.json}, {@code .latency} and
 * {@code .progress}.
 */
@NullMarked
package dev.remus.tools.harness;

import org.jspecify.annotations.NullMarked;
