/**
 * How far an experiment is: counted by the threads that do the work, at the cost of one plain store per operation, and
 * read by a thread of its own a few times a second. One process shows it to the user ({@link
 * dev.remus.cli.progress.ProgressView}); a node that was started by another process passes it on as lines.
 *
 * <p>Depends on nothing else of this software.
 */
@NullMarked
package dev.remus.cli.progress;

import org.jspecify.annotations.NullMarked;
