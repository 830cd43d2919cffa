// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;

/** The other threads of the cluster, from the view of one Compute Thread: their nodes, and whether they are lost. */
public final class Peers {
    private final ClusterConfig config;
    private final Membership membership;
    private final Attendance attendance;

    Peers(ClusterConfig config, Membership membership, Attendance attendance) {
        this.config = config;
        this.membership = membership;
        this.attendance = attendance;
    }

    /** The id of a thread's Compute Node, given the thread's {@link ComputeThread#id}. */
    public int nodeOf(int thread) {
        return ThreadIds.node(config, thread);
    }

    /** Whether the node of a thread is a Memory Node too, given the thread's {@link ComputeThread#id}. */
    public boolean hasMemory(int thread) {
        return config.isMemoryNode(nodeOf(thread));
    }

    /** The Memory Node near a thread: its own node if that is one, else one selected round robin. */
    int memoryNodeNear(int thread) {
        int own = nodeOf(thread);
        return config.isMemoryNode(own) ? own : config.firstMemoryNode() + thread % config.memoryNodes();
    }

    /**
     * Whether the node of a thread is known to be lost, given the thread's {@link ComputeThread#id}, and is cut off:
     * nothing that the thread has posted arrives at any Memory Node any more, and what has arrived is placed. So what
     * it held may be taken over. Once true, it stays true, also if the node comes back: then it has other threads.
     * Sends nothing and waits for nothing.
     */
    public boolean isLost(int thread) {
        return membership.isCutOff(thread);
    }

    /**
     * Whether the node of a thread is known to be lost, but some Memory Node has not confirmed within the loss time-out
     * that it is cut off. Then what the thread held must not be taken over, and waiting for that is in vain. Sends
     * nothing and waits for nothing.
     */
    public boolean isLostAndNotCutOff(int thread) {
        return membership.isCutOffOverdue(thread);
    }

    /**
     * Whether a thread took part in the last barrier of all threads that this thread has passed, given the thread's
     * {@link ComputeThread#id}. The answer is the same on all threads that have passed it. A thread that did not take
     * part is closed, or {@linkplain #isLost lost}; or it was opened again, or its node came back, meanwhile, and it
     * takes part in those that begin later. A thread that did may have died since. Always true under {@code
     * --on-node-loss abort}, and before the first barrier. Sends nothing and waits for nothing.
     */
    public boolean tookPart(int thread) {
        return attendance.contains(thread);
    }

    /**
     * The lowest {@link ComputeThread#id} of those that {@linkplain #tookPart took part} in the last barrier: the
     * thread that does what one thread does for all. It is 0 under {@code --on-node-loss abort}, and before the first
     * barrier. It is -1, which is no thread's, if none took part: all that waited had been opened again meanwhile, or
     * their nodes had come back. Then what one thread does for all has to wait for the next barrier, in which all of
     * them take part. Sends nothing and waits for nothing.
     */
    public int leader() {
        return attendance.first();
    }

    /**
     * The number of barriers of all threads before the next one for which this thread waits: the same number on all
     * threads that wait for that one. Always 0 under {@code --on-node-loss abort}. Sends nothing and waits for nothing.
     */
    public long meetings() {
        return attendance.meetings();
    }

    /** Whether any node is known to be lost, or has come back. Sends nothing and waits for nothing. */
    public boolean isAnyNodeLost() {
        return membership.isAnyLost();
    }
}
