// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.FabricKind;
import dev.remus.node.TestCluster;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What operations of a hash map cost while it grows, and how handles find the buckets that are new. */
@Tag("any-jdk")
@Timeout(120)
class RemoteHashMapGrowthTest {
    private static long roundTrips(ComputeThread ct, Runnable operation) {
        long before = ct.metrics().roundTrips();
        operation.run();
        return ct.metrics().roundTrips() - before;
    }

    /**
     * One handle inserts; another, which has not seen the splits, also inserts, and looks up, updates and removes. All
     * start with an empty map of one bucket. Blocks are allocated in between, and sections of the directory made.
     */
    @ParameterizedTest
    @CsvSource({"DIRECT, 1", "DIRECT, 3", "LANES, 1", "LANES, 3"})
    void whileTheMapGrowsNoOperationTakesMoreThanTwiceAsManyRoundTripsAsOtherwise(FabricKind fabric, int memoryNodes)
            throws Exception {
        fabric.run(TestCluster.config(memoryNodes, 1, 1).segmentSizeLog2(23).build(), ct -> {
            RdmaPtr<MapTable> This = LongLongMap.create(ct);
            LongLongMap growing = new LongLongMap(This, -1, 0, ct);
            LongLongMap other = new LongLongMap(This, -1, 0, ct);
            Costs inserts = new Costs();
            Costs othersInserts = new Costs();
            Costs gets = new Costs();
            Costs updates = new Costs();
            Costs removes = new Costs();
            for (long key = 0; key < 12_000; key += 2) {
                long k = key;
                inserts.add(roundTrips(ct, () -> growing.put(k, k, ct)));
                othersInserts.add(roundTrips(ct, () -> other.put(k + 1, k, ct)));
                gets.add(roundTrips(ct, () -> other.get(k * 5 / 8, ct)));
                updates.add(roundTrips(ct, () -> other.put(k * 3 / 4, 1, ct)));
                removes.add(roundTrips(ct, () -> other.remove(k * 7 / 8, ct)));
                growing.put(k * 7 / 8, 1, ct);
            }
            assertThat(growing.checkedSize(ct)).isEqualTo(12_000);
            assertThat(inserts.most).as("put of a new key, else 2 to 4").isBetween(6L, 8L);
            assertThat(othersInserts.most)
                    .as("put of a new key by another handle")
                    .isBetween(6L, 8L);
            assertThat(inserts.average()).as("put of a new key, on average").isLessThan(3.2);
            assertThat(gets.most).as("get, else 2").isBetween(3L, 4L);
            assertThat(updates.most).as("update, else 3").isBetween(4L, 6L);
            assertThat(removes.most).as("remove, else 3").isBetween(4L, 6L);
        });
    }

    /** The round trips of one kind of operation. */
    private static final class Costs {
        private long most;
        private long all;
        private long operations;

        void add(long roundTrips) {
            most = Math.max(most, roundTrips);
            all += roundTrips;
            operations++;
        }

        double average() {
            return (double) all / operations;
        }
    }

