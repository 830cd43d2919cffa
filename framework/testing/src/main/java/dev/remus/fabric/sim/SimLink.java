// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import dev.remus.fabric.Lane;
import dev.remus.fabric.LocalSegments;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.RemoteSegment;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A simulated Compute Node's connection to a simulated Memory Node. */
final class SimLink implements LaneOwner<SimLane>, SimMemory.Joined {
    private final SimNetwork network;
    private final SimLanes node;
    private final SimMemory memory;
    private final SimCable cable;
    private final boolean localReads;
    private final List<SimLane> lanes;
    private final RemoteSegment[] segments;

    /**
     * @param node the Compute Node's lanes, to which the link does not add its own
     * @param localReads whether a node that is both may read its own memory without an operation
     */
    SimLink(SimNetwork network, SimLanes node, SimMemory memory, SimCable cable, boolean localReads, int lanes) {
        this.network = network;
        this.node = node;
        this.memory = memory;
        this.cable = cable;
        this.localReads = localReads;
        this.lanes = IntStream.range(0, lanes)
                .mapToObj(i -> new SimLane(network.simulator(), this, memory, i))
                .toList();
        this.segments = new RemoteSegment[memory.segments()];
        for (int i = 0; i < segments.length; i++) {
            segments[i] = new RemoteSegment(memory.id().node(), i, memory.segmentBytes(), 0, memory.rkey(i));
        }
    }

    @Override
    public long incarnation() {
        return node.incarnation();
    }

    SimMemory memory() {
        return memory;
    }

    @Override
    public int computeNode() {
        return node.id().node();
    }

    @Override
    public int memoryNode() {
        return memory.id().node();
    }

    @Override
    public int segments() {
        return segments.length;
    }

    @Override
    public RemoteSegment segment(int i) {
        return segments[i];
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

    @Override
    public long slowness() {
        return node.slowness();
    }

    @Override
    public SimLane laneOfOldestRequest() {
        return node.oldest(lanes.get(0));
    }

    @Override
    public List<SimLane> lanesOfNode() {
        return node.all();
    }

    @Override
    public void advanceAll(int steps) {
        network.advance(steps);
    }

    @Override
    public @Nullable LocalSegments localSegments() {
        return localReads && computeNode() == memoryNode() ? memory : null;
    }

    @Override
    public boolean isLost() {
        synchronized (network.simulator()) {
            return memory.isGone() || cable.isLost() || memory.hasCutOff(node.incarnation());
        }
    }

    @Override
    public boolean isReachable() {
        synchronized (network.simulator()) {
            return !memory.isGone() && cable.isReachable() && !memory.hasCutOff(node.incarnation());
        }
    }

    @Override
    public LossKind lossKind() {
        boolean isCutOff = memory.hasCutOff(node.incarnation());
        return memory.isGone() ? LossKind.ENDED : isCutOff ? LossKind.UNREACHABLE : cable.lossKind();
    }

    /** False while the Memory Node cannot be reached: it cannot report that. */
    @Override
    public boolean isCutOff() {
        synchronized (network.simulator()) {
            return !memory.isGone() && cable.isReachable() && memory.hasCutOff(node.incarnation());
        }
    }

    @Override
    public void cutOff(SplittableRandom random) {
        lanes.forEach(lane -> lane.cutOff(random));
    }

    /** The Compute Node has died: what it has posted may still arrive, and late, until it is cut off. */
    void orphan(SplittableRandom random) {
        for (SimLane lane : lanes) {
            switch (random.nextInt(3)) {
                case 0 -> lane.breakDown(random);
                case 1 -> lane.stall(random);
                default -> {} // it still arrives
            }
        }
    }

    /** Takes the link down. All of its lanes break. */
    void goDown(long nanos, SplittableRandom random) {
        lanes.forEach(lane -> lane.breakDown(random));
        cable.goDown(nanos);
    }

    @Override
    public void close() {
        lanes.forEach(SimLane::close);
    }
}
