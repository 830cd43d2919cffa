// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.locks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountedSpanTest {
    private static final int UNCOUNTED = 1;
    private static final int LEAST = 2;

    private final CountedSpan span = new CountedSpan(2, UNCOUNTED, LEAST);

    @Test
    void nothingCountsBeforeEachThreadIsWarm() {
        assertThat(span.acquired(0, 0, 10)).isFalse();
        assertThat(span.acquired(1, 0, 20)).isFalse();
        assertThat(span.acquired(0, 0, 30))
                .as("the last thread's uncounted one")
                .isFalse();
        assertThat(span.acquired(2, 0, 40)).isTrue();
    }

    @Test
    void itLastsUntilEachThreadHasAcquiredTheLockOftenEnough() {
        span.acquired(0, 0, 10);
        span.acquired(0, 0, 20);
        for (int i = 0; i < 5; i++) {
            assertThat(span.acquired(1 + i, i, 30 + i)).isTrue();
        }
        assertThat(span.acquired(1, 0, 40)).isTrue();
        assertThat(span.isOver()).isFalse();
        assertThat(span.acquired(2, 1, 50)).isTrue();
        assertThat(span.isOver()).isTrue();
        assertThat(span.nanos()).isEqualTo(30);
        assertThat(span.acquired(3, 2, 60)).isFalse();
        assertThat(span.nanos()).isEqualTo(30);
    }
}
