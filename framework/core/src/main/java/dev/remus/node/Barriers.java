// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import org.jspecify.annotations.Nullable;

/**
 * The barriers of one Compute Thread. Under {@code --on-node-loss continue} that of all threads is a {@link
 * LivingBarrier}. Every other one is the {@link ControlBarrier}, which a loss breaks.
 */
final class Barriers {
    private final int threads;
    private final ControlBarrier counting;

    /** Null under {@code --on-node-loss abort}. */
    private final @Nullable LivingBarrier living;

    /** @param attendance gets the threads that took part in each barrier of all */
    Barriers(
            ClusterConfig config,
            int thread,
            CheckedMemory memory,
            Peers peers,
            Attendance attendance,
            Membership membership,
            OperationsFactory operations) {
        this.threads = config.threadIds();
        this.counting = new ControlBarrier(config, memory, membership, operations.environment());
        this.living = config.onNodeLoss() == OnNodeLoss.CONTINUE
                ? new LivingBarrier(config, thread, memory, peers, attendance, membership, operations)
                : null;
    }

    /**
     * Lets the thread of a node that has come back, or one that is opened again, take part in the barriers of all
     * threads that begin from now on.
     */
    void join() {
        if (living != null) {
            living.join();
        }
    }

    /** @param idle is called again and again while the thread waits */
    void await(int participants, Runnable idle) {
        if (living != null && participants == threads) {
            living.await(idle);
        } else {
            counting.await(participants, idle);
        }
    }

    /** Declares that the thread arrives at no further barrier. */
    void close() {
        if (living != null) {
            living.close();
        }
    }
}
