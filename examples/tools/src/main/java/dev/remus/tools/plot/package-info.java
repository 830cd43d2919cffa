// SPDX-License-Identifier: Apache-2.0
/**
 * Figures for papers and pages: {@link dev.remus.tools.plot.Figure} draws series of points as SVG, PDF and PNG. {@link
 * dev.remus.tools.plot.RunTable} gathers the results of many runs into one CSV, and {@link
 * dev.remus.tools.plot.TableFigure} makes the figure of two of its columns. The package is independent of the programs
 * that wrote the results: each writes a {@code metrics.json}, and a
 * {@code provenance.json}.
 *
 * <p>Depends on {@code dev.remus.options}, {@code dev.remus.cli.cluster} and {@code dev.remus.tools.results}.
 */
@NullMarked
package dev.remus.tools.plot;

import org.jspecify.annotations.NullMarked;
