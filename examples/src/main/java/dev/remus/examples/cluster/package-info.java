/**
 * Running a {@link dev.remus.examples.cluster.Program} as a cluster: one node in this process ({@code NodeRun}), or all nodes on this machine, each in a process of its own ({@code LocalCluster}). {@link dev.remus.examples.cluster.ProgramRunner} decides which. Whatever
 * happens to one of the processes, the others end soon, and nothing is left in shared memory.
 *
 * <p>{@link dev.remus.examples.cluster.CommandLine} is what commands that start no cluster have in common.
 *
 * <p>Depends on the framework and on {@code dev.remus.examples.progress}.
 */
@NullMarked
package dev.remus.examples.cluster;

import org.jspecify.annotations.NullMarked;
