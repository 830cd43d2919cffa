// SPDX-License-Identifier: Apache-2.0
/**
 * Progress of experiments. Worker threads count it, at the cost of one plain store per operation, and a separate thread
 * reads it a few times a second. One process shows it to the user ({@link dev.remus.cli.progress.ProgressView}); a node
 * with a parent process passes it on as lines.
 *
 * <p>Depends on no other package of this project.
 */
@NullMarked
package dev.remus.cli.progress;

import org.jspecify.annotations.NullMarked;
