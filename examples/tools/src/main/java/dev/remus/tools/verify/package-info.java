// SPDX-License-Identifier: Apache-2.0
/**
 * The option {@code --verify} of programs that run threads on a structure: {@link dev.remus.tools.verify.RunLog}
 * records a thread's operations, and {@link dev.remus.tools.verify.Verification} is the verdict on those of all
 * threads, with its line of output and its files.
 *
 * <p>Depends on {@code dev.remus.verify} and on {@code dev.remus.structures.verify}.
 */
@NullMarked
package dev.remus.tools.verify;

import org.jspecify.annotations.NullMarked;
