package dev.remus.fabric.shm;

import dev.remus.fabric.Lane;
import dev.remus.fabric.Link;
import dev.remus.fabric.RemoteSegment;
import java.util.List;
import java.util.stream.IntStream;

/** The mapped segments of one Memory Node. */
final class ShmLink implements Link {
    private final MappedNode node;
    private final int memoryNode;
    private final List<RemoteSegment> segments;
    private final List<ShmLane> lanes;

    /** @param node the mapped segments of the offer; this link closes them */
    ShmLink(MappedNode node, int memoryNode, Offer offer, int lanes) {
        this.node = node;
        this.memoryNode = memoryNode;
        this.segments = IntStream.range(0, node.segments())
                .mapToObj(i -> new RemoteSegment(
                        memoryNode, i, offer.segmentBytes(), 0, offer.rkeys().get(i)))
                .toList();
        this.lanes = IntStream.range(0, lanes)
                .mapToObj(i -> new ShmLane(this, node, i))
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
