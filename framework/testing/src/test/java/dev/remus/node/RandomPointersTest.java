// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fuzz.Fuzz;
import dev.remus.memory.InvalidFreeException;
import dev.remus.memory.InvalidPointerException;
import dev.remus.memory.MixedAccessException;
import dev.remus.memory.OutOfRemoteMemoryException;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An operation works on blocks or throws a documented exception, for any pointer and length. */
@Timeout(300)
class RandomPointersTest {
    private static final int LOCAL_BYTES = 4096;

    @ParameterizedTest
    @EnumSource(names = {"DIRECT", "LANES"})
    void anyPointerAndAnyLengthIsUsedOrRefusedAndHarmsNothing(FabricKind kind) throws Exception {
        ClusterConfig config = TestCluster.config(2, 1, 1)
                .segmentSizeLog2(12)
                .threadBufferLog2(12)
                .checkMemory(true)
                .build();
        SplittableRandom random = Fuzz.random(kind.ordinal());
        kind.cluster(config).run(ct -> {
            long[] before = tables(config, ct);
            LocalBuffer local = ct.allocateLocal(LOCAL_BYTES);
            for (int i = Fuzz.times(400_000); i > 0; i--) {
                attempt(pointer(random), random, local, ct);
            }
            assertThat(tables(config, ct)).isEqualTo(before);
        });
    }

    /** A random pointer, usually nearly valid. */
    private static long pointer(SplittableRandom random) {
        if (random.nextInt(4) == 0) {
            return Fuzz.weird(random);
        }
        long offset = random.nextInt(4200) & (random.nextBoolean() ? -8 : -1);
        return RdmaPtr.raw(random.nextInt(3), random.nextInt(3), offset);
    }

    private static void attempt(long pointer, SplittableRandom random, LocalBuffer local, ComputeThread ct) {
        int length = random.nextBoolean() ? random.nextInt(LOCAL_BYTES + 64) : (int) Fuzz.weird(random);
        try {
            switch (random.nextInt(10)) {
                case 0 -> ct.read(pointer);
                case 1 -> ct.write(pointer, length);
                case 2 -> ct.post(pointer, length);
                case 3 -> ct.compareAndSwap(pointer, 0, length);
                case 4 -> ct.fetchAndAdd(pointer, length);
                case 5 -> ct.read(pointer, local, Fuzz.weird(random), length);
                case 6 -> ct.write(pointer, local, random.nextInt(128), length);
                case 7 -> ct.read(pointer, ByteBuffer.allocate(length & 8191));
                case 8 -> ct.free(pointer, Fuzz.weird(random));
                default -> ct.schedReclaim(pointer, length);
            }
        } catch (InvalidPointerException | InvalidFreeException | MixedAccessException | IndexOutOfBoundsException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
        if (random.nextInt(100) == 0) {
            allocate(Fuzz.weird(random), ct);
        }
    }

    private static void allocate(long bytes, ComputeThread ct) {
        try {
            ct.free(ct.allocate(bytes), bytes);
        } catch (OutOfRemoteMemoryException | IllegalArgumentException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }

    /** All words that no structure can reach, except the bump pointers and the words that the allocator keeps there. */
    private static long[] tables(ClusterConfig config, ComputeThread ct) {
        SegmentLayout layout = new SegmentLayout(config);
        return IntStream.range(0, 2)
                .mapToLong(m -> ct.parts.checked.readHeader(SegmentLayout.header(m, 0, SegmentHeader.MAGIC))
                        ^ ct.parts.checked.readHeader(SegmentLayout.header(m, 0, SegmentHeader.ROOT))
                        ^ ct.parts.checked.readHeader(SegmentLayout.header(m, 1, SegmentHeader.END))
                        ^ ct.parts.checked.readHeader(SegmentLayout.header(m, 0, SegmentHeader.LOSS))
                        ^ ct.parts.checked.readHeader(layout.cluster(m))
                        ^ ct.parts.checked.readHeader(layout.membership(m, config.firstComputeNode())))
                .toArray();
    }
}
