// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.memory.OutOfRemoteMemoryException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.FabricKind;
import dev.remus.node.TestCluster;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bulk loads of the ordered map, one thread at a time. */
@Tag("oldest-jdk")
@Timeout(120)
class LongLongTreeLoadTest {
    private static final long MISSING = -1;
    private static final int KEYS = 20_000;

    private static void run(int memoryNodes, ComputeNode.Body body) throws Exception {
        TestCluster.of(TestCluster.config(memoryNodes, 1, 1)
                        .segmentSizeLog2(22)
                        .checkMemory(true)
                        .build())
                .run(body);
    }

    private static Consumer<LongLongMap.LongLongConsumer> ascending(long count) {
        return entries -> {
            for (long key = 0; key < count; key++) {
                entries.accept(key, key + 1);
            }
        };
    }

    private static NavigableMap<Long, Long> content(LongLongTree tree, ComputeThread ct) {
        NavigableMap<Long, Long> content = new TreeMap<>();
        tree.scan(Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, content::put, ct);
        return content;
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "2, 2", "2, 3", "2, 4", "2, 5", "2, 100", "3, 64", "3, 1000", "41, 36", "41, 37", "41, 5000"})
    void aLoadedMapHasAllEntriesAndCanBeChanged(int entries, int count) throws Exception {
        run(2, ct -> {
            RdmaPtr<TreeTable> This = LongLongTree.create(new TreeShape(entries), ct);
            LongLongTree tree = new LongLongTree(This, MISSING, ct);
            LongLongTree older = new LongLongTree(This, MISSING, ct);
            NavigableMap<Long, Long> model = new TreeMap<>();
            for (long i = 0; i < count; i++) {
                model.put(i == 0 ? Long.MIN_VALUE : i == count - 1 ? Long.MAX_VALUE : 3 * i, i);
            }
            assertThat(tree.bulkLoad(into -> model.forEach(into::accept), ct)).isEqualTo(count);
            assertThat(content(older, ct)).isEqualTo(model);
            assertThat(tree.checkedSize(ct)).isEqualTo(count);
            for (long key = 0; key < 8L * entries; key++) {
                assertThat(tree.put(key, -key, ct)).isEqualTo(orMissing(model.put(key, -key)));
                assertThat(older.remove(3 * key, ct)).isEqualTo(orMissing(model.remove(3 * key)));
            }
            for (int round = 1; round <= 2; round++) { // puts enter the nodes that removals have left unnamed
                model.forEach(
                        (key, value) -> assertThat(older.put(key, value, ct)).isEqualTo(value));
            }
            assertThat(content(tree, ct)).isEqualTo(model);
            assertThat(older.checkedSize(ct)).isEqualTo(model.size());
            assertThat(tree.unnamedNodes(ct)).isZero();
            tree.destroy(ct);
        });
    }

    private static long orMissing(Long value) {
        return value == null ? MISSING : value;
    }

    @Test
    void aHandleThatRemembersTheEmptyMapLearnsTheLoadedRootByItself() throws Exception {
        run(2, ct -> {
            RdmaPtr<TreeTable> This = LongLongTree.create(new TreeShape(3), ct);
            TreeTable table = TreeTable.open(This, ct);
            TreeCore core = new TreeCore(table, 64, ct) {
                @Override
                TreeLoad makeLoad(ComputeThread thread) {
                    return new TreeLoad(table, new TreeAccess(makeNode(thread), thread), thread) {
                        @Override
                        void link(long root, long leaf) {
                            super.link(root, leaf);
                            throw new UnsupportedOperationException("the thread ends here");
                        }
                    };
                }
            };
            LongLongTree loader = new LongLongTree(
                    table,
                    MISSING,
                    core,
                    new TreeScan(core, 3, ct),
                    new TreeSnapshot(core, 3, ct),
                    new TreeRemoval(core, ct));
            LongLongTree older = new LongLongTree(This, MISSING, ct);
            assertThatThrownBy(() -> loader.bulkLoad(ascending(1_000), ct))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThat(table.root.load(ct)).as("the root").isEqualTo(table.root.fetched());
            long before = ct.metrics().roundTrips();
            assertThat(older.get(999, ct)).isEqualTo(1_000);
            assertThat(ct.metrics().roundTrips() - before)
                    .as("no walk over the leaves")
                    .isLessThan(40);
            assertThat(table.root.load(ct)).as("the root").isNotEqualTo(table.root.fetched());
            assertThat(older.checkedSize(ct)).isEqualTo(1_000);
            assertThat(older.unnamedNodes(ct)).isZero();
            older.destroy(ct);
        });
    }

    @Test
    void anEmptySourceLeavesAMapThatIsStillNew() throws Exception {
        run(1, ct -> {
            LongLongTree tree = new LongLongTree(LongLongTree.create(ct), MISSING, ct);
            assertThat(tree.bulkLoad(ascending(0), ct)).isZero();
            assertThat(tree.bulkLoad(ascending(10), ct)).isEqualTo(10);
            assertThat(tree.checkedSize(ct)).isEqualTo(10);
            tree.destroy(ct);
        });
    }

    @Test
    void aLoadOfAMapThatHasOrHadEntriesIsRejectedAndChangesNothing() throws Exception {
        run(1, ct -> {
            LongLongTree loaded = new LongLongTree(LongLongTree.create(ct), MISSING, ct);
            loaded.bulkLoad(ascending(10), ct);
            LongLongTree used = new LongLongTree(LongLongTree.create(ct), MISSING, ct);
            used.put(1, 1, ct);
            LongLongTree split = new LongLongTree(LongLongTree.create(new TreeShape(2), ct), MISSING, ct);
            for (long key = 0; key < 3; key++) {
                split.put(key, key, ct);
            }
            for (long key = 0; key < 3; key++) {
                split.remove(key, ct);
            }
            LongLongTree late = new LongLongTree(LongLongTree.create(ct), MISSING, ct);
            assertThatThrownBy(() -> loaded.bulkLoad(ascending(20), ct)).hasMessageContaining("that is not new");
            assertThatThrownBy(() -> used.bulkLoad(ascending(20), ct)).hasMessageContaining("that is not new");
            assertThatThrownBy(() -> split.bulkLoad(ascending(20), ct)).hasMessageContaining("that is not new");
            LongLongTree other = new LongLongTree(LongLongTree.create(ct), MISSING, ct);
            assertThatThrownBy(() -> late.bulkLoad(
                            entries -> {
                                ascending(20).accept(entries);
                                other.put(1, 1, ct);
                                throw new IllegalStateException("of the source");
                            },
                            ct))
                    .hasMessage("of the source");
            assertThat(loaded.checkedSize(ct)).isEqualTo(10);
            assertThat(used.checkedSize(ct)).isEqualTo(1);
            assertThat(split.checkedSize(ct)).isZero();
            assertThat(late.checkedSize(ct)).isZero();
        });
    }

    @Test
    void aLoadFailsIfAnotherHandleHasAddedAnEntryMeanwhile() throws Exception {
        run(1, ct -> {
            RdmaPtr<TreeTable> This = LongLongTree.create(ct);
            LongLongTree tree = new LongLongTree(This, MISSING, ct);
            LongLongTree other = new LongLongTree(This, MISSING, ct);
            assertThatThrownBy(() -> tree.bulkLoad(
                            entries -> {
                                ascending(20).accept(entries);
                                other.put(100, 1, ct);
                            },
                            ct))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("that is not new");
            assertThat(content(tree, ct)).isEqualTo(new TreeMap<>(Map.of(100L, 1L)));
            assertThat(tree.checkedSize(ct)).isEqualTo(1);
        });
    }

    @Test
    void keysThatDoNotAscendAreRejected() throws Exception {
        run(1, ct -> {
            LongLongTree tree = new LongLongTree(LongLongTree.create(ct), MISSING, ct);
            for (long second : new long[] {7, 6, Long.MIN_VALUE}) {
                assertThatThrownBy(() -> tree.bulkLoad(
                                entries -> {
                                    entries.accept(7, 1);
                                    entries.accept(second, 1);
                                },
                                ct))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("a bulk load needs ascending keys: " + second + " follows 7");
            }
            assertThat(tree.bulkLoad(ascending(10), ct)).isEqualTo(10);
            assertThat(content(tree, ct)).hasSize(10);
        });
    }

    @Test
    void aLoadThatDoesNotFitIntoMemoryGivesAllOfItBack() throws Exception {
        run(1, ct -> {
            LongLongTree tree = new LongLongTree(LongLongTree.create(ct), MISSING, ct);
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> tree.bulkLoad(ascending(1_000_000), ct))
                        .isInstanceOf(OutOfRemoteMemoryException.class);
            }
            assertThat(tree.size(ct)).isZero();
            assertThat(tree.bulkLoad(ascending(100_000), ct)).isEqualTo(100_000);
            assertThat(tree.checkedSize(ct)).isEqualTo(100_000);
            tree.destroy(ct);
        });
    }

    @ParameterizedTest
    @CsvSource({"DIRECT, 1", "LANES, 1", "LANES, 2"})
    void aLoadTakesFewRoundTripsAndLeavesLeavesNineTenthsFull(FabricKind fabric, int memoryNodes) throws Exception {
        fabric.run(TestCluster.config(memoryNodes, 1, 1).segmentSizeLog2(23).build(), ct -> {
            RdmaPtr<TreeTable> This = LongLongTree.create(ct);
            LongLongTree tree = new LongLongTree(This, MISSING, ct);
            long before = ct.metrics().roundTrips();
            long allocated = ct.metrics().fetchAndAdds();
            tree.bulkLoad(ascending(KEYS), ct);
            long taken = ct.metrics().roundTrips() - before;
            assertThat((double) taken / KEYS).as("round trips for an entry").isLessThan(0.03);
            assertThat(taken - (ct.metrics().fetchAndAdds() - allocated))
                    .as("other ones than those of allocations, for 573 nodes")
                    .isLessThan(KEYS / 1_000);
            assertThat(leaves(This, ct)).isEqualTo((KEYS + 35) / 36);
            assertThat(tree.checkedSize(ct)).isEqualTo(KEYS);
        });
    }

    private static int leaves(RdmaPtr<TreeTable> This, ComputeThread ct) {
        TreeNode node = new TreeCore(TreeTable.open(This, ct), 0, ct).search(TreeKey.lowest(1), 0, ct);
        int leaves = 1;
        for (; !node.isLast(); leaves++) {
            node.read(node.link(), ct);
        }
        return leaves;
    }
}
