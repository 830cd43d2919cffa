// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code verbs} fabric: RDMA verbs on InfiniBand and RoCE cards, and on any Linux machine over Soft-RoCE ({@code
 * rdma_rxe}).
 *
 * <p>A Compute Node and a Memory Node share one reliable connection for control and one for each lane, all between the
 * same two devices:
 *
 * <pre>
 *  Compute Node                                              Memory Node
 *    VerbsLink --- control: HELLO, WELCOME, ... GOODBYE ---&gt; VerbsMemoryEndpoint: membership
 *      VerbsLane 0 --- HELLO, WELCOME, then one-sided ------&gt;   segments, registered
 *      VerbsLane 1 --- HELLO, WELCOME, then one-sided ------&gt;
 * </pre>
 *
 * <p>A Memory Node listens at {@code --mn-port} of its host; Memory Nodes that share a host listen at consecutive
 * ports. A Compute Node also reserves a port, although it never listens there, so that no other node on its host can
 * use its id. The control connection detects a node that dies or is killed: the kernel ends the connection at once. If
 * the machine or the network fails, the empty WRITE that is sent every second is no longer acknowledged. The Compute
 * Node then dials until a new control connection takes the place of the old one. Each end gives up the other once that
 * has lasted for the loss time-out ({@link dev.remus.fabric.Reachability}).
 *
 * <p>A connection begins with the messages of {@code Handshake}. With {@code --cluster-secret}, both nodes prove by it
 * that they have the secret. Until the Memory Node welcomes the Compute Node, the queue pair carries messages only:
 * {@code RemoteAccess} accepts it without other access, and grants that later.
 *
 * <p>A Memory Node cuts off a Compute Node that is lost, whichever node has found that: it destroys the queue pairs of
 * all lanes of that run, and welcomes none of it again ({@link dev.remus.fabric.MemoryEndpoint#fence}). If the process
 * still runs, its lanes break, and the answer to its next HELLO is that it is cut off.
 *
 * <p>On Soft-RoCE (Linux 6.1), a READ or atomic that carries {@code IBV_SEND_FENCE} and has to be retransmitted never
 * completes, because it waits for itself. No request carries that flag there. Instead, a lane holds a fenced request
 * back until the earlier READs and atomics have completed.
 *
 * <p>For programs that watch the cluster, each node posts its figures in a file of its machine ({@link
 * dev.remus.fabric.NoticeFile}). Nothing depends on it.
 *
 * <h2>DiSNI</h2>
 *
 * <p>Event channels, connection ids, devices, protection domains, memory regions, completion queues and queue pairs are
 * objects of DiSNI 2.1 ({@code RdmaEventChannel}, {@code RdmaCmId}, {@code IbvContext}, {@code IbvPd}, {@code IbvMr},
 * {@code IbvCQ}, {@code IbvQP}); {@code Verbs} creates and destroys all of them. It calls these native methods of
 * {@code NativeDispatcher} directly:
 *
 * <ul>
 *   <li>{@code _bindAddr}, {@code _resolveAddr}, {@code _regMr}: the methods of {@code RdmaCmId} and {@code IbvPd} take
 *       buffers from DiSNI's {@code MemoryAllocation}, which gets their addresses from the JDK's internal {@code
 *       sun.nio.ch.DirectBuffer}. That requires {@code --add-exports}.
 *   <li>{@code _getCmEvent}: for the same reason. Besides, {@code RdmaEventChannel.getCmEvent} adds the id of each
 *       connection request to a map and never removes it, so a Memory Node would keep every connection that it ever
 *       had.
 *   <li>{@code _postSend}: DiSNI's work requests carry no operands of atomics. A call that is not prepared allocates
 *       about 900 bytes; a prepared one fixes the length of the chain.
 *   <li>{@code _postRecv}, {@code _pollCQ}: for the same reasons. Besides, {@code IbvWC} keeps the fields of an earlier
 *       completion when one fails.
 * </ul>
 *
 * <p>A native library of our own adds what DiSNI lacks: device capabilities ({@code Device}), options of connections
 * ({@code PathOptions}), access to queue pairs ({@code RemoteAccess}), memory in huge pages ({@code NativeMemory}), and
 * a reference loop for measurements ({@code BareLoop}). DiSNI creates no completion queue without a completion channel,
 * so each device has one, on which no thread waits. DiSNI's endpoint classes ({@code RdmaEndpoint} and its groups) are
 * not used: they register memory without permission for remote atomics, and start a thread for each group.
 *
 * <p>A program that needs no RDMA may omit DiSNI: none of its classes is loaded before this fabric is chosen.
 *
 * <p>Depends on {@code dev.remus.fabric}, {@code dev.remus.config}, {@code dev.remus.logging} and DiSNI. Other packages
 * use it only through the fabric contract. Sources: the manual pages of rdma-core, {@code rdma_cm(7)}, {@code
 * ibv_post_send(3)}, {@code ibv_poll_cq(3)}; InfiniBand Architecture Specification 1.4, chapters 9 and 10.
 */
@NullMarked
package dev.remus.fabric.verbs;

import org.jspecify.annotations.NullMarked;
