/**
 * Speed, measured with JMH: each operation of the framework beside the processor instruction that it stands for, in the
 * same run and on the same memory, so that the ratio counts and not the machine.
 *
 * <p>{@link dev.remus.tools.bench.BenchCommand} runs them by command line, each in a Java VM of its own and on several
 * releases of Java, and holds what comes out against the targets.
 *
 * <p>Depends on the framework, the structures, {@code dev.remus.cli.cluster}, {@code dev.remus.tools.json}, {@code .progress},
 * {@code dev.remus.tools.queue}, the packages below it and JMH. The lock-free queue is measured without JMH, in this process; other suites without it are packages of their own in this one.
 */
@NullMarked
package dev.remus.tools.bench;

import org.jspecify.annotations.NullMarked;
