/**
 * How JSON is written, the same everywhere: to files of results and for programs that read what a command prints.
 *
 * <p>Depends on nothing of this project.
 */
@NullMarked
package dev.remus.tools.json;

import org.jspecify.annotations.NullMarked;
