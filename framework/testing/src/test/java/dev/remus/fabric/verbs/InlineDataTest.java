// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How much inline data a device is asked for. */
class InlineDataTest {
    private final InlineData inline = new InlineData();
    private final List<Integer> asked = new ArrayList<>();

    /** Creates a queue pair on a device that offers this many bytes. */
    private int create(int most) throws IOException {
        return inline.create(bytes -> {
            asked.add(bytes);
            if (bytes > most) {
                throw new IOException("too many bytes");
            }
            return bytes;
        });
    }

    @Test
    void aDeviceThatOffersEnoughIsAskedOnceForEachQueuePair() throws IOException {
        assertThat(create(400)).isEqualTo(InlineData.WANTED);
        assertThat(create(400)).isEqualTo(InlineData.WANTED);
        assertThat(asked).containsExactly(InlineData.WANTED, InlineData.WANTED);
        assertThat(inline.bytes()).isEqualTo(InlineData.WANTED);
    }

    @Test
    void aDeviceThatOffersTooLittleIsUsedWithout() throws IOException {
        assertThat(create(28)).isZero();
        assertThat(create(28)).isZero();
        assertThat(asked).containsExactly(InlineData.WANTED, 0, 0);
        assertThat(inline.bytes()).isZero();
    }

    @Test
    void aFailureForAnotherReasonDecidesNothing() throws IOException {
        assertThatThrownBy(() -> create(-1)).isInstanceOf(IOException.class);
        assertThat(inline.bytes()).isZero();
        assertThat(create(400)).isEqualTo(InlineData.WANTED);
    }
}
