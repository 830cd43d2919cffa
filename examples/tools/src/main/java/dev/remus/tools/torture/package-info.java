/**
 * {@code ./remus torture}: starts one small cluster after the other, kills or stops nodes at random moments of their
 * lives, and checks what becomes of the others.
 *
 * <p>{@code TortureCommand} reads the command line, {@code Torture} repeats. A {@code TorturePlan} says what is done to which
 * cluster and when, all of it drawn from a seed; a {@code Trial} does it to a {@code VictimCluster}, and a {@code
 * TrialVerdict} judges how that ended.
 *
 * <p>Depends on the framework, on the structures, on {@code dev.remus.cli.cluster} and {@code
 * dev.remus.cli.progress}; nobody but the main class depends on it.
 */
@NullMarked
package dev.remus.tools.torture;

import org.jspecify.annotations.NullMarked;
