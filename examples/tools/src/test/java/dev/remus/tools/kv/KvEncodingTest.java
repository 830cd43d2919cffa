// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.structures.Encoding;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KvEncodingTest {
    private static ByteBuffer encoded(int bytes, long value) {
        Encoding<Long> encoding = KvEncoding.of(bytes);
        assertThat(encoding.bytes(value)).isEqualTo(bytes);
        ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        encoding.encode(value, buffer);
        assertThat(buffer.remaining()).isZero();
        return buffer.flip();
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 9, 15, 16, 1000})
    void aValueOfAnySizeComesBack(int bytes) {
        assertThat(KvEncoding.of(bytes).decode(encoded(bytes, 0x1234_5678_9ABC_DEF1L)))
                .isEqualTo(0x1234_5678_9ABC_DEF1L);
    }

    @Test
    void aValueWhosePartsDoNotBelongTogetherIsRefused() {
        for (int damaged : new int[] {8, 15, 16, 18}) {
            ByteBuffer buffer = encoded(19, -7);
            buffer.put(damaged, (byte) 5);
            assertThatThrownBy(() -> KvEncoding.of(19).decode(buffer))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("19 bytes that nobody wrote as a whole");
        }
    }
}
