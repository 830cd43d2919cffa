/**
 * For those who import the framework and watch what it does: {@link dev.remus.observe.RemusMeters} shows the counters of a Compute
 * Node as Micrometer meters, {@link dev.remus.observe.SlowOperationEvent} is what the Java Flight Recorder gets of remote
 * operations that take long. Neither costs anything where it is not used.
 *
 * <p>Micrometer is an optional dependency: who uses {@code RemusMeters} has it. Depends on {@code dev.remus.node} and {@code
 * dev.remus.fabric}; the framework itself uses only the event.
 */
package dev.remus.observe;
