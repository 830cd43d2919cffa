/**
 * The nodes of a cluster and what a thread does with them: {@link dev.remus.node.MemoryNode}, {@link
 * dev.remus.node.ComputeNode} and {@link dev.remus.node.ComputeThread}, the only door to remote memory, time,
 * randomness and waiting.
 *
 * <p>Classes depend downwards only, as a test checks:
 *
 * <pre>
 *  nodes         ComputeNode                          MemoryNode
 *                    |                                    |
 *  door          ComputeThread  SegmentUse                |
 *                    |                                    |
 *  behind it     Root  Sequence  Peers  Allocator  ControlBarrier
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
 *  cluster       Participation  Membership  Heartbeats  LossExceptions
 *                    |
 *                dev.remus.memory, dev.remus.fabric, dev.remus.config
 * </pre>
 *
 * <p>Blocking operations are the fabric's own where an operation is an instruction, and {@code BlockingLaneOperations}
 * elsewhere. Asynchronous ones are executed by an {@code AsyncEngine}: {@code AsyncDirectEngine} and
 * {@code AsyncLaneEngine} in the same two cases. A blocking operation on a lane returns when its result is there; an
 * asynchronous one has a {@link dev.remus.node.RemoteFuture}, and a {@link dev.remus.node.CompletionBarrier} reports
 * how far all to one Memory Node have got.
 *
 * <p>Depends on {@code dev.remus.config}, {@code dev.remus.fabric}, {@code dev.remus.memory} and
 * {@code dev.remus.logging}.
 */
@NullMarked
package dev.remus.node;

import org.jspecify.annotations.NullMarked;
