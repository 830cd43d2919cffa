/**
 * For those who import the framework and watch what it does: {@link dev.remus.observe.RemusMeters} shows the counters
 * of a Compute Node as Micrometer meters. What the Java Flight Recorder gets is
 * {@link dev.remus.node.SlowOperationEvent}.
 *
 * <p>Micrometer is an optional dependency: who uses {@code RemusMeters} has it. Depends on {@code dev.remus.node};
 * nothing depends on this package.
 */
@NullMarked
package dev.remus.observe;

import org.jspecify.annotations.NullMarked;
