// SPDX-License-Identifier: Apache-2.0
/**
 * For importers who monitor the framework: {@link dev.remus.observe.RemusMeters} publishes the counters of a Compute
 * Node as Micrometer meters. The Java Flight Recorder gets {@link dev.remus.node.SlowOperationEvent}.
 *
 * <p>Micrometer is an optional dependency, which users of {@code RemusMeters} must provide. Depends on {@code
 * dev.remus.node}; no other package depends on this one.
 */
@NullMarked
package dev.remus.observe;

import org.jspecify.annotations.NullMarked;
