// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import java.util.SplittableRandom;

/**
 * A simulated Compute Node as its threads and faults see it. The method of a fault that cannot happen returns false.
 */
interface SimNode {
    /** The time on its clock. */
    long clock(long now);

    /** Lets its clock differ from the virtual time. */
    void skewClock(SplittableRandom random);

    /** Kills its process; its threads have ended already. */
    void die(SplittableRandom random);

    /** Slows its lanes down. */
    boolean slowDown(SplittableRandom random);

    /** Breaks a lane: one that the thread waits for, else one that is busy. */
    boolean breakLane(Agent thread, SplittableRandom random);

    /** Breaks such a lane, and keeps it from being connected for a while. */
    boolean jamLane(Agent thread, SplittableRandom random);

    /** Stalls a lane that the thread waits for, until others post requests to the same words. */
    boolean delayRequests(Agent thread, SplittableRandom random);

    /** Takes a link down for a while: one that the thread waits for, otherwise any. */
    boolean takeLinkDown(Agent thread, SplittableRandom random);

    /** Takes such a link down for good. */
    boolean loseLink(Agent thread, SplittableRandom random);

    /** Ends a Memory Node: the one that the thread waits for, otherwise any. */
    boolean loseMemoryNode(Agent thread, SplittableRandom random);
}
