// SPDX-License-Identifier: Apache-2.0
/**
 * {@code ./remus doctor}: lists what a machine lacks to run a fabric, and the commands that fix it.
 *
 * <p>Each {@link dev.remus.tools.doctor.Check} examines one property through {@link
 * dev.remus.tools.doctor.ExaminedMachine}, which reads the kernel's files under a root folder; tests use another root.
 * Depends on {@code dev.remus.options}, on {@code dev.remus.cli.cluster} and {@code .json}, on {@code
 * dev.remus.tools.litmus} for {@code --litmus}, and on {@code dev.remus.fabric.verbs} to load its native half.
 */
@NullMarked
package dev.remus.tools.doctor;

import org.jspecify.annotations.NullMarked;
