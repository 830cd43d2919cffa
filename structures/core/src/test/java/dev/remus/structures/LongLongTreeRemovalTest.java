// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.Reclamation;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How nodes of the ordered map that have become empty are removed, one thread at a time. */
@Tag("oldest-jdk")
@Timeout(120)
class LongLongTreeRemovalTest {
    private static final long MISSING = -1;

    private static void run(int segmentSizeLog2, ComputeNode.Body body) throws Exception {
        TestCluster.of(TestCluster.config(2, 1, 1)
                        .segmentSizeLog2(segmentSizeLog2)
                        .reclaim(Reclamation.EPOCHS)
                        .checkMemory(true)
                        .build())
                .run(body);
    }

    private static LongLongTree handle(RdmaPtr<TreeTable> This, int rememberedNodes, ComputeThread ct) {
        return new LongLongTree(This, MISSING, rememberedNodes, ct);
    }

    private static RdmaPtr<TreeTable> create(int entries, ComputeThread ct) {
        return LongLongTree.create(new TreeShape(entries), ct);
    }

    /** The window passes through many times as many keys as fit into memory. */
    @ParameterizedTest
    @CsvSource({"41, 64, 1", "5, 1024, 1", "5, 1024, -1", "3, 0, 1", "3, 1, -1"})
    void aWindowOfKeysThatMovesThroughTheKeySpaceUsesBoundedMemory(int entries, int rememberedNodes, int step)
            throws Exception {
        run(17, ct -> {
            LongLongTree tree = handle(create(entries, ct), rememberedNodes, ct);
            int window = 100;
            for (long i = 0; i < 30_000; i++) {
                assertThat(tree.put(step * i, i, ct)).isEqualTo(MISSING);
                if (i >= window) {
                    assertThat(tree.remove(step * (i - window), ct)).isEqualTo(i - window);
                }
                ct.quiescent();
            }
            assertThat(tree.checkedSize(ct)).isEqualTo(window);
            assertThat(tree.unremovedNodes(ct)).isZero();
            tree.destroy(ct);
        });
    }

    @Test
    void keysThatComeAndGoAtRandomInAWindowUseBoundedMemory() throws Exception {
        run(17, ct -> {
            LongLongTree tree = handle(create(4, ct), 64, ct);
            long entries = 0;
            for (long i = 0; i < 60_000; i++) {
                long key = i / 10 + ct.random().nextInt(300);
                if (ct.random().nextBoolean()) {
                    entries += tree.put(key, i, ct) == MISSING ? 1 : 0;
                } else {
                    entries -= tree.remove(key, ct) == MISSING ? 0 : 1;
                }
                if (i % 10 == 0) {
                    entries -= tree.remove(i / 10, ct) == MISSING ? 0 : 1; // which leaves the window
                }
                ct.quiescent();
            }
            assertThat(tree.checkedSize(ct)).isEqualTo(entries);
            assertThat(tree.unremovedNodes(ct)).isZero();
        });
    }

    @Test
    void aMapThatWasEmptiedHasFewLeavesAndIsNotNew() throws Exception {
        run(22, ct -> {
            LongLongTree tree = handle(create(5, ct), 1024, ct);
            for (long i = 0; i < 5_000; i++) {
                tree.put(i * 1_777 % 5_000, i, ct);
            }
            for (long i = 0; i < 5_000; i++) {
                tree.remove(i * 1_301 % 5_000, ct);
            }
            assertThat(tree.checkedSize(ct)).isZero();
            assertThat(tree.unremovedNodes(ct)).isZero();
            long before = ct.metrics().roundTrips();
            assertThat(tree.size(ct)).isZero();
            assertThat(ct.metrics().roundTrips() - before).isLessThan(10);
            assertThatThrownBy(() -> tree.bulkLoad(into -> into.accept(1, 1), ct))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("that is not new");
            assertThat(tree.put(7, 8, ct)).isEqualTo(MISSING);
            assertThat(tree.checkedSize(ct)).isEqualTo(1);
        });
    }

