/**
 * What the structures do when one thread uses them: the sequential specifications against which the checkers of
 * {@link dev.remus.check} judge what many threads saw. They fit any set and any FIFO queue, not only those in this software.
 * And the scenarios in which many threads use the structures of this software in the simulator, each judged by its
 * specification.
 *
 * <p>The specifications depend on {@code dev.remus.check} only, the scenarios also on the structures and on {@code
 * dev.remus.simulation}.
 */
@NullMarked
package dev.remus.structures.spec;

import org.jspecify.annotations.NullMarked;
