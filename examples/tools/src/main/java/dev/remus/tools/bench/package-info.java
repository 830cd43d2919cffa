// SPDX-License-Identifier: Apache-2.0
/**
 * Benchmarks of the framework's speed: with JMH, each operation is compared with the equivalent processor instruction
 * in the same run and on the same memory, so that results are ratios that depend little on the machine.
 *
 * <p>{@link dev.remus.tools.bench.BenchCommand} is the command. It runs each JMH benchmark in its own JVM, on several
 * releases of Java, and compares the results with targets.
 *
 * <p>Depends on the framework, the structures, {@code dev.remus.cli.cluster}, {@code dev.remus.tools.json}, {@code
 * .progress}, {@code dev.remus.tools.queue}, its own subpackages and JMH. The lock-free queue is measured without JMH,
 * in this process. Other suites without JMH are in subpackages.
 */
@NullMarked
package dev.remus.tools.bench;

import org.jspecify.annotations.NullMarked;