    /** One handle has old copies of inner nodes, which the other one has split or emptied since. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void aLeafThatIsEmptiedThroughAnOldCopyOfItsParentIsRemovedWithThat(int entries) throws Exception {
        run(20, ct -> {
            RdmaPtr<TreeTable> This = create(entries, ct);
            LongLongTree[] handles = {handle(This, 64, ct), handle(This, 0, ct)};
            Random random = new Random(1);
            int keys = 6 * entries;
            for (int i = 0; i < 1_000; i++) {
                for (int change = 0; change < 3 * keys; change++) {
                    LongLongTree tree = handles[random.nextInt(2)];
                    if (random.nextInt(3) > 0) {
                        tree.put(random.nextInt(keys), i, ct);
                    } else {
                        tree.remove(random.nextInt(keys), ct);
                    }
                }
                for (int key = 0; key < keys; key++) {
                    handles[random.nextInt(2)].remove(key, ct);
                }
                assertThat(handles[0].unremovedNodes(ct)).isZero();
                ct.quiescent();
            }
        });
    }

    /** Each handle finds room in a full leaf after it has allocated a new one. */
    @Test
    void blocksThatWereNotNeededAreGivenBack() throws Exception {
        run(16, ct -> {
            RdmaPtr<TreeTable> This = create(41, ct);
            LongLongTree other = handle(This, 0, ct);
            for (long key = 0; key < 40; key++) {
                other.put(key, key, ct);
            }
            for (int i = 0; i < 2_000; i++) {
                other.put(40, i, ct);
                TreeTable table = TreeTable.open(This, ct);
                TreeCore core = new TreeCore(table, 0, ct) {
                    @Override
                    void takeSpare(ComputeThread thread) {
                        super.takeSpare(thread);
                        other.remove(40, thread);
                    }
                };
                if (i % 2 == 0) {
                    core.put(new TreeKey(1).set(41), i, ct);
                } else {
                    core.putIfAbsent(new TreeKey(1).set(41), i, ct);
                }
                assertThat(other.remove(41, ct)).isEqualTo(i);
                ct.quiescent();
            }
            assertThat(other.checkedSize(ct)).isEqualTo(40);
        });
    }

    @ParameterizedTest
    @CsvSource({"41, 64", "5, 0", "3, 1024", "2, 64"})
    void clearRemovesAllEntriesAndNodes(int entries, int rememberedNodes) throws Exception {
        run(20, ct -> {
            LongLongTree tree = handle(create(entries, ct), rememberedNodes, ct);
            assertThat(tree.clear(ct)).isZero();
            for (int round = 1; round <= 2; round++) {
                for (long i = 0; i < 1_000; i++) {
                    tree.put(i * 177 % 1_000, round, ct);
                }
                assertThat(tree.clear(ct)).isEqualTo(1_000);
                assertThat(tree.checkedSize(ct)).isZero();
                assertThat(tree.unremovedNodes(ct)).isZero();
                assertThat(tree.contains(500, ct)).isFalse();
            }
            tree.destroy(ct);
        });
    }

    /** Memory is checked, so a handle that followed an old pointer would fail. Handles with the same limit share. */
    @ParameterizedTest
    @ValueSource(ints = {1024, 1023})
    void aHandleForgetsNodesBeforeTheirMemoryIsUsedAgain(int rememberedNodes) throws Exception {
        run(18, ct -> {
            RdmaPtr<TreeTable> This = create(3, ct);
            LongLongTree old = handle(This, rememberedNodes, ct);
            LongLongTree writer = handle(This, 1024, ct);
            for (int round = 1; round <= 20; round++) {
                for (long key = 0; key < 300; key++) {
                    writer.put(key, round, ct);
                    ct.quiescent();
                }
                for (long key = 0; key < 300; key++) {
                    assertThat(old.get(key, ct)).isEqualTo(round);
                }
                for (long key = 0; key < 300; key++) {
                    writer.remove(key, ct);
                    ct.quiescent();
                }
                for (int i = 0; i < 400; i++) { // until the nodes are reclaimed
                    ct.quiescent();
                }
                long block = ct.allocate(64);
                assertThat(old.put(round * 10L, round, ct)).isEqualTo(MISSING);
                assertThat(old.remove(round * 10L, ct)).isEqualTo(round);
                ct.free(block, 64);
            }
            assertThat(old.checkedSize(ct)).isZero();
        });
    }

