// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.FabricKind;
import dev.remus.node.TestCluster;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the threads of a node remember together of the inner nodes of an ordered map. */
@Tag("any-jdk")
@Timeout(120)
class LongLongTreeSharingTest {
    private static final long MISSING = -1;
    private static final int KEYS = 2_000;

    /** Leaves on level 0, and inner nodes on at least three levels. */
    private static final int ENTRIES = 5;

    private static ClusterConfig.Builder config(int nodes, int threads) {
        return TestCluster.config(2, nodes, threads).segmentSizeLog2(20).checkMemory(true);
    }

    private static LongLongTree handle(ComputeThread ct) {
        return new LongLongTree(ct.root().<TreeTable>get(), MISSING, ct);
    }

    private static RdmaPtr<TreeTable> create(ComputeThread ct) {
        RdmaPtr<TreeTable> map = LongLongTree.create(new TreeShape(ENTRIES), ct);
        fill(new LongLongTree(map, MISSING, 0, ct), ct);
        return map;
    }

    private static void fill(LongLongTree tree, ComputeThread ct) {
        for (long key = 0; key < KEYS; key++) {
            tree.put(key * 777 % KEYS, key * 777 % KEYS, ct);
        }
    }

    /** Gets all keys, and returns how many round trips that took. */
    private static long getAll(LongLongTree tree, ComputeThread ct) {
        long before = ct.metrics().roundTrips();
        for (long key = 0; key < KEYS; key++) {
            long value = tree.get(key, ct);
            if (value != key) {
                throw new AssertionError("key " + key + " has the value " + value);
            }
        }
        return ct.metrics().roundTrips() - before;
    }

    @ParameterizedTest
    @EnumSource(FabricKind.class)
    void aNewThreadOfAWarmNodeTakesOneRoundTripForEachGet(FabricKind fabric) throws Exception {
        fabric.run(config(2, 2).build(), ct -> {
            if (ct.id() == 0) {
                ct.root().set(create(ct));
                assertThat(getAll(handle(ct), ct)).as("by a cold node").isGreaterThan(KEYS + KEYS / ENTRIES / ENTRIES);
            }
            ct.barrier();
            if (ct.id() == 1) {
                assertThat(getAll(handle(ct), ct))
                        .as("by a thread of the warm node")
                        .isEqualTo(KEYS);
            }
            ct.barrier();
            if (ct.id() == 2) {
                assertThat(getAll(handle(ct), ct)).as("by another node").isGreaterThan(KEYS);
            }
        });
    }

    @Test
    void aThreadFindsWhatAnotherOneHasLearnedWhileBothUseTheMap() throws Exception {
        TestCluster.of(config(1, 2).build()).run(ct -> {
            if (ct.id() == 0) {
                ct.root().set(LongLongTree.create(new TreeShape(ENTRIES), ct));
            }
            ct.barrier();
            LongLongTree tree = handle(ct);
            ct.barrier();
            if (ct.id() == 0) {
                fill(tree, ct);
                getAll(tree, ct);
            }
            ct.barrier();
            if (ct.id() == 1) {
                tree.get(0, ct); // it had not seen the new roots, and looks for removed nodes after the barrier
                tree.size(ct);
                assertThat(getAll(tree, ct)).isEqualTo(KEYS);
            }
        });
    }

