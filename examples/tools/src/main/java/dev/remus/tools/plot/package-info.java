/**
 * From the results of many runs to pictures: {@link dev.remus.tools.plot.RunTable} gathers them into one CSV, and
 * {@link dev.remus.tools.plot.Picture} draws two of its columns. Knows nothing of the programs that left the results
 * but that each wrote a {@code metrics.json}.
 *
 * <p>Depends on {@code dev.remus.options} and {@code dev.remus.cli.cluster}.
 */
@NullMarked
package dev.remus.tools.plot;

import org.jspecify.annotations.NullMarked;