    /** The steps of a removal, after which it is interrupted. */
    enum Step {
        MARKED,
        LEFT,
        UNLINKED
    }

    /** Ends a removal. */
    private static final class Interrupted extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static LongLongTree careless(RdmaPtr<TreeTable> This, Step last, ComputeThread ct) {
        TreeTable table = TreeTable.open(This, ct);
        TreeCore core = new TreeCore(table, 64, ct) {
            @Override
            void unlink(long gone, TreeKey low, TreeKey high, long link, int level, ComputeThread thread) {
                if (last == Step.LEFT) {
                    throw new Interrupted();
                }
                super.unlink(gone, low, high, link, level, thread);
            }
        };
        TreeRemoval removal = new TreeRemoval(core, ct) {
            @Override
            void mark(ComputeThread thread) {
                super.mark(thread);
                if (last == Step.MARKED) {
                    throw new Interrupted();
                }
            }

            @Override
            void retire(long at, ComputeThread thread) {
                throw new Interrupted();
            }
        };
        return new LongLongTree(
                table,
                MISSING,
                core,
                new TreeScan(core, table.entries(), ct),
                new TreeSnapshot(core, table.entries(), ct),
                removal);
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void removalsThatWereLeftUnfinishedAreFinishedByOperationsThatPassBy(Step last) throws Exception {
        run(20, ct -> {
            RdmaPtr<TreeTable> This = create(4, ct);
            LongLongTree old = handle(This, 1024, ct);
            for (long key = 0; key < 400; key++) {
                old.put(key, key, ct);
            }
            LongLongTree careless = careless(This, last, ct);
            int interrupted = 0;
            for (long key = 100; key < 300; key++) {
                try {
                    careless.remove(key, ct);
                } catch (Interrupted e) {
                    interrupted++;
                }
            }
            assertThat(interrupted).isGreaterThan(20);
            assertThat(careless.checkedSize(ct)).isEqualTo(200);
            LongLongTree reader = handle(This, 64, ct);
            for (LongLongTree tree : new LongLongTree[] {old, reader}) {
                for (long key = 0; key < 400; key++) {
                    assertThat(tree.get(key, ct)).isEqualTo(key < 100 || key >= 300 ? key : MISSING);
                }
                assertThat(tree.size(ct)).isEqualTo(200);
                assertThat(tree.scanDown(1_000, -1, 1_000, (key, value) -> {}, ct))
                        .isEqualTo(200);
                assertThat(tree.scanSnapshot(0, 1_000, 1_000, (key, value) -> {}, ct))
                        .isEqualTo(200);
            }
            for (long key = 0; key < 400; key++) {
                reader.put(key, -key, ct);
            }
            assertThat(reader.checkedSize(ct)).isEqualTo(400);
            assertThat(reader.unremovedNodes(ct)).isZero();
        });
    }

    @Test
    void aRemovalThatEmptiesALeafTakesFewMoreRoundTrips() throws Exception {
        run(22, ct -> {
            LongLongTree tree = handle(LongLongTree.create(ct), 1024, ct);
            int keys = 20_000;
            for (long key = 0; key < keys; key++) {
                tree.put(key, key, ct);
            }
            long before = ct.metrics().roundTrips();
            for (long key = 0; key < keys; key++) {
                tree.remove(key, ct);
            }
            assertThat((double) (ct.metrics().roundTrips() - before) / keys).isBetween(2.0, 2.3);
            assertThat(tree.checkedSize(ct)).isZero();
            assertThat(tree.unremovedNodes(ct)).isZero();
        });
    }
}