    @Test
    void getsOfAWarmNodeAllocateNothing() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        TestCluster.of(config(1, 2).build()).run(ct -> {
            if (ct.id() == 0) {
                ct.root().set(create(ct));
                getAll(handle(ct), ct);
            }
            ct.barrier();
            LongLongTree tree = handle(ct);
            long self = Thread.currentThread().getId();
            tree.get(0, ct);
            long before = threads.getThreadAllocatedBytes(self);
            getAll(tree, ct);
            assertThat(threads.getThreadAllocatedBytes(self) - before).isLessThan(KEYS);
        });
    }

    /** Each handle of the node must forget what any of them has learned. Memory is checked. */
    @ParameterizedTest
    @EnumSource(Reclamation.class)
    void noThreadUsesACopyThatNamesANodeWhoseMemoryIsUsedAgain(Reclamation reclaim) throws Exception {
        TestCluster.of(config(1, 3).reclaim(reclaim).build()).run(ct -> {
            if (ct.id() == 0) {
                ct.root().set(create(ct));
            }
            ct.barrier();
            LongLongTree tree = handle(ct);
            for (int round = 0; round < 4; round++) {
                boolean isWriter = ct.id() == round % 3;
                if (!isWriter) {
                    getAll(tree, ct);
                }
                ct.barrier();
                if (isWriter) {
                    tree.clear(ct);
                }
                reuse(ct);
                if (isWriter) {
                    tree.put(0, 0, ct);
                    for (int i = 0; i < 50; i++) {
                        long block = ct.allocate(new TreeNode(1, ENTRIES, ct).bytes());
                        ct.write(block, i);
                        ct.free(block, new TreeNode(1, ENTRIES, ct).bytes());
                    }
                    assertThat(tree.size(ct)).isEqualTo(1);
                }
                ct.barrier();
                assertThat(tree.get(KEYS / 2, ct)).isEqualTo(MISSING);
                assertThat(tree.get(0, ct)).isZero();
                ct.barrier();
                if (isWriter) {
                    fill(tree, ct);
                }
                ct.barrier();
            }
        });
    }

    /** Lets the memory of removed nodes be used again. */
    private static void reuse(ComputeThread ct) {
        for (int i = 0; i < 5; i++) {
            ct.barrier();
            ct.reclaimDeferred();
            for (int j = 0; j < 65; j++) {
                ct.quiescent();
            }
        }
        ct.barrier();
    }

    @Test
    void aNodeDoesNotTakeAMapForAnEarlierOneInTheSameMemory() throws Exception {
        TestCluster.of(config(2, 1).build()).run(ct -> {
            long[] places = new long[3];
            for (int i = 0; i < places.length; i++) {
                if (ct.id() == 0) {
                    ct.root().set(create(ct));
                }
                ct.barrier();
                places[i] = ct.root().get().raw();
                LongLongTree tree = handle(ct);
                getAll(tree, ct);
                ct.barrier();
                if (ct.id() == 0) {
                    tree.destroy(ct);
                }
                ct.barrier();
            }
            assertThat(places).as("the same memory").containsOnly(places[0]);
        });
    }

    @Test
    void handlesWithDifferentLimitsShareNothing() throws Exception {
        TestCluster.of(config(1, 1).build()).run(ct -> {
            RdmaPtr<TreeTable> map = create(ct);
            getAll(new LongLongTree(map, MISSING, 4_096, ct), ct);
            assertThat(getAll(new LongLongTree(map, MISSING, 4_096, ct), ct)).isEqualTo(KEYS);
            assertThat(getAll(new LongLongTree(map, MISSING, 4_097, ct), ct)).isGreaterThan(KEYS);
            getAll(new LongLongTree(map, MISSING, 0, ct), ct);
            assertThat(getAll(new LongLongTree(map, MISSING, 0, ct), ct))
                    .as("of handles that remember nothing")
                    .isGreaterThanOrEqualTo(4L * KEYS);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 16, 100})
    void aNodeRemembersNoMoreThanItsLimitAllows(int limit) throws Exception {
        TestCluster.of(config(1, 1).build()).run(ct -> {
            RdmaPtr<TreeTable> map = create(ct);
            TreeTable table = TreeTable.open(map, ct);
            KnownBranches known = KnownBranches.ofNode(map.raw(), table.stamp(), limit, ct);
            LongLongTree tree = new LongLongTree(map, MISSING, limit, ct);
            for (long key = 0; key < KEYS; key++) {
                assertThat(tree.get(key * 313 % KEYS, ct)).isEqualTo(key * 313 % KEYS);
                assertThat(known.count()).isBetween(1, limit);
            }
        });
    }

    @Test
    void aHandleUsesNoCopyWhoseMakerLookedBeforeTheLastRemoval() throws Exception {
        TestCluster.of(config(1, 1).build()).run(ct -> {
            RdmaPtr<TreeTable> map = create(ct);
            TreeTable table = TreeTable.open(map, ct);
            long root = TreeTable.node(table.root.fetched());
            TreeCache early = new TreeCache(table, 64, ct);
            TreeNode node = new TreeNode(1, ENTRIES, ct);
            node.read(root, ct);
            table.retired.fetchAdd(1, ct); // as if a node was removed after the READ, before the copy is made
            TreeCache late = new TreeCache(TreeTable.open(map, ct), 64, ct);

            TreeBranch old = early.learn(node);
            assertThat(early.find(root, ct)).isSameAs(old);
            assertThat(late.find(root, ct)).as("a copy of before the removal").isNull();

            TreeBranch fresh = late.learn(node);
            assertThat(early.find(root, ct)).isSameAs(fresh);
            assertThat(late.find(root, ct)).isSameAs(fresh);

            late.forget(root);
            assertThat(early.find(root, ct)).isNull();
            assertThat(early.learn(node)).isNotSameAs(old);
            assertThat(early.find(root, ct)).isNotNull();
        });
    }

    /** The table grows, and leaves copies out that are of no use, while its number of places stays bounded. */
    @Test
    void copiesOfRemovedNodesMakeRoomForOthers() throws Exception {
        TestCluster.of(config(1, 1).reclaim(Reclamation.EPOCHS).build()).run(ct -> {
            RdmaPtr<TreeTable> map = LongLongTree.create(new TreeShape(ENTRIES), ct);
            TreeTable table = TreeTable.open(map, ct);
            KnownBranches known = KnownBranches.ofNode(map.raw(), table.stamp(), 1 << 20, ct);
            LongLongTree tree = new LongLongTree(map, MISSING, 1 << 20, ct);
            int window = 200;
            for (long key = 0; key < 40_000; key++) {
                tree.put(key, key, ct);
                if (key >= window) {
                    tree.remove(key - window, ct);
                }
                ct.quiescent();
            }
            assertThat(known.count()).isLessThan(200);
        });
    }
}
