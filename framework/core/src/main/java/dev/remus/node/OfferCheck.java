// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.Agreement;
import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.config.Setting;
import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Link;
import dev.remus.fabric.Version;
import dev.remus.memory.ClusterWord;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Compares each Memory Node's offer with this node's configuration when a Compute Node connects. */
final class OfferCheck {
    private final ClusterConfig config;
    private final SegmentLayout layout;
    private final BlockingOperations memory;
    private final long own;

    /** The cluster words of the Memory Nodes whose layout has been checked. */
    private final Map<Integer, Long> words = new TreeMap<>();

    /** @param memory reads headers, without checks of pointers */
    OfferCheck(ClusterConfig config, BlockingOperations memory) {
        this.config = config;
        this.layout = new SegmentLayout(config);
        this.memory = memory;
        this.own = ClusterWord.of(config);
    }

    /** @throws FabricException if the Memory Node was started for another cluster or runs other software */
    void checkLayout(Link link) {
        int m = link.memoryNode();
        if (link.segments() != config.segmentsPerNode()) {
            throw new FabricException("Memory Node " + m + " offers " + link.segments()
                    + " segments, this node was started with " + ClusterSettings.SEGMENTS_PER_NODE.names() + " "
                    + config.segmentsPerNode());
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
                    + link.segment(s).bytes() + " bytes, this node was started with "
                    + ClusterSettings.SEGMENT_SIZE_LOG2.names() + " " + config.segmentSizeLog2() + " ("
                    + config.segmentBytes() + " bytes)");
        }
        long magic = memory.read(SegmentLayout.header(m, s, SegmentHeader.MAGIC));
        if (magic != SegmentHeader.MAGIC_AND_VERSION) {
            throw SegmentHeader.version(magic)
                    .map(theirs -> Version.PRESENT.refusal("Memory Node " + m, theirs))
                    .orElseGet(() -> new FabricException("segment " + s + " of Memory Node " + m + " starts with 0x"
                            + Long.toHexString(magic) + " and not with 0x"
                            + Long.toHexString(SegmentHeader.MAGIC_AND_VERSION) + ": it is damaged"));
        }
    }

    private void checkCluster(int m) {
        long theirs = memory.read(layout.cluster(m));
        if (!ClusterWord.isValid(theirs)) {
            throw new FabricException("the cluster word of Memory Node " + m + " is 0x" + Long.toHexString(theirs)
                    + ", which no configuration has: it is damaged");
        }
        requireSame(m, theirs, Agreement.LAYOUT);
        if (ClusterWord.hasReturns(theirs) || config.returns() > 0) {
            checkReturns(m);
        }
        words.put(m, theirs);
    }

    private void checkReturns(int m) {
        long theirs = memory.read(layout.returns(m));
        if (theirs != config.returns()) {
            throw new FabricException("Memory Node " + m + " was started with " + ClusterSettings.RETURNS.names() + " "
                    + theirs + ", this node with " + config.returns() + ". All nodes of a cluster need the same");
        }
    }

    private void checkHeader(int m, int s) {
        checkHeader(m, s, SegmentHeader.SIZE, config.segmentBytes(), "size");
        checkHeader(m, s, SegmentHeader.END, layout.end(s), "end of blocks");
    }

    private void checkHeader(int m, int s, int offset, long expected, String name) {
        long found = memory.read(SegmentLayout.header(m, s, offset));
        if (found != expected) {
            throw new FabricException("the header of segment " + s + " of Memory Node " + m + " has the " + name + " "
                    + found + " and not " + expected + ": it is damaged");
        }
    }

    /**
     * @throws FabricException if a Memory Node whose layout has been checked has another value of a compared setting
     */
    void checkCompared() {
        words.forEach((memoryNode, theirs) -> requireSame(memoryNode, theirs, Agreement.COMPARED));
    }

    private void requireSame(int memoryNode, long theirs, Agreement agreement) {
        List<Setting<?>> differences = ClusterWord.differences(theirs, own, agreement);
        if (!differences.isEmpty()) {
            throw new FabricException("Memory Node " + memoryNode + " was started with "
                    + ClusterWord.describe(theirs, differences) + ", this node with "
                    + ClusterWord.describe(own, differences) + ". All nodes of a cluster need the same");
        }
    }
}
