/**
 * What a run leaves for its readers: {@link dev.remus.tools.report.RunReport} completes the folder of a run with CSV,
 * pictures and a page, {@link dev.remus.tools.report.Comparison} puts several runs on one page. The pages need nothing
 * but themselves: no script, no network.
 *
 * <p>Knows of the programs that left the results only what their {@code metrics.json} says. Depends on {@code
 * dev.remus.tools.plot} and {@code progress}, and takes what
 * only the starter of a run knows as a {@link dev.remus.cli.cluster.RunRecord}.
 */
@NullMarked
package dev.remus.tools.report;

import org.jspecify.annotations.NullMarked;
