/**
 * What all nodes of a cluster have to agree on: who takes part, how much memory each Memory Node offers, how Compute
 * Threads reach it and how they pick the place for a new object.
 *
 * <p>{@link dev.remus.config.ClusterConfig} is the one immutable value that holds it; whoever has one knows that every
 * range and every combination in it has been checked. The identity of the process itself (its node id) is deliberately
 * not part of it, so that one value can be shared by every node of a cluster.
 *
 * <p>May depend on the JDK only. Everything else in the framework may depend on it; the command line is read by
 * {@code dev.remus.options}, which depends on this package and never the reverse.
 */
@NullMarked
package dev.remus.config;

import org.jspecify.annotations.NullMarked;
