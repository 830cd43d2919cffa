/**
 * {@link dev.remus.tools.newproject.NewCommand} makes a Maven project for a structure of one's own. Its files are
 * templates among the resources of this package, in which a name in capitals between two signs "at" is replaced.
 *
 * <p>Depends on {@code dev.remus.options} and {@code dev.remus.cli.cluster}.
 */
@NullMarked
package dev.remus.tools.newproject;

import org.jspecify.annotations.NullMarked;
