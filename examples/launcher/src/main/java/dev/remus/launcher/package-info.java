/**
 * All commands of {@code ./remus} behind one door: {@link dev.remus.launcher.Main} runs the one that the first word of the
 * command line names.
 */
@NullMarked
package dev.remus.launcher;

import org.jspecify.annotations.NullMarked;
