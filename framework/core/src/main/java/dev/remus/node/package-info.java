// SPDX-License-Identifier: Apache-2.0
/**
 * The nodes of a cluster, and the operations of their threads: {@link dev.remus.node.MemoryNode}, {@link
 * dev.remus.node.ComputeNode} and {@link dev.remus.node.ComputeThread}, a thread's only access to remote memory, time,
 * randomness and waiting.
 *
 * <p>Classes depend only on those below them. A test checks this:
 *
 * <pre>
 *  nodes         ComputeNode                          MemoryNode
 *                    |                                    |
 *  arrays        StampedArray  SortedChain                |
 *                    |                                    |
 *  threads       ComputeThread  SegmentUse  NodeObjects  NodeFigures
 *                    |                                    |
 *  services      Root  Sequence  LockWords  Peers  Allocator  ControlBarrier
 *                    |                      |             |
 *                Placement  ThreadBackoff  CheckedMemory: words, checked and counted
 *                    |                                    |
 *  asynchronous  AsyncOperations                          |
 *                CompletionBarrier                        |
 *                OperationsFactory                        |
 *                    |                                    |
 *                AsyncEngine: on lanes, or at once        |
 *                IncompleteOperations  FuturePool         |
 *                RemoteFuture  Destination  Sleeper       |
 *                    |                                    |
 *  blocking      BlockingLaneOperations  LaneSequence     |
 *                ThreadLanes                              |
 *                CompletionWatch  SharedLane              |
 *                    |                                    |
 *  cluster       Participation  Membership  LostComputeNodes  Admission
 *                    |                                    |
 *                Heartbeats  LossExceptions               |
 *                    |                                    |
 *  fence         MembershipWord  FenceRequest  Life     Fence: cuts off Compute Nodes that are lost
 *                    |
 *                dev.remus.memory, dev.remus.fabric, dev.remus.config
 * </pre>
 *
 * <p>Blocking operations are the fabric's own where an operation is an instruction, and {@code BlockingLaneOperations}
 * elsewhere. Asynchronous ones are executed by an {@code AsyncEngine}: {@code AsyncDirectEngine} and {@code
 * AsyncLaneEngine} in the same two cases. A blocking operation on a lane returns when its result is there. An
 * asynchronous one has a {@link dev.remus.node.RemoteFuture}, and a {@link dev.remus.node.CompletionBarrier} reports up
 * to which id all operations to one Memory Node are complete.
 *
 * <p>{@code design/Returning.md} explains how a Compute Node that was lost or has left comes back.
 *
 * <p>Depends on {@code dev.remus.config}, {@code dev.remus.fabric}, {@code dev.remus.memory} and
 * {@code dev.remus.logging}.
 */
@NullMarked
package dev.remus.node;

import org.jspecify.annotations.NullMarked;
