// SPDX-License-Identifier: Apache-2.0
package dev.remus.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaggedPointersTest {
    private static TaggedPointers pointers(int lastNode, int segments, int sizeLog2) {
        return new TaggedPointers(ClusterConfig.builder()
                .cluster("tags")
                .memoryNodes(0, lastNode)
                .computeNodes(lastNode, lastNode)
                .segmentsPerNode(segments)
                .segmentSizeLog2(sizeLog2)
                .build());
    }

    @ParameterizedTest
    @CsvSource({"0, 2, 20, 49", "3, 2, 30, 37", "63, 8, 32, 29", "1023, 64, 36, 18", "0, 1, 20, 50"})
    void aTagHasTheBitsThatPointersToBlocksOfTheClusterLeave(int lastNode, int segments, int sizeLog2, int bits) {
        TaggedPointers pointers = pointers(lastNode, segments, sizeLog2);
        assertThat(pointers.tagBits()).isEqualTo(bits);

        long last = RdmaPtr.raw(lastNode, segments - 1, (1L << sizeLog2) - 64);
        long largest = (1L << bits) - 1;
        long word = pointers.word(last, largest);
        assertThat(pointers.pointer(word)).isEqualTo(last);
        assertThat(pointers.tag(word)).isEqualTo(largest);
        assertThat(pointers.toString(word)).endsWith(", tag " + largest);
        assertThat(pointers.tag(pointers.next(word, RdmaPtr.NULL))).isZero();
        assertThat(pointers.next(word, RdmaPtr.NULL)).isZero();
    }

    @Test
    void pointersThatAWordCannotHoldAreRejected() {
        TaggedPointers pointers = pointers(1, 2, 20);
        for (long pointer : new long[] {
            RdmaPtr.raw(2, 0, 64),
            RdmaPtr.raw(0, 2, 64),
            RdmaPtr.raw(0, 0, 1 << 20),
            RdmaPtr.raw(0, 0, 72),
            RdmaPtr.marked(RdmaPtr.raw(0, 0, 64))
        }) {
            assertThat(pointers.isBlock(pointer)).isFalse();
            assertThatThrownBy(() -> pointers.word(pointer, 0))
                    .isInstanceOf(InvalidPointerException.class)
                    .hasMessageContaining("a multiple of 64, of Memory Node 0 to 1, segment 0 to 1");
        }
        assertThat(pointers.isBlock(RdmaPtr.NULL)).isTrue();
    }
}
