// SPDX-License-Identifier: Apache-2.0
/**
 * The settings of a cluster: its nodes, the memory of each Memory Node, how Compute Threads reach it, and how they pick
 * the place for a new object.
 *
 * <p>{@link dev.remus.config.ClusterConfig} is an immutable value with all settings; every value and every combination
 * in it has been checked. The id of a process is deliberately not part of it, so every node of a cluster can use the
 * same value. {@link dev.remus.config.ClusterSettings} is the table in which each setting is declared.
 *
 * <p>May depend on the JDK only. Everything else in the framework may depend on it. {@code dev.remus.options} makes
 * command-line options from the table; nothing here depends on it.
 */
@NullMarked
package dev.remus.config;

import org.jspecify.annotations.NullMarked;
