// SPDX-License-Identifier: Apache-2.0
package dev.remus.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RdmaPtrTest {
    @ParameterizedTest
    @CsvSource({"0, 0, 64", "1023, 63, 281474976710655", "1, 0, 0", "0, 1, 0", "512, 32, 140737488355328"})
    void aPointerReturnsItsParts(int node, int segment, long offset) {
        RdmaPtr<?> pointer = RdmaPtr.of(node, segment, offset);
        assertThat(pointer.node()).isEqualTo(node);
        assertThat(pointer.segment()).isEqualTo(segment);
        assertThat(pointer.offset()).isEqualTo(offset);
        assertThat(pointer.isNull()).isFalse();
    }

    @Test
    void theBitsHaveTheDocumentedPlaces() {
        assertThat(RdmaPtr.raw(1, 0, 0)).isEqualTo(1L << 54);
        assertThat(RdmaPtr.raw(0, 1, 0)).isEqualTo(1L << 48);
        assertThat(RdmaPtr.raw(0, 0, 8)).isEqualTo(8);
        assertThat(RdmaPtr.raw(1023, 63, RdmaPtr.MAX_OFFSET)).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 0, 0, Memory Node id -1",
        "1024, 0, 0, Memory Node id 1024",
        "0, -1, 0, segment -1",
        "0, 64, 0, segment 64",
        "0, 0, -8, offset -8",
        "0, 0, 281474976710656, offset 281474976710656"
    })
    void partsOutOfRangeAreRejectedByName(int node, int segment, long offset, String named) {
        assertThatThrownBy(() -> RdmaPtr.of(node, segment, offset))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(named);
    }

    @Test
    void aMarkChangesNothingElse() {
        RdmaPtr<?> pointer = RdmaPtr.of(3, 2, 128);
        RdmaPtr<?> marked = pointer.marked();
        assertThat(pointer.isMarked()).isFalse();
        assertThat(marked.isMarked()).isTrue();
        assertThat(marked.node()).isEqualTo(3);
        assertThat(marked.segment()).isEqualTo(2);
        assertThat(marked.unmarked()).isEqualTo(pointer);
        assertThat(marked.marked()).isEqualTo(marked);
        assertThat(RdmaPtr.unmarked(RdmaPtr.raw(3, 2, 128) | 7)).isEqualTo(pointer.raw());
    }

    @Test
    void nullIsZero() {
        assertThat(RdmaPtr.nullPointer().raw()).isZero();
        assertThat(RdmaPtr.nullPointer().isNull()).isTrue();
        assertThat(RdmaPtr.nullPointer().marked().isNull()).isFalse();
    }

    @Test
    void itsTextIsReadable() {
        assertThat(RdmaPtr.of(3, 2, 0x1040)).hasToString("RdmaPtr[node 3, segment 2, offset 0x1040]");
        assertThat(RdmaPtr.of(3, 2, 0x1040).marked())
                .hasToString("RdmaPtr[node 3, segment 2, offset 0x1040, marked 1]");
        assertThat(RdmaPtr.nullPointer()).hasToString("RdmaPtr[null]");
    }
}
