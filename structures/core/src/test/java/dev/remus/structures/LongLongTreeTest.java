// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.remus.memory.OutOfRemoteMemoryException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.LockWords;
import dev.remus.node.Sequence;
import dev.remus.node.TestCluster;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ordered map, one thread at a time. */
@Tag("oldest-jdk")
@Timeout(120)
class LongLongTreeTest {
    private static final long MISSING = Long.MIN_VALUE;

    private static void run(int memoryNodes, ComputeNode.Body body) throws Exception {
        TestCluster.of(TestCluster.config(memoryNodes, 1, 1)
                        .segmentSizeLog2(22)
                        .checkMemory(true)
                        .build())
                .run(body);
    }

    private static LongLongTree tree(int entries, int rememberedNodes, ComputeThread ct) {
        return new LongLongTree(LongLongTree.create(new TreeShape(entries), ct), MISSING, rememberedNodes, ct);
    }

    private static List<Map.Entry<Long, Long>> scanned(
            LongLongTree tree, long from, long to, long limit, ComputeThread ct) {
        List<Map.Entry<Long, Long>> found = new ArrayList<>();
        long count = tree.scan(from, to, limit, (key, value) -> found.add(Map.entry(key, value)), ct);
        assertThat(count).isEqualTo(found.size());
        return found;
    }

    private static List<Map.Entry<Long, Long>> scannedDown(
            LongLongTree tree, long from, long to, long limit, ComputeThread ct) {
        List<Map.Entry<Long, Long>> found = new ArrayList<>();
        long count = tree.scanDown(from, to, limit, (key, value) -> found.add(Map.entry(key, value)), ct);
        assertThat(count).isEqualTo(found.size());
        return found;
    }

    private static List<Map.Entry<Long, Long>> snapshot(
            LongLongTree tree, long from, long to, long limit, ComputeThread ct) {
        List<Map.Entry<Long, Long>> found = new ArrayList<>();
        long count = tree.scanSnapshot(from, to, limit, (key, value) -> found.add(Map.entry(key, value)), ct);
        assertThat(count).isEqualTo(found.size());
        return found;
    }

    private static List<Map.Entry<Long, Long>> head(NavigableMap<Long, Long> map, int limit) {
        return map.entrySet().stream().limit(limit).map(Map.Entry::copyOf).toList();
    }

    @ParameterizedTest
    @CsvSource({"41, 1024", "41, 0", "5, 8", "3, 1", "2, 0", "2, 1024"})
    void itAnswersLikeATreeMapOnTheHeap(int entries, int rememberedNodes) throws Exception {
        run(2, ct -> {
            LongLongTree tree = tree(entries, rememberedNodes, ct);
            NavigableMap<Long, Long> model = new TreeMap<>();
            List<Map.Entry<Long, Long>> one = new ArrayList<>();
            for (int i = 0; i < 12_000; i++) {
                long key = ct.random().nextInt(i / 3_000 % 2 == 0 ? 100 : 2_000) - 50L;
                long value = ct.random().nextInt(3);
                long other = key + ct.random().nextInt(300);
                int limit = ct.random().nextInt(120);
                one.clear();
                switch (ct.random().nextInt(12)) {
                    case 0, 1 -> assertThat(tree.put(key, value, ct)).isEqualTo(orMissing(model.put(key, value)));
                    case 2 ->
                        assertThat(tree.putIfAbsent(key, value, ct))
                                .isEqualTo(orMissing(model.putIfAbsent(key, value)));
                    case 3 -> assertThat(tree.replace(key, value, 7, ct)).isEqualTo(model.replace(key, value, 7L));
                    case 4, 5 -> assertThat(tree.remove(key, ct)).isEqualTo(orMissing(model.remove(key)));
                    case 6 ->
                        assertThat(scanned(tree, key, other, limit, ct))
                                .isEqualTo(head(model.subMap(key, true, other, true), limit));
                    case 10 ->
                        assertThat(snapshot(tree, key, other, limit, ct))
                                .isEqualTo(head(model.subMap(key, true, other, true), limit));
                    case 9 ->
                        assertThat(scannedDown(tree, other, key, limit, ct))
                                .isEqualTo(head(
                                        model.subMap(key, true, other, true).descendingMap(), limit));
                    case 7 -> {
                        assertThat(tree.ceiling(key, (k, v) -> one.add(Map.entry(k, v)), ct))
                                .isEqualTo(model.ceilingKey(key) != null);
                        assertThat(one).isEqualTo(head(model.tailMap(key, true), 1));
                    }
                    case 8 -> {
                        assertThat(tree.floor(key, (k, v) -> one.add(Map.entry(k, v)), ct))
                                .isEqualTo(model.floorKey(key) != null);
                        assertThat(one).isEqualTo(head(model.headMap(key, true).descendingMap(), 1));
                    }
                    default -> {
                        assertThat(tree.get(key, ct)).isEqualTo(orMissing(model.get(key)));
                        assertThat(tree.contains(key, ct)).isEqualTo(model.containsKey(key));
                    }
                }
                if (i % 1_000 == 0) {
                    for (int round = 1; round <= 2; round++) { // puts enter the nodes that removals have left unnamed
                        model.forEach((k, v) -> assertThat(tree.put(k, v, ct)).isEqualTo(v));
                    }
                    assertThat(tree.checkedSize(ct)).isEqualTo(model.size());
                    assertThat(tree.unnamedNodes(ct))
                            .as("splits left unfinished")
                            .isZero();
                }
            }
            assertThat(tree.size(ct)).isEqualTo(model.size());
            assertThat(scanned(tree, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, ct))
                    .isEqualTo(head(model, model.size()));
            assertThat(snapshot(tree, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, ct))
                    .isEqualTo(head(model, model.size()));
            assertThat(scannedDown(tree, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE, ct))
                    .isEqualTo(head(model.descendingMap(), model.size()));
            tree.destroy(ct);
        });
    }

