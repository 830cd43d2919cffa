/**
 * {@code ./remus torture}: starts small clusters one after the other, kills or stops nodes at random points, and checks
 * the behaviour of the others.
 *
 * <p>{@code TortureCommand} reads the command line, and {@code Torture} repeats trials. A {@code TorturePlan}, drawn
 * from a seed, describes the cluster and the fault. A {@code Trial} injects the fault into a {@code VictimCluster}, and
 * a {@code TrialVerdict} checks the outcome.
 *
 * <p>Depends on the framework, on the structures, on {@code dev.remus.cli.cluster} and {@code dev.remus.cli.progress};
 * only the main class depends on it.
 */
@NullMarked
package dev.remus.tools.torture;

import org.jspecify.annotations.NullMarked;
