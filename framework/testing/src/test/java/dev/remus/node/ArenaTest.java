// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.AllocationPolicy;
import dev.remus.config.ClusterConfig;
import dev.remus.memory.InvalidFreeException;
import dev.remus.memory.OutOfRemoteMemoryException;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class ArenaTest {
    private static final int BLOCKS = 5_000;
    private static final int OF_A_RUN = 64;

    /** Single blocks at first. */
    private static final int AT_FIRST = 12;

    @ParameterizedTest
    @CsvSource({"64, 167", "192, 485", "512, 1257", "1024, 10113"}) // with looks for shared blocks from 4 MiB on
    void tenThousandBlocksOfASizeNeedSoManyRoundTrips(long bytes, long roundTrips) throws Exception {
        FabricKind.LANES.run(TestCluster.config(1, 1, 1).segmentSizeLog2(24).build(), ct -> {
            long before = ct.metrics().roundTrips();
            for (int i = 0; i < 10_000; i++) {
                ct.allocate(bytes);
            }
            assertThat(ct.metrics().roundTrips() - before).isEqualTo(roundTrips);
        });
    }

    @ParameterizedTest
    @EnumSource
    void of64SmallBlocks63NeedNoRoundTrip(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(2, 1, 1).build(), ct -> {
            long before = ct.metrics().roundTrips();
            for (int i = 0; i < BLOCKS; i++) {
                ct.allocate(64);
            }
            assertThat(ct.metrics().roundTrips() - before).isLessThanOrEqualTo(AT_FIRST + BLOCKS / OF_A_RUN);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aRunLiesInOneSegmentAndTheNextOneInTheNextSegment(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(2, 1, 1).segmentsPerNode(2).build(), ct -> {
            long last = ct.allocate(64);
            int jumps = 0;
            Set<Long> segments = new HashSet<>();
            for (int i = 1; i < BLOCKS; i++) {
                long block = ct.allocate(64);
                segments.add(block - RdmaPtr.offset(block));
                if (block != last + 64) {
                    jumps++;
                    assertThat(block - RdmaPtr.offset(block)).isNotEqualTo(last - RdmaPtr.offset(last));
                }
                last = block;
            }
            assertThat(segments).hasSize(4);
            assertThat(jumps).isLessThanOrEqualTo(AT_FIRST + BLOCKS / OF_A_RUN);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aBlockInTheUnusedPartOfARunCannotBeFreed(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            ct.allocate(8192);
            long block = ct.allocate(64); // the first of a run
            for (long unused : new long[] {block + 64, block + 4096 - 64}) {
                assertThatThrownBy(() -> ct.free(unused, 64)).isInstanceOf(InvalidFreeException.class);
                assertThatThrownBy(() -> ct.schedReclaim(unused, 64)).isInstanceOf(InvalidFreeException.class);
            }
            assertThatThrownBy(() -> ct.free(block, 128)).isInstanceOf(InvalidFreeException.class);
            assertThat(ct.allocate(64)).isEqualTo(block + 64);
            ct.free(block + 64, 64);
            ct.free(block, 64);
        });
    }

    /** One thread uses up the memory while the others have runs, and gets their rest when they have ended. */
    @ParameterizedTest
    @EnumSource
    void theRestOfAllRunsIsASmallPartOfASegmentAndIsFreeWhenTheirThreadsEnd(FabricKind kind) throws Exception {
        for (AllocationPolicy policy :
                new AllocationPolicy[] {AllocationPolicy.GLOBAL_RR, AllocationPolicy.LOCAL_MOD}) {
            ClusterConfig config = TestCluster.configOfBoth(1, 4)
                    .segmentSizeLog2(18)
                    .segmentsPerNode(2)
                    .allocationPolicy(policy)
                    .build();
            SegmentLayout layout = new SegmentLayout(config);
            long all = (layout.end(0) + layout.end(1) - 2L * SegmentHeader.BYTES) / 64;
            CountDownLatch exhausted = new CountDownLatch(1);
            CountDownLatch ended = new CountDownLatch(3);
            kind.run(config, ct -> {
                for (int i = 0; i < 50; i++) {
                    ct.allocate(64);
                }
                ct.barrier();
                if (ct.id() > 0) {
                    exhausted.await();
                    ct.close();
                    ended.countDown();
                    return;
                }
                long blocks = 4 * 50 + allocateAll(ct);
                assertThat(all - blocks).isBetween(1L, config.segmentBytes() / 64 / 64);
                exhausted.countDown();
                ended.await();
                assertThat(blocks + allocateAll(ct)).isEqualTo(all);
            });
        }
    }

    private static long allocateAll(ComputeThread ct) {
        long blocks = 0;
        try {
            while (true) {
                ct.allocate(64);
                blocks++;
            }
        } catch (OutOfRemoteMemoryException e) {
            return blocks;
        }
    }

    @Test
    void aRunIsNeverLongerThanWhatItsThreadHasTakenOr4KibOrItsShareOfTheRoom() {
        SplittableRandom random = new SplittableRandom(1);
        for (int threads : new int[] {1, 2, 24, 1000}) {
            Arena arena = new Arena(threads);
            long taken = 0;
            for (int i = 0; i < 1000; i++) {
                long block = 64L * (1 + random.nextInt(20));
                long room = random.nextLong(1L << 1 + random.nextInt(30));
                long run = arena.runFor(block, room);
                if (run != block) {
                    assertThat(run)
                            .isBetween(8 * block - block + 1, Math.min(Math.min(taken, 4096), room / 64 / threads));
                    assertThat(run % block).isZero();
                }
                arena.count(block, run);
                taken += run;
            }
        }
    }
}