    private static long orMissing(Long value) {
        return value == null ? MISSING : value;
    }

    @Test
    void allKeysAndValuesAreAllowed() throws Exception {
        run(1, ct -> {
            LongLongTree tree = tree(2, 16, ct);
            long[] all = {Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1, Long.MAX_VALUE - 1, Long.MAX_VALUE};
            for (long key : all) {
                assertThat(tree.contains(key, ct)).isFalse();
                tree.put(key, ~key, ct);
            }
            List<Map.Entry<Long, Long>> ends = new ArrayList<>();
            tree.first((k, v) -> ends.add(Map.entry(k, v)), ct);
            tree.last((k, v) -> ends.add(Map.entry(k, v)), ct);
            assertThat(ends)
                    .containsExactly(
                            Map.entry(Long.MIN_VALUE, Long.MAX_VALUE), Map.entry(Long.MAX_VALUE, Long.MIN_VALUE));
            assertThat(tree.get(Long.MAX_VALUE, ct)).isEqualTo(MISSING);
            assertThat(tree.contains(Long.MAX_VALUE, ct)).isTrue();
            assertThat(tree.checkedSize(ct)).isEqualTo(all.length);
        });
    }

    @Test
    void anEmptyMapHasNoFirstAndNoLastEntry() throws Exception {
        run(1, ct -> {
            LongLongTree tree = tree(3, 16, ct);
            for (int round = 0; round < 2; round++) { // with one leaf, and with many that are empty
                assertThat(tree.first((key, value) -> {}, ct)).isFalse();
                assertThat(tree.last((key, value) -> {}, ct)).isFalse();
                assertThat(tree.scan(1, 0, 10, (key, value) -> {}, ct)).isZero();
                assertThat(tree.scanDown(0, 1, 10, (key, value) -> {}, ct)).isZero();
                assertThat(tree.scanDown(1_000, -1_000, 10, (key, value) -> {}, ct))
                        .isZero();
                assertThat(tree.size(ct)).isZero();
                assertThat(tree.checkedSize(ct)).isZero();
                for (long key = 0; key < 100; key++) {
                    tree.put(key, key, ct);
                }
                for (long key = 0; key < 100; key++) {
                    assertThat(tree.remove(key, ct)).isEqualTo(key);
                }
            }
        });
    }

