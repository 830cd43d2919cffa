// SPDX-License-Identifier: Apache-2.0
/**
 * The fabric contract: how one-sided operations travel from Compute Nodes to Memory Nodes, and what they guarantee.
 *
 * <p>A {@link dev.remus.fabric.Fabric} opens a {@link dev.remus.fabric.MemoryEndpoint} for a Memory Node and a {@link
 * dev.remus.fabric.ComputeEndpoint} for a Compute Node. A Compute Node connects a {@link dev.remus.fabric.Link} to each
 * Memory Node. A link has {@link dev.remus.fabric.Lane lanes}. A lane takes {@link dev.remus.fabric.Chain chains} of
 * work requests and returns {@link dev.remus.fabric.Completions completions}.
 *
 * <h2>What is atomic, ordered and visible</h2>
 *
 * <ul>
 *   <li>All remote accesses are 8-byte aligned and a multiple of 8 bytes long. One aligned 8-byte read or write is
 *       whole. A longer access may be torn at any 8-byte boundary, in any order.
 *   <li>COMPARE_AND_SWAP and FETCH_AND_ADD are atomic with respect to each other on the same Memory Node, and
 *       <em>not</em> with respect to plain WRITEs or the Memory Node's own processor. A failing COMPARE_AND_SWAP may
 *       write the old value back. So a word is either only read and written, or changed only by COMPARE_AND_SWAP and
 *       FETCH_AND_ADD.
 *   <li>Requests on one lane execute in the order posted, except that a later WRITE or atomic may overtake an earlier
 *       READ or atomic, or take effect between its reading and its writing half. A fenced request is started only when
 *       all earlier READs and atomics of its lane have completed, and later requests are started behind it. READs
 *       overtake nothing, and nothing overtakes a WRITE. Across lanes there is no order, even to the same Memory Node.
 *   <li>A completed WRITE may not be visible yet on other lanes. It is <em>placed</em> (visible on every lane) before a
 *       later READ or atomic of its own lane takes effect. So it is placed once that has completed, and a thread that
 *       sees the effect of the atomic sees the WRITE. Unplaced WRITEs of one lane become visible in the order posted,
 *       after finite time.
 *   <li>A request that was outstanding when its lane broke has an unknown outcome, until {@link
 *       dev.remus.fabric.Lane#reconnect} returns: by then it has taken effect and is placed, or it never will be.
 *   <li>Once a Memory Node has cut off a Compute Node ({@link dev.remus.fabric.MemoryEndpoint#fence}), nothing that
 *       this Compute Node has posted arrives there any more, and what has arrived is placed.
 * </ul>
 *
 * <p>A node that is both Memory Node and Compute Node in one process may read single words of its own memory by loads,
 * if the fabric offers that. {@link dev.remus.fabric.LocalSegments} explains why this is safe, and why nothing else is.
 *
 * <p>These are the guarantees of InfiniBand, RoCE and Soft-RoCE (verbs manual, {@code ibv_post_send(3)} and {@code
 * IBV_ATOMIC_HCA}). The InfiniBand Architecture Specification, volume 1, section 10.8.3.3, asks for a fence between an
 * atomic and a later WRITE or atomic, as it does behind a READ. Other work, reviewed with a vendor, orders requests
 * behind atomics without one (arXiv 2601.14642). This contract takes the weaker reading, so that what relies on it is
 * right under both. A fabric may guarantee more, but nothing above it may rely on more. The test suite {@code
 * dev.remus.fabric.FabricConformance} states the contract in code, and every fabric must pass it.
 *
 * <p>Depends on {@code dev.remus.config} only; the implementations in {@code dev.remus.fabric.*} depend on this package
 * and never the reverse.
 */
@NullMarked
package dev.remus.fabric;

import org.jspecify.annotations.NullMarked;
