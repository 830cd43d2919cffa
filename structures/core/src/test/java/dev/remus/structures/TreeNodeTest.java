package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.TestCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Copies of nodes of the ordered map. */
@Timeout(60)
class TreeNodeTest {
    @Test
    void aKeyThatMovedToAnotherSlotWhileItsNodeWasReadIsThereOnce() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            TreeNode node = new TreeNode(4, ct);
            node.stage(0, Long.MIN_VALUE, 0, RdmaPtr.NULL);
            node.setEntry(0, 7, 2); // inserted here
            node.setEntry(1, 3, 4);
            node.setEntry(3, 7, 1); // after it was removed from here
            assertThat(node.isWhole()).isTrue();
            long[] keys = new long[4];
            long[] values = new long[4];
            assertThat(node.sort(keys, values)).isEqualTo(2);
            assertThat(keys).startsWith(3, 7);
            assertThat(values).startsWith(4, 2);
        });
    }
}
