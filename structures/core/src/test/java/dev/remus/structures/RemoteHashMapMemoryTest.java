// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.SegmentUse;
import dev.remus.node.TestCluster;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where the hash map has its buckets and entries, and how much memory they take. */
@Tag("any-jdk")
@Timeout(120)
class RemoteHashMapMemoryTest {
    private static final int MEMORY_NODES = 4;
    private static final int KEYS = 200_000;
    private static final double MOST_APART = 0.1;

    private static void run(int memoryNodes, int segmentSizeLog2, ComputeNode.Body body) throws Exception {
        TestCluster.of(TestCluster.config(memoryNodes, 1, 1)
                        .segmentSizeLog2(segmentSizeLog2)
                        .build())
                .run(body);
    }

    /** What is on each Memory Node. */
    private record Places(long[] buckets, long[] entries) {
        static Places of(RdmaPtr<MapTable> pointer, ComputeThread ct) {
            MapTable table = MapTable.open(pointer, ct);
            MapBucket bucket = new MapBucket(table.slots(), ct);
            MapWalk walk = new MapWalk(new MapDirectory(table, KnownBuckets.ofOneHandle(), ct), bucket);
            Places places = new Places(new long[MEMORY_NODES], new long[MEMORY_NODES]);
            for (walk.start(); walk.next(ct); ) {
                places.buckets[RdmaPtr.node(bucket.pointer())]++;
                for (int i = 0; i < bucket.slots(); i++) {
                    if (bucket.isEntry(i)) {
                        places.entries[RdmaPtr.node(MapWords.pointer(bucket.slot(i)))]++;
                    }
                }
            }
            return places;
        }

        /** The part of the slots that are in use. */
        double fill() {
            return (double) Arrays.stream(entries).sum()
                    / (Arrays.stream(buckets).sum() * MapWords.MAX_SLOTS);
        }
    }

    private static void assertEven(long[] counts) {
        double mean = Arrays.stream(counts).average().orElseThrow();
        for (long count : counts) {
            assertThat(count / mean).isBetween(1 - MOST_APART, 1 + MOST_APART);
        }
    }

    @Test
    void eachMemoryNodeHasAFourthOfTheBucketsAndOfTheEntries() throws Exception {
        run(MEMORY_NODES, 23, ct -> {
            RdmaPtr<MapTable> This = LongLongMap.create(ct);
            LongLongMap map = new LongLongMap(This, -1, ct);
            for (long key = 0; key < KEYS; key++) {
                map.put(key, key, ct);
            }
            Places places = Places.of(This, ct);
            assertThat(Arrays.stream(places.entries).sum()).isEqualTo(KEYS);
            assertEven(places.buckets);
            assertEven(places.entries);
        });
    }

    /** A bucket is full when it is split, and half full afterwards: a fill of ln 2 on average. */
    @Test
    void whileTheMapGrowsSixtyFiveToSeventyFourPercentOfTheSlotsAreInUse() throws Exception {
        run(MEMORY_NODES, 23, ct -> {
            RdmaPtr<MapTable> This = LongLongMap.create(ct);
            LongLongMap map = new LongLongMap(This, -1, ct);
            List<Double> fills = new ArrayList<>();
            for (long key = 0; key < KEYS; key++) {
                map.put(key, key, ct);
                if (key >= KEYS / 4 && key % (KEYS / 64) == 0) { // the last two doublings
                    fills.add(Places.of(This, ct).fill());
                }
            }
            assertThat(fills).allSatisfy(fill -> assertThat(fill).isBetween(0.65, 0.74));
            assertThat(fills.stream().mapToDouble(fill -> fill).average().orElseThrow())
                    .isCloseTo(Math.log(2), within(0.01));
        });
    }

    /** Without what both threw away while they grew. */
    @Test
    void anEntryTakesLessMemoryThanOneOfAConcurrentHashMap() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(self);
        ConcurrentHashMap<Long, Long> heap = new ConcurrentHashMap<>(KEYS); // its table is never replaced
        for (long key = 0; key < KEYS; key++) {
            heap.put(key, key);
        }
        double onHeap = (double) (threads.getThreadAllocatedBytes(self) - before) / heap.size();
        assertThat(onHeap).as("bytes on the heap").isBetween(85.0, 120.0);
        run(1, 25, ct -> {
            long used = used(ct);
            LongLongMap map = new LongLongMap(LongLongMap.create(ct), -1, ct);
            for (long key = 0; key < KEYS; key++) {
                map.put(key, key, ct);
            }
            assertThat((double) (used(ct) - used) / KEYS)
                    .as("bytes in remote memory")
                    .isBetween(75.0, 78.0);
        });
    }

    private static long used(ComputeThread ct) {
        return SegmentUse.of(ct).stream().mapToLong(SegmentUse::used).sum();
    }
}