    @Test
    void aHandleFindsWhatOthersHaveInsertedBehindWhatItRemembers() throws Exception {
        run(2, ct -> {
            RdmaPtr<TreeTable> This = LongLongTree.create(new TreeShape(3), ct);
            LongLongTree old = new LongLongTree(This, MISSING, 1024, ct);
            LongLongTree writer = new LongLongTree(This, MISSING, 1024, ct);
            for (int round = 1; round <= 5; round++) {
                int step = 1 << 6 - round;
                for (long key = 0; key < 1_000; key += step) {
                    writer.put(key, key, ct);
                }
                assertThat((long) scannedDown(old, 999, 0, 1_000, ct).size()).isEqualTo((1_000 + step - 1) / step);
                assertThat(old.size(ct)).isEqualTo((1_000 + step - 1) / step);
                for (long key = 0; key < 1_000; key++) {
                    assertThat(old.get(key, ct)).isEqualTo(key % step == 0 ? key : MISSING);
                }
            }
            old.destroy(ct);
        });
    }

    /** Ends an operation that has split a node, before the new one is entered in its parent. */
    private static final class Interrupted extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static LongLongTree careless(TreeTable table, TreeCore core, ComputeThread ct) {
        return new LongLongTree(
                table,
                MISSING,
                core,
                new TreeScan(core, table.entries(), ct),
                new TreeSnapshot(core, table.entries(), ct),
                new TreeRemoval(core, ct));
    }

    @ParameterizedTest
    @CsvSource({"2, 0", "2, 64", "3, 64", "5, 1"})
    void splitsThatWereLeftUnfinishedAreFinishedByInsertionsThatPassBy(int entries, int rememberedNodes)
            throws Exception {
        run(2, ct -> {
            RdmaPtr<TreeTable> This = LongLongTree.create(new TreeShape(entries), ct);
            TreeTable table = TreeTable.open(This, ct);
            TreeCore core = new TreeCore(table, rememberedNodes, ct) {
                @Override
                void publish(TreeNode left, TreeNode right, long at, ComputeThread thread) {
                    super.publish(left, right, at, thread);
                    throw new Interrupted();
                }
            };
            LongLongTree careless = careless(table, core, ct);
            NavigableMap<Long, Long> model = new TreeMap<>();
            boolean isInterrupted = false;
            for (long i = 0; i < 400 || !isInterrupted; i++) {
                long key = i * 177 % 401;
                isInterrupted = false;
                try {
                    careless.put(key, key, ct);
                    model.put(key, key);
                } catch (Interrupted e) {
                    isInterrupted = true;
                    assertThat(careless.unnamedNodes(ct)).isPositive();
                }
            }
            assertThat(model).hasSizeLessThan(400 - 400 / 2 / entries);
            LongLongTree reader = new LongLongTree(This, MISSING, rememberedNodes, ct);
            for (long key = 0; key < 401; key++) {
                assertThat(reader.get(key, ct)).isEqualTo(orMissing(model.get(key)));
            }
            assertThat(scanned(reader, 0, 401, 401, ct)).isEqualTo(head(model, 401));
            LongLongTree writer = new LongLongTree(This, MISSING, rememberedNodes, ct);
            for (long key = 0; key < 401; key++) {
                assertThat(writer.put(key, -key, ct)).isEqualTo(orMissing(model.get(key)));
            }
            assertThat(writer.unnamedNodes(ct)).isZero();
            assertThat(writer.checkedSize(ct)).isEqualTo(401);
            writer.destroy(ct);
        });
    }

    /** Another handle changes a leaf between the rounds of a snapshot, so many times. */
    private static LongLongTree disturbed(RdmaPtr<TreeTable> This, int times, ComputeThread ct) {
        LongLongTree writer = new LongLongTree(This, MISSING, ct);
        TreeTable table = TreeTable.open(This, ct);
        TreeCore core = new TreeCore(table, 64, ct);
        int[] changes = {0};
        TreeSnapshot snapshot = new TreeSnapshot(core, table.entries(), ct) {
            @Override
            boolean isUnchanged(ComputeThread thread) {
                if (changes[0] < times) {
                    writer.put(50, ++changes[0], thread);
                }
                return super.isUnchanged(thread);
            }
        };
        return new LongLongTree(
                table, MISSING, core, new TreeScan(core, table.entries(), ct), snapshot, new TreeRemoval(core, ct));
    }

