package dev.remus.fabric.shm;

import dev.remus.fabric.Lane;
import dev.remus.fabric.Link;
import dev.remus.fabric.RemoteSegment;
import java.util.List;
import java.util.stream.IntStream;

/** The mapped segments of one Memory Node. */
final class ShmLink implements Link {
    private final NodeWatch watch;
    private final int memoryNode;
    private final List<Mapping> mappings;
    private final List<RemoteSegment> segments;
    private final List<ShmLane> lanes;
    private volatile boolean lost;

    /** @param watch of the Memory Node that made the offer; this link closes it */
    ShmLink(NodeWatch watch, int memoryNode, Offer offer, List<Mapping> mappings, int lanes) {
        this.watch = watch;
        this.memoryNode = memoryNode;
        this.mappings = List.copyOf(mappings);
        this.segments = IntStream.range(0, mappings.size())
                .mapToObj(i -> new RemoteSegment(
                        memoryNode, i, offer.segmentBytes(), 0, offer.rkeys().get(i)))
                .toList();
        this.lanes =
                IntStream.range(0, lanes).mapToObj(i -> new ShmLane(this, i)).toList();
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
        return mappings.get(i);
    }

    @Override
    public int lanes() {
        return lanes.size();
    }

    @Override
    public Lane lane(int i) {
        return lanes.get(i);
    }

    /** Lost if nobody holds the lock on the node file of that run any more. */
    @Override
    public boolean isLost() {
        if (!lost) {
            lost = !watch.isAlive();
        }
        return lost;
    }

    /** Whether {@link #isLost} has found the Memory Node lost. */
    boolean wasFoundLost() {
        return lost;
    }

    @Override
    public void close() {
        lanes.forEach(ShmLane::close);
        watch.close();
    }
}
