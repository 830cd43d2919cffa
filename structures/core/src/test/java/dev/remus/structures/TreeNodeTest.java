// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.TestCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Copies of nodes of the ordered map. */
@Tag("oldest-jdk")
@Timeout(60)
class TreeNodeTest {
    @Test
    void aKeyThatMovedToAnotherSlotWhileItsNodeWasReadIsThereOnce() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            TreeNode node = new TreeNode(1, 4, ct);
            node.stageLast(0, TreeKey.lowest(1));
            node.setEntry(0, key(7), 2); // inserted here
            node.setEntry(1, key(3), 4);
            node.setEntry(3, key(7), 1); // after it was removed from here
            assertThat(node.isWhole()).isTrue();
            TreeEntries sorted = new TreeEntries(1, 4);
            node.sort(sorted);
            assertThat(sorted.size()).isEqualTo(2);
            assertThat(sorted.compare(0, key(3))).isZero();
            assertThat(sorted.value(0)).isEqualTo(4);
            assertThat(sorted.compare(1, key(7))).isZero();
            assertThat(sorted.value(1)).isEqualTo(2);
        });
    }

    private static TreeKey key(long... words) {
        return new TreeKey(words.length).set(words, 0);
    }

    @Test
    void everyWordOfAKeyAndOfABoundIsSealed() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            TreeNode node = new TreeNode(3, 2, ct);
            node.stage(0, TreeKey.lowest(3), key(9, 9, 9), RdmaPtr.NULL);
            node.setEntry(0, key(1, 2, 3), 4);
            long at = ct.allocate(node.bytes());
            node.write(at, ct);
            int high = TreeNode.LOW + 3 * Long.BYTES;
            int slot = high + 4 * Long.BYTES;
            for (int word : new int[] {0, 1, 2}) {
                for (long changed : new long[] {at + high + word * 8L, at + slot + word * 8L}) {
                    long before = ct.read(changed);
                    ct.write(changed, before + 1);
                    node.read(at, ct);
                    assertThat(node.isWhole()).as("whole with another word").isFalse();
                    assertThat(node.find(key(1, 2, 3))).isEqualTo(-1);
                    ct.write(changed, before);
                    node.read(at, ct);
                    assertThat(node.isWhole()).as("whole again").isTrue();
                    assertThat(node.find(key(1, 2, 3))).isZero();
                }
            }
        });
    }
}
