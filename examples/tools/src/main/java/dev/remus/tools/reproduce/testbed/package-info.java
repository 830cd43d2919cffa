// SPDX-License-Identifier: Apache-2.0
/**
 * Clusters for experiments with many runs: {@link dev.remus.tools.reproduce.testbed.Testbed} runs a body in all threads
 * of a cluster, on modelled hardware or in this process.
 *
 * <p>Depends on the framework, the simulator, {@code dev.remus.cli.cluster} and {@code
 * dev.remus.tools.reproduce.experiment}.
 */
@NullMarked
package dev.remus.tools.reproduce.testbed;

import org.jspecify.annotations.NullMarked;
