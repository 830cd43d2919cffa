// SPDX-License-Identifier: Apache-2.0
/**
 * {@code ./remus shell}: JShell with a live cluster in its own process, for lectures and for trying things out.
 *
 * <pre>
 *  terminal --- JShell --- OwnerThread: runs all snippets ------ LiveCluster: Memory Nodes, one Compute Node
 * </pre>
 *
 * <p>A Compute Thread belongs to one Java thread, and JShell would run each snippet in another one. So the shell brings
 * an execution control of its own, which JShell finds by its name.
 */
@NullMarked
package dev.remus.tools.shell;

import org.jspecify.annotations.NullMarked;
