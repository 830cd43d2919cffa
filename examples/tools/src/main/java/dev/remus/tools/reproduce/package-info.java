// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code reproduce}, which repeats the experiments of publications: {@link
 * dev.remus.tools.reproduce.ReproduceCommand} lists them. Each is in a subpackage.
 *
 * <p>Depends on its own subpackages.
 */
@NullMarked
package dev.remus.tools.reproduce;

import org.jspecify.annotations.NullMarked;
