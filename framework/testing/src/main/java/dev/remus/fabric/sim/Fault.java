// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

/**
 * A kind of failure in a simulated cluster. All are off by default. Faults are rare enough that most of a run remains
 * to show their consequences. A fault strikes a Compute Thread, or something that the thread uses.
 */
public enum Fault {
    /** A Compute Thread stops for ever, at any point; its node does not notice, and continues. */
    STOPPED_THREADS,
    /** A Compute Thread pauses for so long that all others can finish their work. */
    PAUSED_THREADS,
    /**
     * A Compute Node is killed: its threads stop, and others notice. Its outstanding requests may still arrive, and
     * late, until each Memory Node has cut it off; then the rest of them is lost.
     */
    LOST_COMPUTE_NODES,
    /** A Memory Node dies, and its memory with it. */
    LOST_MEMORY_NODES,
    /** A lane breaks; requests outstanding on it have unknown outcomes. */
    BROKEN_LANES,
    /** All lanes of a Compute Node are slow. */
    SLOW_NODES,
    /** The clocks of Compute Nodes differ, and drift. */
    SKEWED_CLOCKS,
    /**
     * A lane that a Compute Thread waits for stalls, perhaps in the middle of a transfer. It waits until others have
     * posted WRITEs or atomics to the same words, or for a long time. So even rare conflicts on a word happen.
     */
    LATE_REQUESTS,
    /**
     * The link from a Compute Node to a Memory Node goes down for a while, shorter than the loss time-out: its lanes
     * break, and cannot be connected until it is back.
     */
    DOWN_LINKS,
    /**
     * The same for good: after the loss time-out, each of the two nodes regards the other as lost. If other nodes go
     * on, the Compute Node is a zombie until the other Memory Nodes have cut it off.
     */
    LOST_LINKS,
    /**
     * A lane breaks, and cannot be connected for a while, which may be longer than the loss time-out, although its
     * Memory Node is reachable. What the lane had on the way there arrives late.
     */
    STUCK_LANES,
    /**
     * A Compute Thread is interrupted while it waits: the wait ends with an exception, once. What the thread has
     * requested may still arrive, and late.
     */
    INTERRUPTED_THREADS;

    /** Whether it only delays: no thread ends by it, and each operation has a known outcome. */
    public boolean onlyDelays() {
        return this == PAUSED_THREADS || this == SLOW_NODES || this == SKEWED_CLOCKS || this == LATE_REQUESTS;
    }
}
