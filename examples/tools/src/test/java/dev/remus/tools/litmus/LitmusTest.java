// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.litmus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.RemoteSegment;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Litmus counts on correct lanes, on falsified lanes, and on shared memory. */
@Timeout(120)
class LitmusTest {
    private static final Duration SHORT = Duration.ofMillis(200);

    private static LitmusResult measure(FalsifyingLane.Falsification falsification) {
        return new Litmus(
                        new FalsifyingLane((n, memory, offset, length) -> {}),
                        new FalsifyingLane(falsification),
                        new RemoteSegment(0, 0, 1 << 16, 0, 1),
                        LocalBuffer.unregistered(1 << 16),
                        LocalBuffer.unregistered(1 << 16))
                .measure(SHORT);
    }

    @Test
    void aCorrectFabricHasNoTornOrLostWrites() {
        LitmusResult result = measure((n, memory, offset, length) -> {});
        assertThat(result.words()).isGreaterThan(result.records() * Litmus.RECORD_BYTES / 8);
        assertThat(result.records()).isPositive();
        assertThat(result.writes()).isPositive();
        assertThat(result.tornWords() + result.tornRecords() + result.lostWrites())
                .isZero();
    }

    @Test
    void aWordWhoseBytesDifferIsTornAloneAndInARecord() {
        LitmusResult alone = measure((n, memory, offset, length) -> {
            if (n == 3 && length == 8) {
                memory.putLong(offset, 0x0101_0101_0101_0102L);
            }
        });
        assertThat(alone.tornWords()).isEqualTo(1);
        assertThat(alone.tornRecords()).isZero();
        LitmusResult inside = measure((n, memory, offset, length) -> {
            if (length == Litmus.RECORD_BYTES) {
                memory.putLong(offset + length - 8, 0x0101_0000_0000_0000L);
            }
        });
        assertThat(inside.tornWords()).isEqualTo(inside.records()).isPositive();
        assertThat(inside.tornRecords()).isEqualTo(inside.records());
    }

    @Test
    void aRecordWhoseWordsDifferIsTornAndItsWordsAreNot() {
        LitmusResult result = measure((n, memory, offset, length) -> {
            if (length == Litmus.RECORD_BYTES && n % 2 == 0) {
                memory.putLong(offset + length - 8, 0x7777_7777_7777_7777L);
            }
        });
        assertThat(result.tornRecords()).isBetween(result.records() / 2, result.records() / 2 + 1);
        assertThat(result.tornWords()).isZero();
    }

    @Test
    void aWriteThatWasUndoneIsLost() {
        LitmusResult result = measure((n, memory, offset, length) -> {
            if (length == 8 && memory.getLong(offset) == 2) {
                memory.putLong(offset, 1);
            }
        });
        assertThat(result.lostWrites()).isEqualTo(1);
        assertThat(result.writes()).isGreaterThan(2);
    }

    @Test
    @Tag("processes")
    void sharedMemoryKeepsItsPromises() {
        LitmusResult result = Litmus.run(config -> config.fabric("shm"), Duration.ofMillis(100));
        assertThat(result.words()).isPositive();
        assertThat(result.records()).isPositive();
        assertThat(result.writes()).isPositive();
        assertThat(result.tornWords()).isZero();
        assertThat(result.lostWrites()).isZero();
    }
}
