// SPDX-License-Identifier: Apache-2.0
/**
 * Real clusters on this machine, for tests: {@link dev.remus.local.ThreadCluster} runs all nodes in this JVM, {@link
 * dev.remus.local.ProcessCluster} each in a JVM of its own. Either way {@code run} returns when the cluster has
 * finished, throws what a body threw, ends at a time limit, and leaves neither processes nor files behind. {@code
 * @LocalCluster} of {@code dev.remus.junit} makes them parameters of a test.
 *
 * <p>Depends on {@code dev.remus.node}, {@code dev.remus.process}, {@code dev.remus.fabric} and {@code
 * dev.remus.config}.
 */
@NullMarked
package dev.remus.local;

import org.jspecify.annotations.NullMarked;
