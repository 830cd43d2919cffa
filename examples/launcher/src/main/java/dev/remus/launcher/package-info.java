// SPDX-License-Identifier: Apache-2.0
/**
 * The entry point of all commands of {@code ./remus}: {@link dev.remus.launcher.Main} runs the command that the first
 * argument names.
 */
@NullMarked
package dev.remus.launcher;

import org.jspecify.annotations.NullMarked;
