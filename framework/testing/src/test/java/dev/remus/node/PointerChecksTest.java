// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.InvalidPointerException;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentLayout;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class PointerChecksTest {
    private static final int WORDS = 4096 / 8;

    private static ClusterConfig config() {
        return TestCluster.config(2, 1, 1).segmentSizeLog2(12).build();
    }

    @ParameterizedTest
    @EnumSource
    void noOperationAccessesTheTargetOfAnInvalidPointer(FabricKind kind) throws Exception {
        ClusterConfig config = config();
        long end = new SegmentLayout(config).end(0);
        List<Long> bad = List.of(
                0L,
                16L,
                RdmaPtr.raw(0, 0, 64) | 1,
                RdmaPtr.raw(0, 0, 64) | 2,
                RdmaPtr.raw(0, 0, 24),
                RdmaPtr.raw(0, 0, end),
                RdmaPtr.raw(1, 1, 4096),
                RdmaPtr.raw(1, 2, 64),
                RdmaPtr.raw(2, 0, 64));
        kind.run(config, ct -> {
            Map<Long, Long> before = snapshot(ct);
            long operations = ct.metrics().operations();
            for (long pointer : bad) {
                refused(pointer, () -> ct.read(pointer));
                refused(pointer, () -> ct.write(pointer, -1));
                refused(pointer, () -> ct.post(pointer, -1));
                refused(pointer, () -> ct.compareAndSwap(pointer, 0, -1));
                refused(pointer, () -> ct.fetchAndAdd(pointer, -1));
                refused(pointer, () -> ct.read(pointer, ByteBuffer.allocate(8)));
                refused(pointer, () -> ct.write(pointer, ByteBuffer.allocate(8)));
                refused(pointer, () -> ct.free(pointer, 64));
                refused(pointer, () -> ct.schedReclaim(pointer, 64));
                if (pointer != 0) {
                    refused(pointer, () -> ct.root().set(new RdmaPtr<>(pointer)));
                }
            }
            long last = RdmaPtr.raw(0, 0, end - 8);
            refused(last, () -> ct.write(last, ByteBuffer.allocate(16)));
            refused(last, () -> ct.read(last, ByteBuffer.allocate(0)));
            refused(last, () -> ct.read(last, ByteBuffer.allocate(4)));
            ct.place();
            assertThat(ct.metrics().operations()).isEqualTo(operations);
            assertThat(snapshot(ct)).isEqualTo(before);
            assertThat(ct.root().get().isNull()).isTrue();
        });
    }

    private static void refused(long pointer, ThrowingCallable access) {
        assertThatThrownBy(access)
                .isInstanceOfSatisfying(
                        InvalidPointerException.class,
                        e -> assertThat(e.pointer()).isEqualTo(pointer));
    }

    /**
     * All words of the first segment, except those by which the nodes watch each other, since these change with time.
     */
    private static Map<Long, Long> snapshot(ComputeThread ct) {
        SegmentLayout layout = new SegmentLayout(config());
        Set<Long> changing = new HashSet<>(Set.of(layout.heartbeat(0)));
        for (int node = config().firstComputeNode(); node <= config().lastComputeNode(); node++) {
            changing.addAll(Set.of(layout.membership(0, node), layout.incarnation(0, node), layout.heartbeat(0, node)));
        }
        Map<Long, Long> words = new TreeMap<>();
        for (int i = 0; i < WORDS; i++) {
            long pointer = RdmaPtr.raw(0, 0, i * 8L);
            if (!changing.contains(pointer)) {
                words.put(pointer, ct.parts.checked.readHeader(pointer));
            }
        }
        return words;
    }

    @ParameterizedTest
    @EnumSource
    void ofManyRandomPointersOnlyThoseInsideTheBlocksAreAccessed(FabricKind kind) throws Exception {
        ClusterConfig config = config();
        SegmentLayout layout = new SegmentLayout(config);
        int pointers = kind == FabricKind.DIRECT ? 100_000 : 10_000;
        kind.run(config, ct -> {
            SplittableRandom random = new SplittableRandom(3);
            for (int i = 0; i < pointers; i++) {
                long pointer = i % 8 == 0
                        ? random.nextLong()
                        : RdmaPtr.raw(random.nextInt(3), random.nextInt(3), random.nextLong(4200));
                boolean inside = config.isMemoryNode(RdmaPtr.node(pointer))
                        && RdmaPtr.segment(pointer) < 2
                        && RdmaPtr.offset(pointer) % 8 == 0
                        && RdmaPtr.offset(pointer) >= 64
                        && RdmaPtr.offset(pointer) < layout.end(RdmaPtr.segment(pointer));
                boolean accessed = true;
                try {
                    ct.fetchAndAdd(pointer, 1);
                } catch (InvalidPointerException e) {
                    accessed = false;
                }
                if (accessed != inside) {
                    throw new AssertionError(RdmaPtr.toString(pointer) + " accessed: " + accessed);
                }
            }
            assertThat(ct.parts.checked.readHeader(SegmentLayout.header(0, 0, 24)))
                    .isEqualTo(64); // the header is unchanged
        });
    }
}
