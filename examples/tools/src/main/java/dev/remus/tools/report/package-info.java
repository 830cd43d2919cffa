// SPDX-License-Identifier: Apache-2.0
/**
 * Reports of runs: {@link dev.remus.tools.report.RunReport} completes the folder of a run with CSV files, charts and a
 * page, and {@link dev.remus.tools.report.Comparison} compares several runs on one page. The pages are self-contained:
 * no scripts, no network.
 *
 * <p>The package is independent of the programs: it reads their {@code metrics.json} and {@code provenance.json}.
 * Depends on {@code dev.remus.tools.results}, {@code dev.remus.tools.plot} and {@code
 * dev.remus.cli.progress}.
 */
@NullMarked
package dev.remus.tools.report;

import org.jspecify.annotations.NullMarked;
