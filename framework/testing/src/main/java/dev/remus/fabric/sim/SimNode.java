package dev.remus.fabric.sim;

import java.util.SplittableRandom;

/** A simulated Compute Node as its threads and the faults see it. A fault that cannot happen there returns false. */
interface SimNode {
    /** What its clock shows. */
    long clock(long now);

    /** Lets its clock differ from the virtual time. */
    void skewClock(SplittableRandom random);

    /** Its process is killed; its threads have ended already. */
    void die(SplittableRandom random);

    /** Its lanes take long over everything. */
    boolean slowDown(SplittableRandom random);

    /** Breaks a lane: one that the thread waits for, else one that is busy. */
    boolean breakLane(Agent thread, SplittableRandom random);

    /** Lets a lane that the thread waits for stand still until others come to the same words. */
    boolean delayRequests(Agent thread, SplittableRandom random);

    /** Ends a Memory Node: the one that the thread waits for, if it does, else any. */
    boolean loseMemoryNode(Agent thread, SplittableRandom random);
}
