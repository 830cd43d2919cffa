// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code top}: {@link dev.remus.tools.top.TopCommand} shows the clusters on this machine live. It only
 * reads what {@link dev.remus.fabric.shm.LocalClusters} of the {@code shm} fabric exposes, and the {@link
 * dev.remus.fabric.Notices} of nodes of other fabrics, so it does not disturb the nodes. With {@code --json} it prints
 * that for other programs ({@link dev.remus.tools.top.SightingJson}). With {@code --machines} it reads such lines of
 * several machines and puts them together ({@link dev.remus.tools.top.WholeCluster}); {@code cloudlab/cl} does that.
 *
 * <p>Depends on the framework, {@code dev.remus.cli.cluster} and {@code dev.remus.cli.progress}.
 */
@NullMarked
package dev.remus.tools.top;

import org.jspecify.annotations.NullMarked;
