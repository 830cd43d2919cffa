// SPDX-License-Identifier: Apache-2.0
package dev.remus.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.Agreement;
import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.config.OnNodeLoss;
import dev.remus.config.Reclamation;
import dev.remus.config.Setting;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The word by which nodes compare their settings. */
class ClusterWordTest {
    private static final ClusterConfig SMALL = ClusterConfig.builder()
            .memoryNodes(0, 0)
            .computeNodes(0, 0)
            .reclaim(Reclamation.BARRIER)
            .build();

    private static final ClusterConfig LARGEST = ClusterConfig.builder()
            .memoryNodes(1023, 1023)
            .computeNodes(1023, 1023)
            .threadsPerNode(4096)
            .onNodeLoss(OnNodeLoss.CONTINUE)
            .reclaim(Reclamation.EPOCHS)
            .checkMemory(true)
            .lossTimeout(Duration.ofSeconds(120))
            .build();

    private static Stream<Setting<?>> compared() {
        return ClusterSettings.all().stream()
                .filter(setting ->
                        setting.agreement() == Agreement.LAYOUT || setting.agreement() == Agreement.COMPARED);
    }

    @ParameterizedTest
    @MethodSource("compared")
    void eachComparedSettingHasBitsOfItsOwn(Setting<?> setting) {
        long small = ClusterWord.of(SMALL);
        long largest = ClusterWord.of(LARGEST);

        assertThat(ClusterWord.differences(small, largest, setting.agreement())).contains(setting);
        assertThat(ClusterWord.describe(largest, List.of(setting))).isEqualTo(inAMessage(setting, LARGEST));
        assertThat(ClusterWord.describe(small, List.of(setting))).isEqualTo(inAMessage(setting, SMALL));
    }

    private static <T> String inAMessage(Setting<T> setting, ClusterConfig config) {
        return setting.names() + " " + setting.type().format(config.get(setting));
    }

    @Test
    void equalConfigurationsHaveEqualWordsAndOtherSettingsDoNotCount() {
        ClusterConfig same = SMALL.toBuilder().lanes(7).cluster("other").build();

        assertThat(ClusterWord.of(same)).isEqualTo(ClusterWord.of(SMALL));
    }

    @Test
    void onlyTheSettingsThatDifferAreNamed() {
        long word = ClusterWord.of(SMALL);
        long other = ClusterWord.of(SMALL.toBuilder()
                .threadsPerNode(9)
                .onNodeLoss(OnNodeLoss.CONTINUE)
                .build());

        assertThat(ClusterWord.differences(word, other, Agreement.LAYOUT))
                .containsExactly(ClusterSettings.THREADS_PER_NODE);
        assertThat(ClusterWord.differences(word, other, Agreement.COMPARED))
                .containsExactly(ClusterSettings.ON_NODE_LOSS);
    }

    @Test
    void aWordThatNoConfigurationHasIsInvalid() {
        assertThat(ClusterWord.isValid(ClusterWord.of(SMALL))).isTrue();
        assertThat(ClusterWord.isValid(ClusterWord.of(LARGEST))).isTrue();
        assertThat(ClusterWord.isValid(0)).isFalse();
        assertThat(ClusterWord.isValid(-1)).isFalse();
        assertThat(ClusterWord.isValid(ClusterWord.of(SMALL) ^ Long.MIN_VALUE)).isFalse();
    }
}
