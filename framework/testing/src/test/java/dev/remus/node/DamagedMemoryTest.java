// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.shm.Leftovers;
import dev.remus.fuzz.Fuzz;
import dev.remus.memory.InvalidFreeException;
import dev.remus.memory.InvalidPointerException;
import dev.remus.memory.OutOfRemoteMemoryException;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers and tables are overwritten with random values while nodes use them. */
@Tag("oldest-jdk")
@Timeout(600)
class DamagedMemoryTest {
    private static final int OPERATIONS = 200;

    private static final class Done extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private static void set(long word, long value, ComputeThread ct) {
        ct.parts.checked.fetchAndAddHeader(word, value - ct.parts.checked.readHeader(word));
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, -64, 0, 8, 32, 100, Long.MIN_VALUE, Long.MIN_VALUE + 64, Long.MAX_VALUE, 1L << 40 | 1})
    void anImpossibleBumpPointerIsReportedAndNeverBecomesABlock(long nonsense) throws Exception {
        FabricKind.DIRECT.run(TestCluster.config(1, 1, 1).segmentsPerNode(1).build(), ct -> {
            set(SegmentLayout.header(0, 0, SegmentHeader.ALLOCATED), nonsense, ct);
            assertThatThrownBy(() -> ct.allocate(64))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("segment 0 of Memory Node 0 is damaged")
                    .hasMessageContaining(Long.toString(nonsense));
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {1L << 40, Long.MAX_VALUE - 63, Long.MAX_VALUE - 127})
    void aBumpPointerFarBehindTheEndMeansAFullSegment(long nonsense) throws Exception {
        FabricKind.DIRECT.run(TestCluster.config(1, 1, 1).segmentsPerNode(1).build(), ct -> {
            set(SegmentLayout.header(0, 0, SegmentHeader.ALLOCATED), nonsense, ct);
            assertThatThrownBy(() -> ct.allocate(64)).isInstanceOf(OutOfRemoteMemoryException.class);
            assertThatThrownBy(() -> ct.allocate(8192)).isInstanceOf(OutOfRemoteMemoryException.class);
        });
    }

    @Test
    void aBumpPointerThatHasGoneBackIsReported() throws Exception {
        FabricKind.DIRECT.run(TestCluster.config(1, 1, 1).segmentsPerNode(1).build(), ct -> {
            ct.allocate(64);
            ct.allocate(64);
            set(SegmentLayout.header(0, 0, SegmentHeader.ALLOCATED), 128, ct);
            assertThatThrownBy(() -> ct.allocate(64))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("from 192 on");
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {100, -1, Long.MIN_VALUE, (7L << 32) + 2})
    void aLossWordThatNamesNoNodeEndsTheRunAndNamesItsMemoryNode(long nonsense) throws Exception {
        ClusterConfig config = TestCluster.config(1, 1, 1).build();
        try (TestCluster cluster = TestCluster.of(config).start()) {
            Throwable thrown = catchThrowable(() -> cluster.runThreads(ct -> {
                set(SegmentLayout.header(0, 0, SegmentHeader.LOSS), nonsense, ct);
                while (true) {
                    ct.pause();
                }
            }));
            assertThat(thrown)
                    .isInstanceOfSatisfying(
                            NodeLostException.class, e -> assertThat(e.node()).isZero())
                    .hasMessageContaining("Memory Node 0 is damaged")
                    .hasMessageContaining(Long.toString(nonsense));
            assertThatThrownBy(cluster.memoryNode(0)::awaitFinished).hasMessageContaining("Memory Node 0 is damaged");
        }
    }

    @Test
    void aHeaderWithAnotherSizeIsRefusedByAComputeNode() throws Exception {
        ClusterConfig config = TestCluster.config(1, 2, 1).build();
        try (TestCluster cluster = TestCluster.of(config)) {
            cluster.startMemoryNode(0);
            ComputeNode first = cluster.connect(1);
            first.openThread(0).parts.checked.fetchAndAddHeader(SegmentLayout.header(0, 1, SegmentHeader.SIZE), 64);
            assertThatThrownBy(() -> cluster.connect(2))
                    .isInstanceOf(FabricException.class)
                    .hasMessageContaining("segment 1 of Memory Node 0");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DIRECT", "LANES"})
    void randomDamageEndsInDocumentedExceptionsOnly(FabricKind kind) throws Exception {
        for (int round = Fuzz.times(200); round > 0; round--) {
            ClusterConfig config = TestCluster.config(2, 2, 2)
                    .segmentSizeLog2(12)
                    .threadBufferLog2(12)
                    .checkMemory(round % 2 == 0)
                    .build();
            damage(kind, config, 1000 * kind.ordinal() + round);
            assertThat(Leftovers.areGone(config)).isTrue();
        }
    }

    private static void damage(FabricKind kind, ClusterConfig config, int seed) throws Exception {
        Queue<Throwable> unexpected = new ConcurrentLinkedQueue<>();
        try (TestCluster cluster =
                kind.cluster(config).within(Duration.ofSeconds(60)).start()) {
            assertThatThrownBy(() -> cluster.runThreads(ct -> {
                        try {
                            use(config, Fuzz.random(seed * 4 + ct.id()), ct);
                        } catch (RuntimeException | Error e) {
                            note(e, unexpected);
                        }
                        if (ct.id() == 0) {
                            throw new Done(); // ends the threads that wait at a barrier
                        }
                    }))
                    .isInstanceOfAny(Done.class, FabricException.class);
            note(catchThrowable(() -> cluster.memoryNode(0).allocated(0)), unexpected);
        }
        assertThat(unexpected).as("seed " + seed).isEmpty();
    }

    private static void note(Throwable e, Queue<Throwable> unexpected) {
        boolean documented = e == null
                || e instanceof FabricException
                || e instanceof InvalidPointerException
                || e instanceof InvalidFreeException
                || e instanceof OutOfRemoteMemoryException
                || e instanceof IllegalStateException;
        if (!documented || e != null && e.getMessage() == null) {
            unexpected.add(e);
        }
    }

    /** Damages a word from time to time, and goes on as if nothing had happened. */
    private static void use(ClusterConfig config, SplittableRandom random, ComputeThread ct) {
        Deque<Long> blocks = new ArrayDeque<>();
        Queue<Throwable> unexpected = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < OPERATIONS; i++) {
            try {
                if (random.nextInt(20) == 0) {
                    set(anyWord(config, random), Fuzz.weird(random), ct);
                }
                operate(blocks, random, ct);
            } catch (NodeLostException e) {
                return;
            } catch (RuntimeException e) {
                note(e, unexpected);
                assertThat(unexpected).isEmpty();
            }
        }
    }

    private static void operate(Deque<Long> blocks, SplittableRandom random, ComputeThread ct) {
        long bytes = 64L * (1 + random.nextInt(3));
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> {
                long block = ct.allocate(bytes);
                assertThat(RdmaPtr.offset(block) % 64).isZero();
                try {
                    ct.write(block, 1);
                    ct.write(block + bytes - 8, 1);
                } catch (InvalidPointerException e) {
                    if (!e.getMessage().contains(" is free: ")) { // by a state word that was overwritten
                        throw new AssertionError("not a block of " + bytes + " bytes", e);
                    }
                }
                blocks.push(block);
            }
            case 3 -> {
                if (!blocks.isEmpty()) {
                    ct.free(blocks.pop(), bytes);
                }
            }
            case 4 -> {
                if (!blocks.isEmpty()) {
                    ct.schedReclaim(blocks.pop(), bytes);
                }
            }
            case 5 -> ct.reclaimDeferred();
            case 6 ->
                ct.root().set(new RdmaPtr<>(RdmaPtr.unmarked(ct.root().get().raw())));
            default -> {
                if (ct.id() != 0 && random.nextInt(20) == 0) { // the thread that never waits ends those that do
                    ct.barrier();
                }
                ct.pause();
            }
        }
    }

    /** A word of a header or of the tables behind the blocks. */
    private static long anyWord(ClusterConfig config, SplittableRandom random) {
        int node = random.nextInt(2);
        int segment = random.nextInt(2);
        if (random.nextBoolean()) {
            return SegmentLayout.header(node, segment, 8 * random.nextInt(8));
        }
        long end = new SegmentLayout(config).end(segment);
        long words = (config.segmentBytes() - end) / 8;
        return words == 0
                ? SegmentLayout.header(node, segment, SegmentHeader.ALLOCATED)
                : RdmaPtr.raw(node, segment, end + 8 * random.nextLong(words));
    }
}
