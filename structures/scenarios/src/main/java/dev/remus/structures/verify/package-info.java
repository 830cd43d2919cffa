// SPDX-License-Identifier: Apache-2.0
/**
 * Judges of recorded runs of real threads, for sets, for counters, and for maps and queues of different values. They
 * take time that grows with the length of a run, apart from sorting, whatever the number of threads; the checkers of
 * {@code dev.remus.check} fit any object, but take the longer the more operations overlap. Both give the same verdicts.
 *
 * <p>Depends on {@code dev.remus.verify}, {@code dev.remus.check} and {@code dev.remus.structures.spec}.
 */
@NullMarked
package dev.remus.structures.verify;

import org.jspecify.annotations.NullMarked;
