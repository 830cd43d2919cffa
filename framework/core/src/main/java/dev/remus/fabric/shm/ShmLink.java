// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import dev.remus.fabric.Lane;
import dev.remus.fabric.Link;
import dev.remus.fabric.RemoteSegment;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The mapped segments of one Memory Node. */
final class ShmLink implements Link {
    private final MappedNode node;
    private final int memoryNode;
    private final List<RemoteSegment> segments;
    private final List<ShmLane> lanes;
    private final @Nullable EmulatedPath path;

    /**
     * A link over mapped segments.
     *
     * @param node the mapped segments of the offer; this link closes them
     * @param path the path whose latency is emulated; null for none
     */
    ShmLink(MappedNode node, int memoryNode, Offer offer, int lanes, @Nullable EmulatedPath path) {
        this.node = node;
        this.memoryNode = memoryNode;
        this.path = path;
        this.segments = IntStream.range(0, node.segments())
                .mapToObj(i -> new RemoteSegment(
                        memoryNode, i, offer.segmentBytes(), 0, offer.rkeys().get(i)))
                .toList();
        this.lanes = IntStream.range(0, lanes)
                .mapToObj(i -> new ShmLane(this, node, i, path))
                .toList();
    }

    @Override
    public int memoryNode() {
        return memoryNode;
    }

    @Override
    public int segments() {
        return segments.size();
    }

    @Override
    public RemoteSegment segment(int i) {
        return segments.get(i);
    }

    /** The path whose latency is emulated; null for none. */
    @Nullable
    EmulatedPath path() {
        return path;
    }

    Mapping mapping(int i) {
        return node.mapping(i);
    }

    @Override
    public int lanes() {
        return lanes.size();
    }

    @Override
    public Lane lane(int i) {
        return lanes.get(i);
    }

    @Override
    public boolean isLost() {
        return node.isLost();
    }

    @Override
    public void close() {
        lanes.forEach(ShmLane::close);
        node.close();
    }
}
