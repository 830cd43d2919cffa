// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalBufferTest {
    @ParameterizedTest
    @ValueSource(longs = {8, 16, 4096, 4104, 1 << 20})
    void isZeroedAlignedToPagesAndOfTheRequestedSize(long bytes) {
        LocalBuffer memory = LocalBuffer.unregistered(bytes);
        assertThat(memory.bytes()).isEqualTo(bytes);
        assertThat(memory.address() % 4096).isZero();
        assertThat(memory.localKey()).isZero();
        for (long i = 0; i < bytes; i += 8) {
            assertThat(memory.getLong(i)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -8, 4, 12, (1L << 30) + 8, 1L << 32, Long.MAX_VALUE})
    void sizesThatAreNotAMultipleOfEightUpToAGibibyteAreRefused(long bytes) {
        assertThatThrownBy(() -> LocalBuffer.unregistered(bytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Long.toString(bytes));
    }

    @Test
    void accessOutsideTheBufferIsRefused() {
        LocalBuffer memory = LocalBuffer.unregistered(64);
        memory.putLong(56, 1);
        for (long offset : new long[] {64, 60, -1, -8, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> memory.getLong(offset)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> memory.putLong(offset, 1)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> memory.view(offset, 8)).isInstanceOf(IndexOutOfBoundsException.class);
        }
        assertThatThrownBy(() -> memory.view(0, -1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> memory.view(8, 64)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void aViewIsLittleEndianAndShowsTheSameBytes() {
        LocalBuffer memory = LocalBuffer.unregistered(64);
        ByteBuffer view = memory.view(8, 16);
        assertThat(view.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
        assertThat(view.remaining()).isEqualTo(16);
        view.putLong(0, 0x0102_0304_0506_0708L);
        assertThat(memory.getLong(8)).isEqualTo(0x0102_0304_0506_0708L);
        assertThat(memory.view(8, 1).get(0)).isEqualTo((byte) 8);
    }

    @Test
    void aRegistrationIsTheSameMemoryWithAKey() {
        LocalBuffer memory = LocalBuffer.unregistered(64);
        LocalBuffer registered = memory.registeredAs(17);
        memory.putLong(0, 3);
        assertThat(registered.getLong(0)).isEqualTo(3);
        assertThat(registered.address()).isEqualTo(memory.address());
        assertThat(registered.localKey()).isEqualTo(17);
    }
}
