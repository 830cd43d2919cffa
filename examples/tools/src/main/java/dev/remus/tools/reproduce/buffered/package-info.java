// SPDX-License-Identifier: Apache-2.0
/**
 * The experiment {@code reproduce buffered-queue}: what the specification of the buffered queue promises, as figures.
 * {@link dev.remus.tools.reproduce.buffered.BufferedQueueFigures} is the experiment; each of its runs is a {@code
 * BufferedTrial}.
 *
 * <p>Depends on the framework, on the structures, and on {@code dev.remus.tools.harness}, {@code .latency}, {@code
 * .plot}, {@code .queue} and {@code .reproduce}.
 */
@NullMarked
package dev.remus.tools.reproduce.buffered;

import org.jspecify.annotations.NullMarked;