    @Test
    void aSnapshotStartsOverWhenALeafIsChangedWhileItReadsAndGivesUpAfterManyAttempts() throws Exception {
        run(2, ct -> {
            RdmaPtr<TreeTable> This = LongLongTree.create(new TreeShape(4), ct);
            LongLongTree tree = new LongLongTree(This, MISSING, ct);
            for (long key = 0; key < 100; key++) {
                tree.put(key, 0, ct);
            }
            List<Map.Entry<Long, Long>> seen =
                    snapshot(disturbed(This, TreeSnapshot.ATTEMPTS - 1, ct), 0, 100, 100, ct);
            assertThat(seen).isEqualTo(scanned(tree, 0, 100, 100, ct)).contains(Map.entry(50L, 63L));
            LongLongTree unlucky = disturbed(This, TreeSnapshot.ATTEMPTS, ct);
            assertThatThrownBy(() -> unlucky.scanSnapshot(0, 100, 100, (key, value) -> seen.clear(), ct))
                    .isInstanceOf(ConcurrentModificationException.class)
                    .hasMessageContaining("keys from 0 to 100: in each of 64 attempts");
            assertThat(seen).as("nothing was passed on").hasSize(100);
            assertThat(snapshot(unlucky, 0, 40, 100, ct))
                    .as("it can still be used")
                    .hasSize(41);
        });
    }

    private static List<Long> fillMemory(long bytes, ComputeThread ct) {
        List<Long> blocks = new ArrayList<>();
        try {
            while (true) {
                blocks.add(ct.allocate(bytes));
            }
        } catch (OutOfRemoteMemoryException e) {
            return blocks;
        }
    }

