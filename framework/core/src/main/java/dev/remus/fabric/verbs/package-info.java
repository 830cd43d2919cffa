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
 * <p>A Memory Node listens at {@code --mn-port} of its host; those that share a host listen at the ports that follow. A
 * Compute Node keeps a port too, at which it never listens, so that nobody else on its host can have its id. A node that
 * dies or is killed is noticed by its control connection: the kernel ends it at once, and where the machine or the network
 * is gone, an empty WRITE every two seconds is no longer acknowledged.
 *
 * <p>On Soft-RoCE (Linux 6.1), a READ or atomic that carries {@code IBV_SEND_FENCE} and has to be retransmitted waits for
 * itself for ever. So no request carries that flag there: a lane holds what is fenced back until what it has to wait for has
 * completed, and posts it then.
 *
 * <p>Of DiSNI, this package uses the native methods only ({@code NativeDispatcher}), by the addresses of the C objects. Its
 * classes above them do not marshal the operands of atomics, allocate for each request, and take an internal class of the
 * JDK for which the Java VM has to be started with a flag.
 *
 * <p>Depends on {@code dev.remus.fabric}, {@code dev.remus.config}, {@code dev.remus.logging} and DiSNI; nobody depends on it except through the fabric
 * contract. Sources: the manual pages of rdma-core, {@code rdma_cm(7)}, {@code ibv_post_send(3)}, {@code ibv_poll_cq(3)};
 * InfiniBand Architecture Specification 1.4, chapters 9 and 10.
 */
@NullMarked
package dev.remus.fabric.verbs;

import org.jspecify.annotations.NullMarked;
