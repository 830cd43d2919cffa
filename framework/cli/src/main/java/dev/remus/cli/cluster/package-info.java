// SPDX-License-Identifier: Apache-2.0
/**
 * Runs a {@link dev.remus.cli.cluster.Program} as a cluster: one node in this process ({@code NodeRun}), or all nodes
 * on this machine, each in its own process ({@code ClusterRun}). {@link dev.remus.cli.cluster.ProgramRunner} chooses
 * between them. If one process fails, the others end soon, and nothing is left in shared memory.
 *
 * <p>{@link dev.remus.cli.cluster.CommandLine} runs commands that start no cluster.
 *
 * <p>Depends on the framework and on {@code dev.remus.cli.progress}.
 */
@NullMarked
package dev.remus.cli.cluster;

import org.jspecify.annotations.NullMarked;
