// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IntSetWorkloadTest {
    private static final IntSetWorkload DEFAULTS = IntSetWorkload.defaults();

    private static ClusterConfig.Builder cluster() {
        return ClusterConfig.builder()
                .memoryNodes(0, 0)
                .computeNodes(1, 2)
                .threadsPerNode(2)
                .reclaim(Reclamation.BARRIER);
    }

    @Test
    void inTheWorstCaseAQuarterOfTheMemoryAwaitsReclamation() {
        assertThat(DEFAULTS.in(cluster().build()).reclaimEvery()).isEqualTo((2 << 20) / 4 / (4 * 64));
    }

    @Test
    void theOperationsBetweenBarriersStayWithinBounds() {
        ClusterConfig tiny = cluster()
                .segmentSizeLog2(12)
                .segmentsPerNode(1)
                .threadsPerNode(64)
                .build();
        ClusterConfig large = cluster().segmentSizeLog2(30).build();
        assertThat(DEFAULTS.in(tiny).reclaimEvery()).isEqualTo(16);
        assertThat(DEFAULTS.in(large).reclaimEvery()).isEqualTo(8192);
    }

    @Test
    void withEpochsNoNumberOfOperationsBetweenBarriersIsChosen() {
        ClusterConfig epochs = cluster().reclaim(Reclamation.EPOCHS).build();
        assertThat(DEFAULTS.in(epochs).reclaimEvery()).isZero();
    }

    @Test
    void aGivenNumberOfOperationsBetweenBarriersIsKept() {
        assertThat(DEFAULTS.withReclaimEvery(3).in(cluster().build()).reclaimEvery())
                .isEqualTo(3);
    }

    @Test
    void aPrefillLargerThanTheMemoryDoesNotFit() {
        ClusterConfig cluster = cluster().build(); // 2 MiB
        assertThat(DEFAULTS.fits(cluster)).isTrue();
        assertThat(DEFAULTS.withPrefill(100).withKeys(1, 32_768).fits(cluster)).isTrue();
        assertThat(DEFAULTS.withPrefill(100).withKeys(0, 32_768).fits(cluster)).isFalse();
        assertThat(DEFAULTS.withKeys(Long.MIN_VALUE, Long.MAX_VALUE).fits(cluster))
                .isFalse();
        assertThat(DEFAULTS.withKeys(Long.MIN_VALUE, Long.MAX_VALUE)
                        .withPrefill(0)
                        .fits(cluster))
                .isTrue();
    }

    @Test
    void eachThreadDrawsItsOwnNumbersAndTheSameInEveryRun() {
        Set<Long> first = new HashSet<>();
        for (int thread = 0; thread < 64; thread++) {
            long drawn = DEFAULTS.withSeed(1).random(thread).nextLong();
            first.add(drawn);
            assertThat(DEFAULTS.withSeed(1).random(thread).nextLong()).isEqualTo(drawn);
            assertThat(DEFAULTS.withSeed(2).random(thread).nextLong()).isNotEqualTo(drawn);
        }
        assertThat(first).hasSize(64);
    }

    @Test
    void wrongPercentagesAreRefused() {
        assertThatThrownBy(() -> DEFAULTS.withRatios(60, 50)).hasMessageContaining("insert 60, remove 50");
        assertThatThrownBy(() -> DEFAULTS.withRatios(-1, 50)).hasMessageContaining("insert -1");
        assertThatThrownBy(() -> DEFAULTS.withPrefill(101)).hasMessageContaining("prefill 101");
    }
}
