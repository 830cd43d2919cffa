/**
 * Charts of the results of many runs: {@link dev.remus.tools.plot.RunTable} gathers them into one CSV, and {@link
 * dev.remus.tools.plot.Picture} draws two of its columns. The package is independent of the programs that wrote the
 * results: each writes a {@code metrics.json}.
 *
 * <p>Depends on {@code dev.remus.options} and {@code dev.remus.cli.cluster}.
 */
@NullMarked
package dev.remus.tools.plot;

import org.jspecify.annotations.NullMarked;
