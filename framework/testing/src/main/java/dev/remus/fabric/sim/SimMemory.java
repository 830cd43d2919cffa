// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import dev.remus.fabric.LocalSegments;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.PeerState;
import dev.remus.fabric.RemoteSegment;
import dev.remus.memory.RdmaPtr;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The memory of a simulated Memory Node as lanes access it: its segments, their keys, and the stalled lanes. */
final class SimMemory implements LocalSegments {
    /** A lane that stalls until others post requests to the same words. */
    interface StalledLane {
        /** Called for each posted request, which may be one that this lane waits for. */
        void posted(SimRequest other);
    }

    /** A Compute Node that has joined this Memory Node. */
    interface Joined {
        /** Its incarnation. */
        long incarnation();

        /** Breaks its lanes for good, once what has arrived is placed. */
        void cutOff(SplittableRandom random);
    }

    private final Simulator simulator;
    private final NodeId id;
    private final long segmentBytes;
    private final List<SimSegment> segments = new ArrayList<>();
    private final Map<Integer, PeerState> peers = new HashMap<>();
    private final Map<Integer, SimCable> cables = new HashMap<>();

    /** The present incarnation of each Compute Node. */
    private final Map<Integer, Joined> joined = new HashMap<>();

    /** All incarnations that have joined: requests of an earlier one may be late. */
    private final Map<Long, Joined> incarnations = new HashMap<>();

    private final Set<Long> cutOff = new HashSet<>();

    /** When this node was first asked to cut off each incarnation. */
    private final Map<Long, Long> asked = new HashMap<>();

    /** How long it takes to cut one off. */
    private final long cutOffNanos;

    private final int firstKey;
    private final List<StalledLane> stalled = new ArrayList<>();

    private boolean published;
    private volatile boolean gone;

    SimMemory(Simulator simulator, NodeId id, int segments, long segmentBytes, long cutOffNanos) {
        this.simulator = simulator;
        this.id = id;
        this.segmentBytes = segmentBytes;
        this.cutOffNanos = cutOffNanos;
        this.firstKey = (int) simulator.newSeed();
        for (int i = 0; i < segments; i++) {
            this.segments.add(new SimSegment(simulator.world(), RdmaPtr.raw(id.node(), i, 0), segmentBytes));
        }
    }

    NodeId id() {
        return id;
    }

    int segments() {
        return segments.size();
    }

    long segmentBytes() {
        return segmentBytes;
    }

    SimSegment segment(int i) {
        return segments.get(i);
    }

    int rkey(int segment) {
        return firstKey + segment;
    }

    /** The segment that a request names, null if there is none with that key. */
    @Nullable
    SimSegment find(RemoteSegment named) {
        int i = named.index();
        return i >= 0 && i < segments.size() && rkey(i) == named.rkey() ? segments.get(i) : null;
    }

    // ------------------------------------------------------------------------------------------------ lanes

    /** Lets all lanes retry their atomics. */
    void admitAll() {
        segments.forEach(SimSegment::admitAll);
    }

    /** Adds a lane that stalls until others have {@linkplain StalledLane#posted posted} requests. */
    void addStalled(StalledLane lane) {
        stalled.add(lane);
    }

    /** Removes a lane that resumes. */
    void removeStalled(StalledLane lane) {
        stalled.remove(lane);
    }

    /** Notifies the stalled lanes of a posted request. */
    void announce(SimRequest r) {
        for (int i = stalled.size() - 1; i >= 0; i--) {
            stalled.get(i).posted(r);
        }
    }

    // ------------------------------------------------------------------------------------------------ its node

    @Override
    public boolean isOpen() {
        return !gone;
    }

    /** A load by this node's processor; other agents may go on just before it. */
    @Override
    public long read(int segment, long offset) {
        simulator.letOthersGoOn();
        SimSegment from = segments.get(segment);
        return simulator.world().isEnumerated() ? from.read(offset) : from.get(offset);
    }

    void publish() {
        if (published) {
            throw new IllegalStateException("Memory Node " + id.node() + " is published already");
        }
        published = true;
    }

    boolean isPublished() {
        return published && !gone;
    }

    boolean isGone() {
        return gone;
    }

    /** Ends the Memory Node, and its memory with it. */
    void end() {
        gone = true;
        simulator.world().changed();
        admitAll(); // they find the memory gone
    }

    PeerState peer(int computeNode) {
        synchronized (simulator) {
            PeerState state = peers.getOrDefault(computeNode, PeerState.ABSENT);
            SimCable cable = cables.get(computeNode);
            return state == PeerState.JOINED && cable != null && cable.isLost() ? PeerState.LOST : state;
        }
    }

    /** How a Compute Node was lost. */
    LossKind lossOf(int computeNode) {
        synchronized (simulator) {
            SimCable cable = cables.get(computeNode);
            return cable == null ? LossKind.ENDED : cable.lossKind();
        }
    }

    /** A Compute Node is joined by this cable from now on. */
    void join(int computeNode, SimCable cable, Joined node) {
        synchronized (simulator) {
            cables.put(computeNode, cable);
            joined.put(computeNode, node);
            incarnations.put(node.incarnation(), node);
        }
    }

    /** The incarnation of a Compute Node; 0 if it has not joined. */
    long incarnation(int computeNode) {
        synchronized (simulator) {
            Joined node = joined.get(computeNode);
            return node == null ? 0 : node.incarnation();
        }
    }

    /**
     * Cuts off an incarnation of a Compute Node, the present one or an earlier one: nothing of it arrives later.
     *
     * @return whether it is cut off now
     */
    boolean fence(int computeNode, long incarnation) {
        synchronized (simulator) {
            long now = simulator.world().now();
            if (now - asked.computeIfAbsent(incarnation, first -> now) < cutOffNanos) {
                return false;
            }
            Joined node = incarnations.get(incarnation);
            if (cutOff.add(incarnation) && node != null) {
                node.cutOff(new SplittableRandom(incarnation ^ simulator.world().now()));
                simulator.world().happened("cut off: node " + computeNode + " by node " + id.node());
                simulator.world().changed();
            }
            return true;
        }
    }

    /** Whether an incarnation is cut off. */
    boolean hasCutOff(long incarnation) {
        synchronized (simulator) {
            return cutOff.contains(incarnation);
        }
    }

    void setPeer(int computeNode, PeerState state) {
        synchronized (simulator) {
            peers.put(computeNode, state);
            simulator.world().changed();
        }
    }
}
