package dev.remus.fabric.sim;

import dev.remus.fabric.Lane;
import dev.remus.fabric.Link;
import dev.remus.fabric.RemoteSegment;
import java.util.List;
import java.util.stream.IntStream;

/** A simulated Compute Node's connection to a simulated Memory Node. */
final class SimLink implements Link {
    private final SimFabric fabric;
    private final int computeNode;
    private final SimMemoryEndpoint memory;
    private final List<SimLane> lanes;

    SimLink(SimFabric fabric, int computeNode, SimMemoryEndpoint memory, int lanes) {
        this.fabric = fabric;
        this.computeNode = computeNode;
        this.memory = memory;
        this.lanes = IntStream.range(0, lanes)
                .mapToObj(i -> new SimLane(fabric.simulator(), this, i))
                .toList();
    }

    SimFabric fabric() {
        return fabric;
    }

    SimMemoryEndpoint memory() {
        return memory;
    }

    int computeNode() {
        return computeNode;
    }

    @Override
    public int memoryNode() {
        return memory.node();
    }

    @Override
    public int segments() {
        return memory.segments();
    }

    @Override
    public RemoteSegment segment(int i) {
        return new RemoteSegment(memory.node(), i, memory.segmentBytes(), 0, memory.rkey(i));
    }

    /** The segment that a request names, null if there is none with that key. */
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
