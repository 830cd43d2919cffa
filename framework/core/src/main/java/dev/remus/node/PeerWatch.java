// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.Environment;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;

/**
 * The thread of a Compute Node that watches the other nodes. Five times a second it reads their state, and publishes a
 * loss that this node has detected ({@link Membership}). Once a second it exchanges heartbeats and renews the node's
 * notice.
 *
 * <p>A broken lane, or a Memory Node that does not answer, delays nothing that concerns another node: the thread leaves
 * the lane to a {@link LaneDialler}, and goes on with the other Memory Nodes.
 */
final class PeerWatch {
    private static final long LOOK_NANOS = 200_000_000;
    private static final int TRIES = 3;

    /** How many checks of the other nodes pass before the next heartbeat and notice: about a second. */
    private static final int LOOKS_PER_HEARTBEAT = 5;

    private final Environment environment;
    private final long lossNanos;
    private final OperationsFactory operations;
    private final BlockingOperations memory;
    private final Membership membership;
    private final Participation participation;
    private final boolean exchangesHeartbeats;
    private final Runnable putUpNotice;
    private final LaneDialler dialler;
    private final Environment.Task task;
    private volatile boolean closing;

    /**
     * Starts the thread.
     *
     * @param memory the operations with which {@code membership} reads and writes; this thread's until {@link #join}
     * @param putUpNotice shows the node's notice, if the fabric has a place for it
     */
    PeerWatch(
            ClusterConfig config,
            int node,
            Environment environment,
            OperationsFactory operations,
            BlockingOperations memory,
            Membership membership,
            Participation participation,
            boolean exchangesHeartbeats,
            Runnable putUpNotice) {
        this.environment = environment;
        this.lossNanos = config.lossTimeout().toNanos();
        this.operations = operations;
        this.memory = memory;
        this.membership = membership;
        this.participation = participation;
        this.exchangesHeartbeats = exchangesHeartbeats;
        this.putUpNotice = putUpNotice;
        this.dialler = new LaneDialler(environment, "remus-dial-" + node);
        operations.leaveDiallingTo(dialler, memory);
        this.task = environment.start("remus-watch-" + node, true, this::run);
    }

    private void run() {
        int failures = 0;
        long failingSince = 0;
        for (long look = 0; !closing; look++) {
            boolean oncePerSecond = look % LOOKS_PER_HEARTBEAT == 0;
            if (oncePerSecond) {
                putUpNotice.run();
            }
            try {
                look(exchangesHeartbeats && oncePerSecond);
                failures = 0;
            } catch (NodeLostException e) {
                if (!closing) {
                    membership.report(e); // an operation failed before the link's loss was detected
                }
            } catch (RuntimeException e) {
                failures++; // a thread that shares the lane may just have broken it, or the link is down
                failingSince = failures == 1 ? environment.nanoTime() : failingSince;
                if (!closing && failures >= TRIES && environment.nanoTime() - failingSince >= lossNanos) {
                    participation.abort("it can no longer watch the others: " + e);
                }
            }
            environment.sleep(LOOK_NANOS);
        }
    }

    /** Heartbeats that fail on one lane must not keep this node from reading losses on the others. */
    private void look(boolean withHeartbeats) {
        FabricException failed = null;
        if (withHeartbeats) {
            try {
                membership.exchangeHeartbeats(environment.nanoTime());
            } catch (FabricException e) {
                failed = e;
            }
        }
        membership.refresh(environment::nanoTime);
        if (failed != null) {
            throw failed;
        }
    }

    /** Lets the thread end. */
    void stop() {
        closing = true;
        task.wake();
    }

    /**
     * Waits until the thread has ended, and no lane is dialled any more in its place. Then the caller may use its
     * memory, and connects broken lanes itself.
     *
     * @return whether the calling thread was interrupted
     */
    boolean join() {
        boolean interrupted = Tasks.join(task);
        interrupted |= dialler.end();
        operations.leaveDiallingTo(null, memory);
        return interrupted;
    }
}
