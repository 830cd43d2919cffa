package dev.remus.fabric.sim;

import dev.remus.fabric.LocalSegments;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.PeerState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A simulated Memory Node's segments. */
final class SimMemoryEndpoint implements MemoryEndpoint, LocalSegments {
    private static final int STEPS_OF_A_LOOK = 16;

    private final SimFabric fabric;
    private final SimFabric.Id id;
    private final long segmentBytes;
    private final List<SimSegment> segments = new ArrayList<>();
    private final Map<Integer, PeerState> peers = new HashMap<>();
    private final int firstKey;

    /** Lanes that stand still until others come to the words of their requests. */
    private final List<SimLane> late = new ArrayList<>();

    private boolean published;
    private volatile boolean gone;

    SimMemoryEndpoint(SimFabric fabric, SimFabric.Id id, int segments, long segmentBytes) {
        this.fabric = fabric;
        this.id = id;
        this.segmentBytes = segmentBytes;
        this.firstKey = (int) fabric.simulator().newSeed();
        for (int i = 0; i < segments; i++) {
            this.segments.add(new SimSegment(fabric.simulator(), segmentBytes));
        }
    }

    SimFabric.Id id() {
        return id;
    }

    @Override
    public int node() {
        return id.node();
    }

    @Override
    public int segments() {
        return segments.size();
    }

    @Override
    public long segmentBytes() {
        return segmentBytes;
    }

    SimSegment segment(int i) {
        return segments.get(i);
    }

    /** Lets all lanes try their atomics again. */
    void admitAll() {
        segments.forEach(SimSegment::admitAll);
    }

    /** A lane stands still until it {@linkplain SimLane#meets meets} others. */
    void await(SimLane lane) {
        late.add(lane);
    }

    /** It goes on. */
    void goesOn(SimLane lane) {
        late.remove(lane);
    }

    /** A request has been posted, for which lanes may have waited. */
    void comes(SimRequest r) {
        for (int i = late.size() - 1; i >= 0; i--) {
            late.get(i).meets(r);
        }
    }

    int rkey(int segment) {
        return firstKey + segment;
    }

    boolean isPublished() {
        return published && !gone;
    }

    boolean isGone() {
        return gone;
    }

    @Override
    public long get(int segment, long offset) {
        synchronized (fabric.simulator()) {
            check(segment, offset);
            if (!fabric.simulator().isInside()) {
                fabric.advance(STEPS_OF_A_LOOK);
            }
            return segments.get(segment).get(offset);
        }
    }

    @Override
    public void set(int segment, long offset, long value) {
        synchronized (fabric.simulator()) {
            check(segment, offset);
            segments.get(segment).set(offset, value);
        }
    }

    @Override
    public boolean isOpen() {
        return !gone;
    }

    /** A load of this node's processor; others may go on just before it. */
    @Override
    public long read(int segment, long offset) {
        fabric.simulator().letOthersGoOn();
        return segments.get(segment).get(offset);
    }

    private void check(int segment, long offset) {
        checkOpen();
        if (segment < 0
                || segment >= segments.size()
                || offset < 0
                || offset > segmentBytes - Long.BYTES
                || (offset & 7) != 0) {
            throw new IndexOutOfBoundsException("offset " + offset + " of segment " + segment + " of Memory Node "
                    + id.node() + ", which has " + segments.size() + " segments of " + segmentBytes + " bytes");
        }
    }

    private void checkOpen() {
        if (gone) {
            throw new IllegalStateException("Memory Node " + id.node() + " is closed");
        }
    }

    @Override
    public void publish() {
        checkOpen();
        if (published) {
            throw new IllegalStateException("Memory Node " + id.node() + " is published already");
        }
        published = true;
    }

    @Override
    public PeerState peer(int computeNode) {
        synchronized (fabric.simulator()) {
            return peers.getOrDefault(computeNode, PeerState.ABSENT);
        }
    }

    void setPeer(int computeNode, PeerState state) {
        synchronized (fabric.simulator()) {
            peers.put(computeNode, state);
            fabric.simulator().changed();
        }
    }

    @Override
    public void close() {
        if (!gone) {
            gone = true;
            fabric.simulator().changed();
            admitAll(); // they will find it gone
            fabric.remove(this);
        }
    }
}
