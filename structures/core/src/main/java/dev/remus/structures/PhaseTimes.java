package dev.remus.structures;

import dev.remus.node.ComputeThread;

/** Where the time of one handle's operations goes. Nothing is measured, and no clock is asked, until {@link #switchOn}. */
public final class PhaseTimes {
    /** A part of an operation on a queue. The names are those of the paper's measurements. */
    public enum Phase {
        /** Of an enqueue: finding the end of the queue. */
        ENQ_HOP,
        /** Of a dequeue: finding the front of the queue. */
        DEQ_HOP,
        /** Telling all threads where the front or the end is. */
        BCAST_ALL
    }

    private final long[] nanos = new long[Phase.values().length];
    private boolean isOn;

    /** Times that are not taken before {@link #switchOn}. */
    public PhaseTimes() {}

    /** From now on, times are taken: two looks at the clock for each part. */
    public void switchOn() {
        isOn = true;
    }

    /** Nanoseconds spent in a part since {@link #switchOn}. */
    public long nanos(Phase phase) {
        return nanos[phase.ordinal()];
    }

    /** Begins a part; returns what {@link #stop} needs. */
    public long start(ComputeThread ct) {
        return isOn ? ct.nanoTime() : 0;
    }

    /** Ends a part. */
    public void stop(Phase phase, long start, ComputeThread ct) {
        if (isOn) {
            nanos[phase.ordinal()] += ct.nanoTime() - start;
        }
    }
}
