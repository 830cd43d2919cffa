// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code top}: {@link dev.remus.tools.top.TopCommand} shows the clusters on this machine live. It only
 * reads the state that {@link dev.remus.fabric.shm.LocalClusters} of the {@code shm} fabric exposes, so it does not
 * disturb the nodes.
 *
 * <p>Depends on the framework, {@code dev.remus.cli.cluster} and {@code dev.remus.cli.progress}.
 */
@NullMarked
package dev.remus.tools.top;

import org.jspecify.annotations.NullMarked;
