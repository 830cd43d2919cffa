// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.memory.RdmaPtr;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PointerSetTest {
    private static final long SEGMENT_BYTES = 1L << 30;

    @Test
    void itsSizeDependsOnTheNumberOfPointersAndNotOnTheirValues() {
        PointerSet set = new PointerSet();
        int empty = set.slots();
        for (int node = 0; node <= RdmaPtr.MAX_NODE; node += 31) {
            for (long offset = 64; offset <= SEGMENT_BYTES; offset *= 2) {
                long pointer = RdmaPtr.raw(node, RdmaPtr.MAX_SEGMENT, SEGMENT_BYTES - offset);
                assertThat(set.add(pointer)).isTrue();
                set.remove(pointer);
            }
        }
        assertThat(set.slots()).isEqualTo(empty);
        LongStream.range(0, 1000).forEach(i -> set.add(block(SEGMENT_BYTES - 64 * (i + 1))));
        assertThat(set.slots()).isBetween(2000, 4096);
    }

    @Test
    void blocksThatLieSideBySideOrFarApartAreFoundAtOnce() {
        for (long distance = 64; distance <= 1 << 20; distance *= 2) {
            PointerSet set = new PointerSet();
            for (int i = 1; i <= 1000; i++) {
                set.add(block(SEGMENT_BYTES - i * distance % SEGMENT_BYTES));
            }
            for (int i = 1; i <= 1000; i++) {
                assertThat(set.probes(block(SEGMENT_BYTES - i * distance % SEGMENT_BYTES)))
                        .as("slots probed for block %d of those %d bytes apart", i, distance)
                        .isLessThan(16);
            }
        }
    }

    @Test
    void itHoldsThePointersThatWereAddedAndNotRemovedSince() {
        SplittableRandom random = new SplittableRandom(5);
        PointerSet set = new PointerSet();
        Set<Long> expected = new HashSet<>();
        for (int i = 0; i < 200_000; i++) {
            long pointer = block(64L * (1 + random.nextInt(1 + i / 100)));
            if (random.nextBoolean()) {
                assertThat(set.add(pointer)).isEqualTo(expected.add(pointer));
            } else {
                set.remove(pointer);
                expected.remove(pointer);
            }
            assertThat(set.size()).isEqualTo(expected.size());
        }
    }

    private static long block(long offset) {
        return RdmaPtr.raw(3, 1, offset);
    }
}