    @Test
    void putsThatPassUnfinishedSplitsDoNotFailWhenMemoryIsFullUnlessTheyNeedALeaf() throws Exception {
        run(1, ct -> {
            RdmaPtr<TreeTable> This = LongLongTree.create(new TreeShape(3), ct);
            TreeTable table = TreeTable.open(This, ct);
            TreeCore core = new TreeCore(table, 64, ct) {
                @Override
                void publish(TreeNode left, TreeNode right, long at, ComputeThread thread) {
                    super.publish(left, right, at, thread);
                    throw new Interrupted();
                }
            };
            LongLongTree careless = careless(table, core, ct);
            NavigableMap<Long, Long> model = new TreeMap<>();
            for (long i = 0; i < 200; i++) {
                long key = i * 177 % 200;
                try {
                    careless.put(key, key, ct);
                    model.put(key, key);
                } catch (Interrupted e) {
                    assertThat(careless.unnamedNodes(ct)).isPositive();
                }
            }
            List<Long> blocks = fillMemory(new TreeNode(1, 3, ct).bytes(), ct);
            LongLongTree writer = new LongLongTree(This, MISSING, 64, ct);
            for (long key : List.copyOf(model.keySet())) {
                assertThat(writer.put(key, key + 1, ct)).isEqualTo(model.put(key, key + 1));
            }
            int failures = 0;
            for (long key = 0; key < 200; key++) {
                try {
                    assertThat(writer.put(key, -key, ct)).isEqualTo(orMissing(model.get(key)));
                    model.put(key, -key);
                } catch (OutOfRemoteMemoryException e) {
                    failures++;
                    assertThat(model).as("an update needs no memory").doesNotContainKey(key);
                    assertThat(writer.contains(key, ct)).isFalse();
                }
            }
            assertThat(failures).as("insertions into full leaves").isPositive();
            assertThat(scanned(writer, 0, 200, 200, ct)).isEqualTo(head(model, 200));
            assertThat(writer.checkedSize(ct)).isEqualTo(model.size());
            blocks.forEach(block -> ct.free(block, new TreeNode(1, 3, ct).bytes()));
            for (long i = 0; i < 400; i++) {
                long key = i * 177 % 400;
                assertThat(writer.put(key, key, ct)).isEqualTo(orMissing(model.get(key)));
            }
            assertThat(writer.unnamedNodes(ct)).isZero();
            assertThat(writer.checkedSize(ct)).isEqualTo(400);
            writer.destroy(ct);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1, 4097})
    void nodesThatCannotBeAreRejected(int entries) {
        assertThatThrownBy(() -> new TreeShape(entries))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nodes of " + entries + " entries");
    }

    @Test
    void aMapOfTooSmallNodesRefusesToGetHigherThanItsRootCanName() throws Exception {
        run(1, ct -> {
            LongLongTree tree = tree(2, 1024, ct);
            long[] key = {0};
            assertThatThrownBy(() -> {
                        while (true) {
                            tree.put(key[0]++, 1, ct);
                        }
                    })
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("an ordered map with more than 64 levels");
            assertThat(tree.size(ct)).as("keys before the last one").isEqualTo(key[0] - 1);
            assertThat(tree.checkedSize(ct)).isEqualTo(key[0] - 1);
        });
    }

    @Test
    void aPointerToSomethingElseAndANegativeLimitAreRejected() throws Exception {
        run(1, ct -> {
            RdmaPtr<MapTable> map = RemoteHashMap.create(ct);
            assertThatThrownBy(() -> new LongLongTree(new RdmaPtr<>(map.raw()), MISSING, ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("there is no ordered map");
            LongLongTree tree = tree(3, 0, ct);
            assertThatThrownBy(() -> tree.scan(0, 1, -1, (key, value) -> {}, ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a scan of -1 entries");
            assertThatThrownBy(() -> tree.scanSnapshot(0, 1, -1, (key, value) -> {}, ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a scan of -1 entries");
            assertThatThrownBy(() -> tree.scanDown(1, 0, -1, (key, value) -> {}, ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a scan of -1 entries");
        });
    }

    @Test
    void theCheckNamesANodeThatIsOutOfOrder() throws Exception {
        run(1, ct -> {
            RdmaPtr<TreeTable> This = LongLongTree.create(new TreeShape(4), ct);
            LongLongTree tree = new LongLongTree(This, MISSING, 16, ct);
            tree.put(1, 1, ct);
            TreeAccess access = new TreeAccess(new TreeNode(1, 4, ct), ct);
            access.lock(TreeTable.node(TreeTable.open(This, ct).root.fetched()), ct);
            assertThatThrownBy(() -> tree.checkedSize(ct))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is locked by thread "
                            + LockWords.holder(ct.lockWords().newMark()));
            access.node.setEntry(1, new TreeKey(1).set(1), 2);
            access.executeAndRelease(written(access.node, ct), ct);
            assertThatThrownBy(() -> tree.checkedSize(ct))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has the key 1, which is not its own, or is there twice");
        });
    }

    private static Sequence written(TreeNode node, ComputeThread ct) {
        Sequence chain = ct.sequence();
        node.writeSlotsIn(chain);
        return chain;
    }

    @Test
    void operationsAllocateNothingOnceTheInnerNodesAreRemembered() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        TestCluster.of(TestCluster.config(1, 1, 1).segmentSizeLog2(22).build()).run(ct -> {
            LongLongTree tree = new LongLongTree(LongLongTree.create(ct), MISSING, ct);
            LongLongMap.LongLongConsumer ignore = (key, value) -> {};
            long self = Thread.currentThread().getId();
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 20; round++) {
                long before = threads.getThreadAllocatedBytes(self);
                for (long key = 0; key < 2_000; key++) {
                    tree.put(key, key, ct);
                    tree.get(key, ct);
                    tree.putIfAbsent(key, key, ct);
                    tree.floor(key, ignore, ct);
                    tree.remove(key, ct);
                    tree.put(key, key, ct);
                }
                tree.scan(0, 2_000, 100, ignore, ct);
                tree.scanDown(2_000, 0, 100, ignore, ct);
                tree.scanSnapshot(0, 2_000, 100, ignore, ct);
                least = Math.min(least, threads.getThreadAllocatedBytes(self) - before);
            }
            assertThat(least).as("bytes for 12,003 operations").isLessThan(2_000);
        });
    }
}
