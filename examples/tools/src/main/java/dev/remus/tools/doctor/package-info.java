/**
 * {@code ./remus doctor}: what a machine lacks to run a fabric, and the command that mends it.
 *
 * <p>Each {@link dev.remus.tools.doctor.Check} looks at one thing through {@link dev.remus.tools.doctor.ExaminedMachine}, which
 * reads the kernel's files under a root folder; tests give it another root. Depends on {@code dev.remus.options}, on {@code
 * dev.remus.cli.cluster} and {@code .json}, on {@code dev.remus.tools.litmus} for what {@code --litmus} measures and, for the question whether its native half can be loaded,
 * on {@code dev.remus.fabric.verbs}.
 */
@NullMarked
package dev.remus.tools.doctor;

import org.jspecify.annotations.NullMarked;
