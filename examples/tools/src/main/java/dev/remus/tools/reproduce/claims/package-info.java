// SPDX-License-Identifier: Apache-2.0
/**
 * What experiments without a published figure compare with: sentences of documents. {@link
 * dev.remus.tools.reproduce.claims.Claim} is one of them with a verdict, {@link
 * dev.remus.tools.reproduce.claims.TrialTable} holds the figures that it follows from, and {@link
 * dev.remus.tools.reproduce.claims.ClaimExperiment} makes the runs, and prints and writes all of it.
 *
 * <p>Depends on {@code dev.remus.tools.harness}, {@code .json}, {@code .plot}, {@code .reproduce.experiment}, {@code
 * .reproduce.testbed} and {@code .results}.
 */
@NullMarked
package dev.remus.tools.reproduce.claims;

import org.jspecify.annotations.NullMarked;
