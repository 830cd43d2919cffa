package dev.remus.fabric.sim;

import dev.remus.fabric.Lane;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalSegments;
import dev.remus.fabric.RemoteSegment;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A simulated Compute Node's connection to a simulated Memory Node. */
final class SimLink implements Link {
    private final SimFabric fabric;
    private final SimComputeEndpoint compute;
    private final SimMemoryEndpoint memory;
    private final List<SimLane> lanes;
    private final RemoteSegment[] segments;

    SimLink(SimFabric fabric, SimComputeEndpoint compute, SimMemoryEndpoint memory, int lanes) {
        this.fabric = fabric;
        this.compute = compute;
        this.memory = memory;
        this.lanes = IntStream.range(0, lanes)
                .mapToObj(i -> new SimLane(fabric.simulator(), this, i))
                .toList();
        this.segments = new RemoteSegment[memory.segments()];
        for (int i = 0; i < segments.length; i++) {
            segments[i] = new RemoteSegment(memory.node(), i, memory.segmentBytes(), 0, memory.rkey(i));
        }
    }

    SimFabric fabric() {
        return fabric;
    }

    SimMemoryEndpoint memory() {
        return memory;
    }

    int computeNode() {
        return compute.node();
    }

    @Override
    public int memoryNode() {
        return memory.node();
    }

    @Override
    public int segments() {
        return segments.length;
    }

    @Override
    public RemoteSegment segment(int i) {
        return segments[i];
    }

    /** The segment that a request names, null if there is none with that key. */
    @Nullable
    SimSegment find(RemoteSegment named) {
        int i = named.index();
        return i >= 0 && i < memory.segments() && memory.rkey(i) == named.rkey() ? memory.segment(i) : null;
    }

    @Override
    public int lanes() {
        return lanes.size();
    }

    @Override
    public Lane lane(int i) {
        return lanes.get(i);
    }

    List<SimLane> simLanes() {
        return lanes;
    }

    /** How much longer than usual its lanes take for each step. */
    long slowness() {
        return compute.slowness();
    }

    /** That of all this node's lanes on which the earliest request has been posted. */
    SimLane laneOfOldestRequest() {
        SimLane oldest = lanes.get(0);
        for (SimLink link : compute.links()) {
            for (SimLane lane : link.lanes) {
                oldest = lane.oldestRequest() < oldest.oldestRequest() ? lane : oldest;
            }
        }
        return oldest;
    }

    @Override
    public @Nullable LocalSegments localSegments() {
        return fabric.hasLocalReads() && compute.node() == memory.node() ? memory : null;
    }

    /** Whether the Memory Node is gone by now. */
    boolean isGone() {
        return memory.isGone();
    }

    @Override
    public boolean isLost() {
        return memory.isGone();
    }

    @Override
    public void close() {
        lanes.forEach(SimLane::close);
    }
}
