// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import java.util.ArrayList;
import java.util.List;

/** All lanes of a simulated Compute Node, in the order in which they were opened. */
final class SimLanes {
    private final NodeId id;
    private final long incarnation;
    private final List<SimLane> lanes = new ArrayList<>();

    /** The extra time, in nanoseconds, that each of their steps takes. */
    private long slowness;

    SimLanes(NodeId id, long incarnation) {
        this.id = id;
        this.incarnation = incarnation;
    }

    /** The incarnation of the Compute Node. */
    long incarnation() {
        return incarnation;
    }

    /** The Compute Node. */
    NodeId id() {
        return id;
    }

    void add(List<SimLane> more) {
        lanes.addAll(more);
    }

    List<SimLane> all() {
        return lanes;
    }

    long slowness() {
        return slowness;
    }

    void slowDown(long nanos) {
        slowness = nanos;
    }

    /**
     * The lane with the earliest outstanding request.
     *
     * @param first the result if none has a request
     */
    SimLane oldest(SimLane first) {
        SimLane oldest = first;
        for (SimLane lane : lanes) {
            oldest = lane.oldestRequest() < oldest.oldestRequest() ? lane : oldest;
        }
        return oldest;
    }
}
