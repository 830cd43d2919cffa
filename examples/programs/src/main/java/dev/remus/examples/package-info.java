/**
 * The programs: {@link dev.remus.launcher.Main} runs one of them by its name. {@code IntSetProgram} is
 * the experiment with sets of integers, {@code HelloProgram} and {@code
 * SharedObjectProgram} are the first steps of the tutorial.
 *
 * <p>What others may want to import is in {@code dev.remus.tools.harness} and {@code dev.remus.cli.cluster}.
 *
 * <p>Depends on all other packages of the examples; none of them depends on it.
 */
@NullMarked
package dev.remus.examples;

import org.jspecify.annotations.NullMarked;
