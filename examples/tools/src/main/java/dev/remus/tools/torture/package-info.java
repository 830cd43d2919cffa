// SPDX-License-Identifier: Apache-2.0
/**
 * {@code ./remus torture}: starts small clusters one after the other, kills or stops nodes at random points, and checks
 * the behaviour of the others.
 *
 * <p>{@code TortureCommand} reads the command line, and {@code Torture} runs the trials of a {@code TrialSeries}. In a
 * {@code KillSeries}, the loss of a node must end all others: a {@code TorturePlan}, drawn from a seed, describes the
 * cluster and the fault; a {@code Trial} injects the fault into a {@code VictimCluster}, and a {@code TrialVerdict}
 * checks the outcome. In an {@code EnduranceSeries}, the others must finish without the lost nodes, or with them once
 * they have come back: an {@code EndurancePlan} has several faults, which an {@code EnduranceTrial} injects.
 *
 * <p>Depends on the framework, on the structures, on {@code dev.remus.cli.cluster} and {@code dev.remus.cli.progress};
 * only the main class depends on it.
 */
@NullMarked
package dev.remus.tools.torture;

import org.jspecify.annotations.NullMarked;
