// SPDX-License-Identifier: Apache-2.0
/**
 * The common parts of all experiments that {@code ./remus reproduce} runs: {@link
 * dev.remus.tools.reproduce.experiment.PaperExperiment} is an experiment, {@link
 * dev.remus.tools.reproduce.experiment.ExperimentRun} is one run of it.
 *
 * <p>Depends on {@code dev.remus.options}, {@code dev.remus.cli.cluster}, {@code .progress} and {@code
 * dev.remus.tools.results}.
 */
@NullMarked
package dev.remus.tools.reproduce.experiment;

import org.jspecify.annotations.NullMarked;
