// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.FabricKind;
import dev.remus.node.TestCluster;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the lock-free list costs, and what it does with nodes of dead threads; {@link ListSetTest} has its results. */
@Timeout(120)
class LockFreeListSetTest {
    /** The keys 10, 20, ... 100. */
    private static RdmaPtr<LockFreeListSet.Shared> tenKeys(ComputeThread ct) {
        RdmaPtr<LockFreeListSet.Shared> This = LongLockFreeListSet.create(ct);
        RemoteLongSet set = new LongLockFreeListSet(This);
        LongStream.rangeClosed(1, 10).forEach(i -> set.insert(10 * i, ct));
        return This;
    }

    private static long roundTrips(ComputeThread ct, Runnable operation) {
        long before = ct.metrics().roundTrips();
        operation.run();
        return ct.metrics().roundTrips() - before;
    }

    /** The node of a key. */
    private static long node(RdmaPtr<?> This, long key, ComputeThread ct) {
        long node = ct.read(This.raw());
        while (ct.read(node) != key) {
            node = RdmaPtr.unmarked(ct.read(node + 8));
        }
        return node;
    }

    /** Marks the node of a key, as a thread that dies inside a remove does. */
    private static long removeHalf(RdmaPtr<?> This, long key, ComputeThread ct) {
        long next = node(This, key, ct) + 8;
        long link = ct.read(next);
        assertThat(ct.compareAndSwap(next, link, RdmaPtr.marked(link))).isEqualTo(link);
        return next;
    }

    @ParameterizedTest
    @EnumSource(names = {"DIRECT", "LANES"})
    void itCostsTheRoundTripsOfTheClassComment(FabricKind fabric) throws Exception {
        fabric.run(TestCluster.config(1, 1, 1).segmentSizeLog2(14).build(), ct -> {
            RemoteLongSet set = new LongLockFreeListSet(tenKeys(ct));
            long visited = 5; // keys 10 to 50
            assertThat(roundTrips(ct, () -> set.contains(45, ct))).isEqualTo(1 + visited);
            assertThat(roundTrips(ct, () -> set.contains(50, ct))).isEqualTo(1 + visited);
            assertThat(roundTrips(ct, () -> set.contains(101, ct)))
                    .as("to the end")
                    .isEqualTo(1 + 10);
            assertThat(roundTrips(ct, () -> set.insert(50, ct))).isEqualTo(1 + visited);
            assertThat(roundTrips(ct, () -> set.insert(45, ct))).isEqualTo(1 + visited + 2);
            assertThat(roundTrips(ct, () -> set.remove(44, ct))).isEqualTo(1 + visited);
            assertThat(roundTrips(ct, () -> set.remove(45, ct))).isEqualTo(1 + visited + 2);
            ct.reclaimDeferred();
            assertThat(roundTrips(ct, () -> set.insert(45, ct)))
                    .as("with a block that this thread has freed")
                    .isEqualTo(1 + visited + 1);
        });
    }

    @Test
    void acrossMemoryNodesAnInsertIsAtMostThreeRoundTripsBeyondTheSearchAndARemoveTwo() throws Exception {
        TestCluster.of(TestCluster.config(2, 1, 1).build()).run(ct -> {
            RemoteLongSet set = new LongLockFreeListSet(tenKeys(ct));
            long mostOfInsert = 0;
            long mostOfRemove = 0;
            for (long key = 1; key < 100; key += 2) {
                long missing = key;
                long search = roundTrips(ct, () -> set.contains(missing, ct));
                mostOfInsert = Math.max(mostOfInsert, roundTrips(ct, () -> set.insert(missing, ct)) - search);
            }
            for (long key = 1; key < 100; key += 2) {
                long there = key;
                long search = roundTrips(ct, () -> set.contains(there, ct));
                mostOfRemove = Math.max(mostOfRemove, roundTrips(ct, () -> set.remove(there, ct)) - search);
            }
            assertThat(mostOfInsert).isEqualTo(3);
            assertThat(mostOfRemove).isEqualTo(2);
        });
    }

    @Test
    void aSearchGoesPastANodeThatADeadThreadHasMarkedAndTheNextUpdateUnlinksAndRetiresIt() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).checkMemory(true).build()).run(ct -> {
            RdmaPtr<LockFreeListSet.Shared> This = tenKeys(ct);
            RemoteLongSet set = new LongLockFreeListSet(This);
            removeHalf(This, 30, ct);
            assertThat(set.checkedSize(ct)).isEqualTo(9);
            assertThat(set.contains(30, ct)).isFalse();
            assertThat(roundTrips(ct, () -> set.contains(50, ct))).isEqualTo(1 + 5);
            assertThat(set.remove(30, ct)).isFalse();
            assertThat(roundTrips(ct, () -> set.contains(50, ct)))
                    .as("unlinked")
                    .isEqualTo(1 + 4);
            assertThat(ct.reclaimDeferred()).as("retired once").isEqualTo(1);
            assertThat(set.insert(30, ct)).isTrue();
            assertThat(set.checkedSize(ct)).isEqualTo(10);
        });
    }

    @Test
    void aRowOfMarkedNodesIsUnlinkedByOneUpdateBehindIt() throws Exception {
        TestCluster.of(TestCluster.config(2, 1, 1).checkMemory(true).build()).run(ct -> {
            RdmaPtr<LockFreeListSet.Shared> This = tenKeys(ct);
            RemoteLongSet set = new LongLockFreeListSet(This);
            for (long key : new long[] {10, 40, 50, 60, 100}) {
                removeHalf(This, key, ct);
            }
            assertThat(set.insert(100, ct)).isTrue();
            assertThat(set.insert(1000, ct)).isTrue();
            assertThat(ct.reclaimDeferred()).isEqualTo(5);
            assertThat(set.checkedSize(ct)).isEqualTo(7);
            set.destroy(ct);
        });
    }

    @Test
    void theChecksFindKeysOutOfOrder() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            RdmaPtr<LockFreeListSet.Shared> This = tenKeys(ct);
            long first = ct.read(This.raw());
            ct.write(first, 20);
            assertThatThrownBy(() -> new LongLockFreeListSet(This).checkedSize(ct))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("not above");
        });
    }
}
