package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Link;
import dev.remus.fabric.RemoteMemory;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;

/** Whether what a Memory Node offers is what this node was started for: looked at once, when a Compute Node connects. */
final class OfferCheck {
    private final ClusterConfig config;
    private final SegmentLayout layout;
    private final RemoteMemory memory;

    /** @param memory reads headers; the pointers are not checked */
    OfferCheck(ClusterConfig config, RemoteMemory memory) {
        this.config = config;
        this.layout = new SegmentLayout(config);
        this.memory = memory;
    }

    /** @throws FabricException if the Memory Node was started with other options or runs other software */
    void check(Link link) {
        int m = link.memoryNode();
        if (link.segments() != config.segmentsPerNode()) {
            throw new FabricException("Memory Node " + m + " offers " + link.segments()
                    + " segments, this node was started with --segs-per-mn " + config.segmentsPerNode());
        }
        for (int s = 0; s < link.segments(); s++) {
            checkSegment(link, s);
        }
        checkCluster(m);
    }

    private void checkSegment(Link link, int s) {
        int m = link.memoryNode();
        if (link.segment(s).bytes() != config.segmentBytes()) {
            throw new FabricException("Memory Node " + m + " offers segments of "
                    + link.segment(s).bytes() + " bytes, this node was started with --seg-size "
                    + config.segmentSizeLog2() + " (" + config.segmentBytes() + " bytes)");
        }
        long magic = memory.read(SegmentLayout.header(m, s, SegmentHeader.MAGIC));
        if (magic != SegmentHeader.MAGIC_AND_VERSION) {
            throw new FabricException("segment " + s + " of Memory Node " + m + " starts with 0x"
                    + Long.toHexString(magic) + " and not with 0x"
                    + Long.toHexString(SegmentHeader.MAGIC_AND_VERSION)
                    + ": it is damaged, or that node runs another version of this software");
        }
        long size = memory.read(SegmentLayout.header(m, s, SegmentHeader.SIZE));
        if (size != config.segmentBytes()) {
            throw new FabricException("the header of segment " + s + " of Memory Node " + m + " says that it has "
                    + size + " bytes, and it has " + config.segmentBytes() + ": it is damaged");
        }
        long end = memory.read(SegmentLayout.header(m, s, SegmentHeader.END));
        if (end != layout.end(s)) {
            throw new FabricException("Memory Node " + m + " was started with another --check-memory, --first-cn-id "
                    + "or --last-cn-id than this node");
        }
    }

    private void checkCluster(int m) {
        long theirs = memory.read(layout.cluster(m));
        if (theirs != SegmentLayout.clusterWord(config)) {
            throw new FabricException("Memory Node " + m + " was started for another cluster: its --first-mn-id, "
                    + "--last-mn-id, --first-cn-id, --last-cn-id, --cn-threads are "
                    + SegmentLayout.describeCluster(theirs)
                    + ", those of this node " + SegmentLayout.describeCluster(SegmentLayout.clusterWord(config)));
        }
    }
}
