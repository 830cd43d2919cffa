/**
 * Running a {@link dev.remus.cli.cluster.Program} as a cluster: one node in this process ({@code NodeRun}), or all nodes on this machine, each in a process of its own ({@code LocalCluster}). {@link dev.remus.cli.cluster.ProgramRunner} decides which. Whatever
 * happens to one of the processes, the others end soon, and nothing is left in shared memory.
 *
 * <p>{@link dev.remus.cli.cluster.CommandLine} is what commands that start no cluster have in common.
 *
 * <p>Depends on the framework and on {@code dev.remus.cli.progress}.
 */
@NullMarked
package dev.remus.cli.cluster;

import org.jspecify.annotations.NullMarked;
