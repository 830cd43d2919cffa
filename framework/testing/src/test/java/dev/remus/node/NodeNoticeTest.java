// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.config.Reclamation;
import dev.remus.memory.SegmentLayout;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;

/** The text of a node for programs that watch its cluster. */
class NodeNoticeTest {
    /** Two Compute Nodes with two threads each, which may come back three times. */
    private final ClusterConfig config = ClusterConfig.builder()
            .memoryNodes(0, 0)
            .computeNodes(1, 2)
            .threadsPerNode(2)
            .onNodeLoss(OnNodeLoss.CONTINUE)
            .returns(3)
            .build();

    private final NodeEpochs epochs = new NodeEpochs(config, () -> 5);

    private String text(int node, int life) {
        return NodeNotice.text(17, config, node, life, new AtomicReferenceArray<>(2), epochs, Map.of(), "");
    }

    /** A lock has an entry for each. */
    @Test
    void theThreadsOfAllLivesAreCounted() {
        assertThat(text(1, 0)).contains("threads=16\n", "first=0\n");
    }

    @Test
    void theFirstThreadOfALaterLifeHasAnIdOfItsOwn() {
        assertThat(text(2, 0)).contains("first=2\n");
        assertThat(text(2, 1)).contains("first=6\n");
    }

    @Test
    void theEpochHasAPointerAndRetiredBlocksHaveTheirBytes() {
        assertThat(text(1, 0)).contains("epoch=" + new SegmentLayout(config).epoch() + "\n", "retired=5 0\n");
        epochs.pool().put(64, 192);
        assertThat(text(1, 0)).contains("retired=6 192\n");
    }

    @Test
    void aClusterThatReclaimsAtBarriersHasNoEpoch() {
        ClusterConfig barriers = ClusterConfig.builder()
                .memoryNodes(0, 0)
                .computeNodes(1, 1)
                .threadsPerNode(1)
                .reclaim(Reclamation.BARRIER)
                .build();
        assertThat(NodeNotice.text(17, barriers, 1, 0, new AtomicReferenceArray<>(1), epochs, Map.of(), ""))
                .doesNotContain("epoch=");
    }
}
