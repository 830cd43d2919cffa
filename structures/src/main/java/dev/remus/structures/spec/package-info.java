/**
 * What the structures do when one thread uses them: the sequential specifications against which the checkers of
 * {@link dev.remus.check} judge what many threads saw. They fit any set and any FIFO queue, not only those in this software.
 *
 * <p>Depends on {@code dev.remus.check} only.
 */
@NullMarked
package dev.remus.structures.spec;

import org.jspecify.annotations.NullMarked;
