// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalSlabsTest {
    private static final int KEY = 17;

    /** The sizes of the allocations, for slabs or for a single piece. */
    private final List<Long> whole = new ArrayList<>();

    private final LocalSlabs slabs = new LocalSlabs(bytes -> {
        whole.add(bytes);
        return LocalBuffer.unregistered(bytes).registeredAs(KEY);
    });

    @Test
    void aHundredThousandSmallPiecesTakeAFewMebibytes() {
        for (int i = 0; i < 100_000; i++) {
            slabs.allocate(24);
        }
        assertThat(whole.stream().mapToLong(bytes -> bytes).sum()).isBetween(2_400_000L, 13L << 20);
        assertThat(whole).hasSizeLessThan(1_000); // each is a registration, too
    }

    @Test
    void noTwoPiecesShareAByteOrACacheLine() {
        List<LocalBuffer> pieces = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            LocalBuffer piece = slabs.allocate(8 + 8L * (i * 7 % 300));
            assertThat(piece.bytes()).isEqualTo(8 + 8L * (i * 7 % 300));
            assertThat(piece.localKey()).isEqualTo(KEY);
            assertThat(piece.address() % 64).isZero();
            for (long at = 0; at < piece.bytes(); at += 8) {
                assertThat(piece.getLong(at)).isZero();
                piece.putLong(at, i);
            }
            pieces.add(piece);
        }
        for (int i = 0; i < pieces.size(); i++) {
            LocalBuffer piece = pieces.get(i);
            for (long at = 0; at < piece.bytes(); at += 8) {
                assertThat(piece.getLong(at)).isEqualTo(i);
                assertThat(piece.view(at, 8).getLong()).isEqualTo(i);
            }
        }
    }

    @Test
    void aPieceEndsAfterItsSizeEvenInsideASlab() {
        slabs.allocate(8);
        LocalBuffer piece = slabs.allocate(24);
        slabs.allocate(8);
        assertThat(whole).hasSize(1);
        for (long offset : new long[] {-8, -1, 24, 17, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> piece.getLong(offset)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> piece.putLong(offset, 1)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> piece.view(offset, 8)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> piece.check(offset, 8)).isInstanceOf(IndexOutOfBoundsException.class);
        }
        assertThat(piece.view(0, 24).capacity()).isEqualTo(24);
    }

    @Test
    void aLargePieceHasMemoryOfItsOwn() {
        slabs.allocate(8);
        assertThat(slabs.allocate(1 << 20).bytes()).isEqualTo(1 << 20);
        assertThat(slabs.allocate(4096).bytes()).isEqualTo(4096);
        slabs.allocate(8);
        assertThat(whole).containsExactly(whole.get(0), 1L << 20, 4096L);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -8, 4, 12, (1L << 30) + 8, Long.MAX_VALUE})
    void sizesThatAreNotAMultipleOfEightUpToAGibibyteAreRefused(long bytes) {
        assertThatThrownBy(() -> slabs.allocate(bytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Long.toString(bytes));
        assertThat(whole).isEmpty();
    }
}
