// SPDX-License-Identifier: Apache-2.0
/**
 * The nodes of a cluster as child processes of this one: {@link dev.remus.process.NodeProcess} starts a JVM like this
 * one and reads its output, {@link dev.remus.process.NodeGroup} waits for several and stops them, and {@link
 * dev.remus.process.Parent} ends a child whose parent has ended. Programs and tests of structures start their clusters
 * with it; other modules cannot import it.
 *
 * <p>Depends on {@code dev.remus.config} and {@code dev.remus.fabric}.
 */
@NullMarked
package dev.remus.process;

import org.jspecify.annotations.NullMarked;