    /**
     * As many buckets as a map with 2^23 slots has. So no operation takes long, whatever the size: it neither copies
     * nor clears anything that grows with the map, but a section of the directory.
     */
    @Test
    void whileTheMapGrowsToTwoToTheEighteenBucketsNoOperationMovesOrAllocatesMoreThan129KiB() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        TestCluster.of(TestCluster.config(1, 1, 1).segmentSizeLog2(27).build()).run(ct -> {
            LongLongMap map = new LongLongMap(LongLongMap.create(new MapShape(4, -1), ct), -1, 0, ct);
            long self = Thread.currentThread().getId();
            long mostMoved = 0;
            long mostAllocated = 0;
            long buckets = 0;
            for (long key = 0; buckets < 1 << 18; key++) {
                long moved = ct.metrics().readBytes() + ct.metrics().writeBytes();
                long allocated = threads.getThreadAllocatedBytes(self);
                map.put(key, key, ct);
                mostAllocated = Math.max(mostAllocated, threads.getThreadAllocatedBytes(self) - allocated);
                mostMoved = Math.max(
                        mostMoved, ct.metrics().readBytes() + ct.metrics().writeBytes() - moved);
                buckets = key % 50_000 == 0 ? roundTrips(ct, () -> map.size(ct)) : buckets;
            }
            assertThat(mostMoved).as("bytes moved").isBetween(32L << 10, 129L << 10);
            assertThat(mostAllocated).as("bytes allocated").isBetween(32L << 10, 129L << 10);
        });
    }

    @Test
    void everyKeyIsFoundIfTheDirectoryInRemoteMemoryIsLost() throws Exception {
        TestCluster.of(TestCluster.config(2, 1, 1).segmentSizeLog2(22).build()).run(ct -> {
            RdmaPtr<MapTable> This = LongLongMap.create(new MapShape(4, -1), ct);
            LongLongMap old = new LongLongMap(This, -1, 0, ct);
            LongLongMap writer = new LongLongMap(This, -1, 0, ct);
            for (long key = 0; key < 2_000; key++) {
                writer.put(key, key, ct);
            }
            ct.place();
            MapTable table = MapTable.open(This, ct);
            int lost = 0;
            for (int section = 0; section < MapSections.COUNT; section++) {
                long block = table.sections.fetched(section);
                for (long i = section == 0 ? 1 : 0; block != RdmaPtr.NULL && i < MapSections.entries(section); i++) {
                    lost += ct.read(block + Long.BYTES * i) == RdmaPtr.NULL ? 0 : 1;
                    ct.write(block + Long.BYTES * i, RdmaPtr.NULL);
                }
            }
            assertThat(lost).as("entries").isGreaterThan(500);
            for (LongLongMap map : List.of(old, new LongLongMap(This, -1, 0, ct))) {
                for (long key = 0; key < 2_000; key++) {
                    assertThat(map.get(key, ct)).isEqualTo(key);
                }
                assertThat(map.get(2_000, ct)).isEqualTo(-1);
            }
            for (long key = 2_000; key < 3_000; key++) {
                old.put(key, key, ct);
            }
            assertThat(new LongLongMap(This, -1, 0, ct).checkedSize(ct)).isEqualTo(3_000);
            old.destroy(ct);
        });
    }

    @Test
    void aNewHandleKnowsTheBucketsThatOthersHaveMade() throws Exception {
        TestCluster.of(TestCluster.config(2, 1, 1).segmentSizeLog2(22).build()).run(ct -> {
            RdmaPtr<MapTable> This = LongLongMap.create(new MapShape(4, -1), ct);
            LongLongMap writer = new LongLongMap(This, -1, 0, ct);
            for (long key = 0; key < 10_000; key++) {
                writer.put(key, key, ct);
            }
            ct.place();
            LongLongMap late = new LongLongMap(This, -1, 0, ct);
            Costs gets = new Costs();
            for (long key = 0; key < 10_000; key++) {
                long k = key;
                gets.add(roundTrips(ct, () -> late.get(k, ct)));
            }
            assertThat(gets.average()).as("else 2").isLessThan(2.1);
        });
    }

    @Test
    void aHandleKnowsTheBucketsThatAnotherHandleOfItsNodeHasMadeMeanwhile() throws Exception {
        TestCluster.of(TestCluster.config(2, 1, 1).segmentSizeLog2(22).build()).run(ct -> {
            RdmaPtr<MapTable> This = LongLongMap.create(new MapShape(4, -1), ct);
            LongLongMap reader = new LongLongMap(This, -1, 64, ct);
            LongLongMap writer = new LongLongMap(This, -1, 64, ct);
            LongLongMap alone = new LongLongMap(This, -1, 0, ct);
            for (long key = 0; key < 5_000; key++) {
                writer.put(key, key, ct);
            }
            Costs gets = new Costs();
            Costs getsAlone = new Costs();
            for (long key = 0; key < 5_000; key++) {
                long k = key;
                gets.add(roundTrips(ct, () -> assertThat(reader.get(k, ct)).isEqualTo(k)));
                getsAlone.add(roundTrips(ct, () -> assertThat(alone.get(k, ct)).isEqualTo(k)));
            }
            assertThat(gets.average()).as("the bucket and the block").isBetween(1.0, 2.01);
            assertThat(getsAlone.average()).as("and the way to the bucket").isGreaterThan(2.2);
        });
    }

    @Test
    void theFirstHandleOfANodeReadsTheDirectoryAndTheOthersOnlyTheTable() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).segmentSizeLog2(22).build()).run(ct -> {
            RdmaPtr<MapTable> This = LongLongMap.create(new MapShape(4, -1), ct);
            LongLongMap writer = new LongLongMap(This, -1, 0, ct);
            for (long key = 0; key < 5_000; key++) {
                writer.put(key, key, ct);
            }
            ct.place();
            assertThat(roundTrips(ct, () -> new LongLongMap(This, -1, 64, ct))).isGreaterThan(10);
            assertThat(roundTrips(ct, () -> new LongLongMap(This, -1, 64, ct))).isEqualTo(1);
        });
    }

    @Test
    void aNewMapInTheMemoryOfADestroyedOneHasItsOwnDirectory() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).segmentSizeLog2(22).build()).run(ct -> {
            RdmaPtr<MapTable> first = LongLongMap.create(new MapShape(4, -1), ct);
            LongLongMap old = new LongLongMap(first, -1, 64, ct);
            for (long key = 0; key < 2_000; key++) {
                old.put(key, key, ct);
            }
            old.destroy(ct);
            RdmaPtr<MapTable> second = LongLongMap.create(new MapShape(4, -1), ct);
            assertThat(second.raw()).as("the address of the first map").isEqualTo(first.raw());
            LongLongMap map = new LongLongMap(second, -1, 64, ct);
            for (long key = 0; key < 2_000; key++) {
                assertThat(map.get(key, ct)).isEqualTo(-1);
                map.put(key, -key, ct);
            }
            assertThat(map.checkedSize(ct)).isEqualTo(2_000);
        });
    }
}
