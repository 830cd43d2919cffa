// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.OutOfRemoteMemoryException;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("oldest-jdk")
@Timeout(120)
class SharedFreeListsTest {
    private static SharedFreeLists lists(ComputeThread ct) {
        return new SharedFreeLists(
                ct.parts.checked, ct.parts.backoff, new SegmentLayout(ct.config()), ct::allocateLocal);
    }

    @ParameterizedTest
    @EnumSource
    void blocksFreedByOneThreadServeAnotherForFarLongerThanTheMemoryWouldLast(FabricKind kind) throws Exception {
        ClusterConfig config = TestCluster.config(1, 2, 1)
                .segmentSizeLog2(15)
                .segmentsPerNode(1)
                .build();
        passOn(3_000, config, kind); // of about 500 that exist
    }

    @ParameterizedTest
    @EnumSource
    void memoryDoesNotFillUpWithBlocksThatOneThreadAllocatesAndAnotherFrees(FabricKind kind) throws Exception {
        ClusterConfig config = TestCluster.config(1, 2, 1)
                .segmentSizeLog2(17)
                .segmentsPerNode(1)
                .build();
        assertThat(passOn(3_000, config, kind)) // of about 2,000 that exist
                .as("bytes taken")
                .isLessThan(config.segmentBytes() / 2);
    }

    /**
     * One thread allocates and passes blocks on through a few remote words, the other frees them. Returns how much
     * memory was taken, in bytes.
     */
    private static long passOn(int blocks, ClusterConfig config, FabricKind kind) throws Exception {
        int slots = 64;
        AtomicLong taken = new AtomicLong();
        kind.run(config, ct -> {
            if (ct.id() == 0) {
                long made = ct.allocate(8L * slots);
                for (int i = 0; i < slots; i++) {
                    ct.write(made + 8L * i, 0);
                }
                ct.root().set(new RdmaPtr<>(made));
            }
            ct.barrier();
            long words = ct.root().get().raw();
            for (int i = 0; i < blocks; i++) {
                long word = words + 8L * (i % slots);
                if (ct.id() == 0) {
                    long block = ct.allocate(64);
                    while (ct.compareAndSwap(word, 0, block) != 0) {
                        ct.pause();
                    }
                } else {
                    long block = ct.read(word);
                    while (block == 0) {
                        ct.pause();
                        block = ct.read(word);
                    }
                    assertThat(ct.compareAndSwap(word, block, 0)).isEqualTo(block);
                    ct.free(block, 64);
                }
            }
            taken.accumulateAndGet(
                    ct.parts.checked.readHeader(SegmentLayout.header(0, 0, SegmentHeader.ALLOCATED)), Math::max);
        });
        return taken.get();
    }

    /** Eight threads use the stack directly: each block has at most one owner, and none is lost. */
    @ParameterizedTest
    @EnumSource
    void noBlockIsHandedOutTwiceAndNoneIsLost(FabricKind kind) throws Exception {
        ClusterConfig config = TestCluster.config(1, 4, 2)
                .segmentSizeLog2(16)
                .segmentsPerNode(1)
                .build();
        int rounds = kind == FabricKind.WEAK_LANES ? 60 : 1_000;
        Set<Long> owned = ConcurrentHashMap.newKeySet();
        Set<Long> all = ConcurrentHashMap.newKeySet();
        kind.run(config, ct -> {
            SharedFreeLists lists = lists(ct);
            if (ct.id() == 0) {
                for (int i = 0; i < 12; i++) { // few, so that they are reused many times
                    long block = ct.allocate(64);
                    all.add(block);
                    lists.put(block, 64);
                }
            }
            ct.barrier();
            Deque<Long> mine = new ArrayDeque<>();
            for (int i = 0; i < rounds; i++) {
                long block = lists.take(0, 64);
                if (block != RdmaPtr.NULL) {
                    assertThat(owned.add(block)).as("taken by one thread").isTrue();
                    ct.write(block, -1); // overwrites the link
                    mine.add(block);
                }
                if (mine.size() == 2 || block == RdmaPtr.NULL && !mine.isEmpty()) {
                    long back = mine.remove();
                    owned.remove(back);
                    lists.put(back, 64);
                }
            }
            for (long block : mine) {
                owned.remove(block);
                lists.put(block, 64);
            }
            ct.barrier();
            if (ct.id() == 0) {
                List<Long> left = new ArrayList<>();
                for (long block = lists.take(0, 64); block != RdmaPtr.NULL; block = lists.take(0, 64)) {
                    left.add(block);
                }
                assertThat(left).containsExactlyInAnyOrderElementsOf(all);
            }
        });
    }

    /** Allocates until memory is exhausted. */
    private static List<Long> takeAll(ComputeThread ct) {
        List<Long> blocks = new ArrayList<>();
        try {
            while (true) {
                blocks.add(ct.allocate(64));
            }
        } catch (OutOfRemoteMemoryException e) {
            return blocks;
        }
    }

