// SPDX-License-Identifier: Apache-2.0
package dev.remus.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LocalConfigTest {
    @Test
    void twoClustersHaveDifferentNamesAndPorts() {
        ClusterConfig one = LocalConfig.of(1, 2, 3).build();
        ClusterConfig other = LocalConfig.of(1, 2, 3).build();
        assertThat(one.cluster()).isNotEqualTo(other.cluster());
        assertThat(one.memoryNodes()).isEqualTo(1);
        assertThat(one.computeNodes()).isEqualTo(2);
        assertThat(one.totalThreads()).isEqualTo(6);
    }

    @Test
    void anotherProcessMakesAnEqualConfigurationFromTheTexts() {
        ClusterConfig.Builder config = LocalConfig.of(2, 3, 4)
                .connectTimeout(Duration.ofSeconds(7))
                .checkMemory(true)
                .agreed(Map.of("--keys", "a=b"));
        for (ClusterConfig each : List.of(
                config.build(), config.hosts(List.of("a", "b", "c", "d", "e")).build())) {
            assertThat(LocalConfig.parse(LocalConfig.format(each))).isEqualTo(each);
        }
    }

    @Test
    void aSettingThatIsMisspeltOrOutOfRangeIsRejectedWithItsName() {
        ClusterConfig.Builder config = LocalConfig.of(1, 1, 1);
        assertThatThrownBy(() -> LocalConfig.set(config, "--seg-sise=24"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'--seg-sise=24' is no setting")
                .hasMessageContaining("--seg-size");
        assertThatThrownBy(() -> LocalConfig.set(config, "--seg-size=99"))
                .hasMessageContaining("--seg-size: got '99', needs");
        assertThatThrownBy(() -> LocalConfig.of(1, 0, 1)).hasMessage("computeNodes: got 0, needs at least 1");
        LocalConfig.set(config, "--seg-size=24");
        LocalConfig.set(config, "--check-memory");
        assertThat(config.build().segmentSizeLog2()).isEqualTo(24);
        assertThat(config.build().checkMemory()).isTrue();
    }
}
