// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code new} command: {@link dev.remus.tools.newproject.NewCommand} creates a Maven project for a new structure.
 * The project's files are templates in this package's resources, with placeholders such as {@code @NAME@}.
 *
 * <p>Depends on {@code dev.remus.options} and {@code dev.remus.cli.cluster}.
 */
@NullMarked
package dev.remus.tools.newproject;

import org.jspecify.annotations.NullMarked;
