package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Link;
import dev.remus.fabric.RemoteMemory;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import java.util.Map;
import java.util.TreeMap;

/** Whether what a Memory Node offers is what this node was started for: looked at once, when a Compute Node connects. */
final class OfferCheck {
    private final ClusterConfig config;
    private final SegmentLayout layout;
    private final RemoteMemory memory;

    /** Those of the Memory Nodes whose layout has been checked. */
    private final Map<Integer, OnNodeLoss> policies = new TreeMap<>();

    /** @param memory reads headers; the pointers are not checked */
    OfferCheck(ClusterConfig config, RemoteMemory memory) {
        this.config = config;
        this.layout = new SegmentLayout(config);
        this.memory = memory;
    }

    /** @throws FabricException if the Memory Node was started for another cluster or runs other software */
    void checkLayout(Link link) {
        int m = link.memoryNode();
        if (link.segments() != config.segmentsPerNode()) {
            throw new FabricException("Memory Node " + m + " offers " + link.segments()
                    + " segments, this node was started with --segs-per-mn " + config.segmentsPerNode());
        }
        for (int s = 0; s < link.segments(); s++) {
            checkSize(link, s);
        }
        checkCluster(m);
        for (int s = 0; s < link.segments(); s++) {
            checkHeader(m, s);
        }
    }

    private void checkSize(Link link, int s) {
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
    }

    private void checkHeader(int m, int s) {
        long size = memory.read(SegmentLayout.header(m, s, SegmentHeader.SIZE));
        if (size != config.segmentBytes()) {
            throw new FabricException("the header of segment " + s + " of Memory Node " + m + " says that it has "
                    + size + " bytes, and it has " + config.segmentBytes() + ": it is damaged");
        }
        long end = memory.read(SegmentLayout.header(m, s, SegmentHeader.END));
        if (end != layout.end(s)) {
            throw new FabricException("Memory Node " + m + " was started with another --check-memory than this node");
        }
    }

    private void checkCluster(int m) {
        long theirs = memory.read(layout.cluster(m));
        long own = SegmentLayout.clusterWord(config);
        if (!SegmentLayout.haveSameNodes(theirs, own)) {
            throw new FabricException("Memory Node " + m + " was started for another cluster: its --first-mn-id, "
                    + "--last-mn-id, --first-cn-id, --last-cn-id, --cn-threads are "
                    + SegmentLayout.describeCluster(theirs)
                    + ", those of this node " + SegmentLayout.describeCluster(own));
        }
        policies.put(m, SegmentLayout.onNodeLoss(theirs));
    }

    /** @throws FabricException if a Memory Node whose layout has been checked was started with another policy */
    void checkPolicies() {
        policies.forEach((memoryNode, theirs) -> {
            if (theirs != config.onNodeLoss()) {
                throw new FabricException("Memory Node " + memoryNode + " was started with --on-node-loss " + theirs
                        + ", this node with --on-node-loss " + config.onNodeLoss()
                        + ". All nodes of a cluster need the same");
            }
        });
    }
}
