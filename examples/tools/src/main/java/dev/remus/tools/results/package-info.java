// SPDX-License-Identifier: Apache-2.0
/**
 * The record that every command which measures leaves in its folder of results, so that the measurement can be
 * repeated: a {@link dev.remus.tools.results.Provenance}, in a {@link dev.remus.tools.results.ProvenanceFile}.
 * {@code ./remus repeat} reads it.
 *
 * <p>A command notes its start with {@link dev.remus.tools.results.Provenance#begin}, and writes the file when its
 * results are complete. A {@link dev.remus.cli.cluster.Program} gets the start from its {@link
 * dev.remus.cli.cluster.RunRecord}.
 */
@NullMarked
package dev.remus.tools.results;

import org.jspecify.annotations.NullMarked;
