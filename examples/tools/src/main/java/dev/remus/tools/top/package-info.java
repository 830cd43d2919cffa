/**
 * {@link dev.remus.tools.top.TopCommand} shows live what the clusters on this machine do. It only looks at what the
 * {@code shm} fabric shows from outside, {@link dev.remus.fabric.shm.LocalClusters}; the nodes do not notice.
 *
 * <p>Depends on the framework, {@code dev.remus.cli.cluster} and {@code dev.remus.cli.progress}.
 */
@NullMarked
package dev.remus.tools.top;

import org.jspecify.annotations.NullMarked;
