// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShareTest {
    @ParameterizedTest
    @CsvSource({"0, 4", "1, 4", "3, 4", "4, 4", "2048, 7", "5, 16", "9223372036854775807, 1048576"})
    void theThreadsDivideAllItemsEvenlyWithoutOverlap(long items, int threads) {
        long end = 0;
        for (int thread = 0; thread < threads; thread++) {
            Share share = Share.of(items, thread, threads);
            assertThat(share.first()).isEqualTo(end);
            assertThat(share.size()).isBetween(items / threads, items / threads + 1);
            end = share.end();
        }
        assertThat(end).isEqualTo(items);
    }
}
