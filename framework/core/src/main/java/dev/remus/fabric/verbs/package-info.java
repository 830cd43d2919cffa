/**
 * The {@code verbs} fabric: RDMA verbs on InfiniBand and RoCE cards, and on any Linux machine over Soft-RoCE ({@code
 * rdma_rxe}).
 *
 * <p>Between a Compute Node and a Memory Node there are one reliable connection for control and one for each lane, all
 * between the same two devices:
 *
 * <pre>
 *  Compute Node                                              Memory Node
 *    VerbsLink --- control: HELLO, WELCOME, ... GOODBYE ---&gt; VerbsMemoryEndpoint: who is there
 *      VerbsLane 0 --- HELLO, WELCOME, then one-sided ------&gt;   segments, registered
 *      VerbsLane 1 --- HELLO, WELCOME, then one-sided ------&gt;
 * </pre>
 *
 * <p>A Memory Node listens at {@code --mn-port} of its host; Memory Nodes that share a host listen at consecutive
 * ports. A Compute Node also reserves a port, at which it never listens, so that no other node on its host can have its
 * id. The control connection detects a node that dies or is killed: the kernel ends the connection at once. If the
 * machine or the network is gone, an empty WRITE every two seconds is no longer acknowledged.
 *
 * <p>On Soft-RoCE (Linux 6.1), a READ or atomic that carries {@code IBV_SEND_FENCE} and has to be retransmitted waits
 * for itself for ever. So no request carries that flag there: a lane holds what is fenced back until what it has to
 * wait for has completed, and posts it then.
 *
 * <h2>DiSNI</h2>
 *
 * <p>Event channels, connection ids, devices, protection domains, memory regions, completion queues and queue pairs are
 * objects of DiSNI 2.1 ({@code RdmaEventChannel}, {@code RdmaCmId}, {@code IbvContext}, {@code IbvPd}, {@code IbvMr},
 * {@code IbvCQ}, {@code IbvQP}); {@code Verbs} makes and ends all of them. It calls these natives of
 * {@code NativeDispatcher} directly:
 *
 * <ul>
 *   <li>{@code _bindAddr}, {@code _resolveAddr}, {@code _regMr}: the methods of {@code RdmaCmId} and {@code IbvPd} take
 *       buffers from DiSNI's {@code MemoryAllocation}. That asks the JDK's internal {@code sun.nio.ch.DirectBuffer} for
 *       their addresses, for which a Java VM has to be started with {@code --add-exports}.
 *   <li>{@code _getCmEvent}: the same; and {@code RdmaEventChannel.getCmEvent} adds the id of each connection request
 *       to a map from which nothing is ever removed, so that a Memory Node would keep all connections that it ever had.
 *   <li>{@code _postSend}: besides, DiSNI's work requests carry no operands of atomics, and a call that is not prepared
 *       allocates about 900 bytes. A prepared one fixes the length of the chain.
 *   <li>{@code _postRecv}, {@code _pollCQ}: the same; and {@code IbvWC} keeps the fields of an earlier completion when
 *       one fails.
 * </ul>
 *
 * <p>What DiSNI does not have at all is in a native library of our own: what a device can do ({@code Device}), memory
 * in huge pages ({@code NativeMemory}), and a loop to compare with ({@code BareLoop}). DiSNI makes no completion queue
 * without a completion channel, so each device has one, on which no thread waits. Its endpoint classes
 * ({@code RdmaEndpoint} and the groups of them) are not used: they register memory without the right to atomics, and
 * own a thread for each group.
 *
 * <p>A program that needs no RDMA may leave DiSNI out: nothing is loaded from it before this fabric is chosen.
 *
 * <p>Depends on {@code dev.remus.fabric}, {@code dev.remus.config}, {@code dev.remus.logging} and DiSNI. Other packages
 * use it only through the fabric contract. Sources: the manual pages of rdma-core, {@code rdma_cm(7)}, {@code
 * ibv_post_send(3)}, {@code ibv_poll_cq(3)}; InfiniBand Architecture Specification 1.4, chapters 9 and 10.
 */
@NullMarked
package dev.remus.fabric.verbs;

import org.jspecify.annotations.NullMarked;
