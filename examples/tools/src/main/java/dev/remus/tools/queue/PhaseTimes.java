// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import dev.remus.node.ComputeThread;

/** Where the time of one handle's operations goes. */
final class PhaseTimes {
    /** A part of an operation on a queue. The names are those of the paper's measurements. */
    enum Phase {
        /**
         * Of an enqueue: finding the end of the queue. In queues without locks it includes linking there, since that is
         * how the end is recognised.
         */
        ENQ_HOP,
        /** Of a dequeue: finding the front of the queue, without taking the item there. */
        DEQ_HOP,
        /** Telling other threads where the front or the end is. */
        BCAST_ALL
    }

    private final long[] nanos = new long[Phase.values().length];

    /** Nanoseconds spent in a part. */
    long nanos(Phase phase) {
        return nanos[phase.ordinal()];
    }

    /** A part ends that began at a time of {@link ComputeThread#nanoTime}. */
    void add(Phase phase, long start, ComputeThread ct) {
        nanos[phase.ordinal()] += ct.nanoTime() - start;
    }

    /** A step ends that began at a time of {@link ComputeThread#nanoTime}, and is no share of the part around it. */
    void exclude(Phase phase, long start, ComputeThread ct) {
        nanos[phase.ordinal()] -= ct.nanoTime() - start;
    }
}
