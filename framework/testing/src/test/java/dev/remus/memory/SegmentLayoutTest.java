// SPDX-License-Identifier: Apache-2.0
package dev.remus.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SegmentLayoutTest {
    @ParameterizedTest
    @CsvSource({
        "1, 12, false, BARRIER",
        "1, 12, true, EPOCHS",
        "7, 12, true, EPOCHS",
        "99, 15, true, BARRIER",
        "1018, 19, false, EPOCHS",
        "1018, 20, true, EPOCHS"
    })
    void noTwoTablesShareAWordAndAllEndInsideTheSegment(
            int computeNodes, int sizeLog2, boolean checkMemory, Reclamation reclaim) {
        ClusterConfig config = ClusterConfig.builder()
                .memoryNodes(5, 5)
                .computeNodes(6, 5 + computeNodes)
                .segmentSizeLog2(sizeLog2)
                .checkMemory(checkMemory)
                .reclaim(reclaim)
                .build();
        SegmentLayout layout = new SegmentLayout(config);
        Set<Long> words = new HashSet<>();
        if (reclaim == Reclamation.EPOCHS) {
            for (int word = 0; word <= config.totalThreads(); word++) {
                assertThat(words.add(RdmaPtr.offset(layout.epoch()) + 8L * word))
                        .isTrue();
            }
        }
        assertThat(words.add(RdmaPtr.offset(layout.returns(5)))).isTrue();
        assertThat(words.add(RdmaPtr.offset(layout.names()))).isTrue();
        for (int list = 0; list < SegmentLayout.SHARED_LISTS; list++) {
            assertThat(words.add(RdmaPtr.offset(layout.sharedList(5, list)))).isTrue();
        }
        assertThat(words.add(RdmaPtr.offset(layout.cluster(5)))).isTrue();
        assertThat(words.add(RdmaPtr.offset(layout.heartbeat(5)))).isTrue();
        for (int word = 0; word < SegmentLayout.AGREED_WORDS; word++) {
            assertThat(words.add(RdmaPtr.offset(layout.agreed(word)))).isTrue();
        }
        for (int node = config.firstComputeNode(); node <= config.lastComputeNode(); node++) {
            assertThat(words.add(RdmaPtr.offset(layout.membership(5, node)))).isTrue();
            assertThat(words.add(RdmaPtr.offset(layout.heartbeat(5, node)))).isTrue();
            assertThat(words.add(RdmaPtr.offset(layout.incarnation(5, node)))).isTrue();
            assertThat(words.add(RdmaPtr.offset(layout.fence(5, node)))).isTrue();
            assertThat(words.add(RdmaPtr.offset(layout.claim(5, node)))).isTrue();
            for (int word = 0; word < SegmentLayout.REASON_WORDS; word++) {
                assertThat(words.add(RdmaPtr.offset(layout.reason(5, node, word))))
                        .isTrue();
            }
        }
        long end = layout.end(0);
        if (checkMemory) {
            for (long block = 64; block < end; block += 64) {
                long pointer = RdmaPtr.raw(5, 0, block);
                assertThat(words.add(RdmaPtr.offset(layout.blockState(pointer))))
                        .isTrue();
                assertThat(words.add(RdmaPtr.offset(layout.blockUse(pointer)))).isTrue();
            }
        }
        assertThat(words).allMatch(word -> word >= end && word <= config.segmentBytes() - 8 && word % 8 == 0);
        assertThat(end % SegmentLayout.BLOCK).isZero();
        assertThat(layout.end(1)).isGreaterThan(end);
    }

    @ParameterizedTest
    @CsvSource({"1, 64", "64, 64", "65, 128", "4096, 4096", "4097, 4160"})
    void sizesAreRoundedUpToWholeBlocks(long bytes, long rounded) {
        assertThat(SegmentLayout.blockBytes(bytes)).isEqualTo(rounded);
    }
}