    @ParameterizedTest
    @EnumSource
    void eightBlocksThatAnotherThreadHasSharedTakeThreeRoundTrips(FabricKind kind) throws Exception {
        ClusterConfig config = TestCluster.config(1, 1, 2)
                .segmentSizeLog2(15)
                .segmentsPerNode(1)
                .build();
        int taken = 10 * SharedFreeLists.MOST;
        kind.run(config, ct -> {
            if (ct.id() == 0) {
                takeAll(ct).forEach(block -> ct.free(block, 64));
            }
            ct.barrier();
            if (ct.id() == 1) {
                long before = ct.metrics().roundTrips();
                for (int i = 0; i < taken; i++) {
                    ct.allocate(64);
                }
                assertThat(ct.metrics().roundTrips() - before)
                        .as("one round trip to see that there is no new memory, and three for each bundle")
                        .isEqualTo(1 + 3 * taken / SharedFreeLists.MOST);
            }
        });
    }

    /** Of one, two and three Memory Nodes, so that chains end in bundles of all sizes. */
    @ParameterizedTest
    @EnumSource
    void allThatAThreadLeavesInTheEndComesBackToOthersOnce(FabricKind kind) throws Exception {
        for (int nodes = 1; nodes <= 3; nodes++) {
            ClusterConfig config = TestCluster.config(nodes, 1, 2)
                    .segmentSizeLog2(12)
                    .segmentsPerNode(1)
                    .build();
            try (TestCluster cluster = kind.cluster(config).start()) {
                ComputeNode node = cluster.computeNode(config.firstComputeNode());
                ComputeThread first = node.openThread(0);
                List<Long> all = takeAll(first);
                for (int kept = 0; kept <= 2 * SharedFreeLists.MOST; kept++) {
                    List<Long> mine = all.subList(kept, all.size());
                    for (long block : mine) {
                        first.free(block, 64);
                    }
                    first.close();
                    ComputeThread second = node.openThread(1);
                    assertThat(takeAll(second)).containsExactlyInAnyOrderElementsOf(mine);
                    for (long block : mine) {
                        second.free(block, 64);
                    }
                    second.close();
                    first = node.openThread(0);
                    assertThat(takeAll(first)).containsExactlyInAnyOrderElementsOf(mine);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void eightThreadsShareMemoryThatIsNeverEnoughForAllAndLoseNoBlock(FabricKind kind) throws Exception {
        ClusterConfig config = TestCluster.config(1, 4, 2)
                .segmentSizeLog2(15)
                .segmentsPerNode(1)
                .checkMemory(true)
                .build();
        int rounds = kind == FabricKind.WEAK_LANES ? 20 : 200;
        long blocks = (new SegmentLayout(config).end(0) - 64) / 64;
        kind.run(config, ct -> {
            Deque<Long> mine = new ArrayDeque<>();
            for (int i = 0; i < rounds; i++) {
                try {
                    mine.add(ct.allocate(64));
                } catch (OutOfRemoteMemoryException e) {
                    ct.pause();
                }
                if (mine.size() > ct.random().nextInt(90)) {
                    ct.free(mine.remove(), 64);
                }
            }
            for (long block : mine) {
                ct.free(block, 64);
            }
            ct.barrier();
            long allocated = ct.parts.checked.readHeader(SegmentLayout.header(0, 0, 24));
            assertThat(Math.min(blocks, (allocated - 64) / 64)).isPositive();
        });
    }

    @ParameterizedTest
    @EnumSource
    void onlySmallBlocksAreShared(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            assertThat(SharedFreeLists.takes(64)).isTrue();
            assertThat(SharedFreeLists.takes(1024)).isTrue();
            assertThat(SharedFreeLists.takes(1088)).isFalse();
            SharedFreeLists lists = lists(ct);
            assertThat(lists.take(0, 1088)).isZero();
            long a = ct.allocate(1024);
            lists.put(a, 1024);
            assertThat(lists.take(0, 960)).isZero();
            assertThat(lists.take(0, 1024)).isEqualTo(a);
            assertThat(lists.take(0, 1024)).isZero();
        });
    }

    /** Otherwise a thread that was delayed inside a take could install an old link (ABA). */
    @ParameterizedTest
    @EnumSource
    void theHeadIsNeverTheSameAgainAfterATake(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            SegmentLayout layout = new SegmentLayout(ct.config());
            SharedFreeLists lists = lists(ct);
            long block = ct.allocate(64);
            Set<Long> heads = ConcurrentHashMap.newKeySet();
            for (int i = 0; i < 20; i++) {
                lists.put(block, 64);
                assertThat(heads.add(ct.parts.checked.readHeader(layout.sharedList(0, 0))))
                        .isTrue();
                assertThat(lists.take(0, 64)).isEqualTo(block);
            }
        });
    }
}
