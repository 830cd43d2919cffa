/**
 * {@link dev.remus.examples.top.TopCommand} shows live what the clusters on this machine do. It only looks at what the
 * {@code shm} fabric shows from outside, {@link dev.remus.fabric.shm.LocalClusters}; the nodes do not notice.
 *
 * <p>Depends on the framework, {@code dev.remus.examples.cluster} and {@code dev.remus.examples.progress}.
 */
@NullMarked
package dev.remus.examples.top;

import org.jspecify.annotations.NullMarked;
