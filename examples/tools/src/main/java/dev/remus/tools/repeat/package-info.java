// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code repeat}: {@link dev.remus.tools.repeat.RepeatCommand} runs the command of a folder of results
 * again, and {@link dev.remus.tools.repeat.SideBySide} prints the figures of both.
 *
 * <p>A folder may come from somebody else, so its {@code provenance.json} is only data: its words become the arguments
 * of a command that measures, in this process and without a shell.
 */
@NullMarked
package dev.remus.tools.repeat;

import org.jspecify.annotations.NullMarked;
