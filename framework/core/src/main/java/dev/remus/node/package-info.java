/**
 * The nodes of a cluster and what a thread does with them: {@link dev.remus.node.MemoryNode}, {@link
 * dev.remus.node.ComputeNode} and {@link dev.remus.node.ComputeThread}, the only door to remote memory, time, randomness
 * and waiting. A {@link dev.remus.node.Sequence} is several of its operations that are waited for once; a {@link
 * dev.remus.node.RemoteFuture} one that is awaited later, and a {@link dev.remus.node.CompletionBarrier} tells how far those to
 * one Memory Node have got. Behind it,
 * hidden: allocation, deferred reclamation, the control barrier, membership, and the blocking operations built from
 * posted chains.
 *
 * <p>Depends on {@code dev.remus.config}, {@code dev.remus.fabric}, {@code dev.remus.memory} and {@code dev.remus.logging}.
 */
@NullMarked
package dev.remus.node;

import org.jspecify.annotations.NullMarked;
