// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LossKindTest {
    @Test
    void everyKindOfLossHasAMessageOfItsOwn() {
        assertThat(Arrays.stream(LossKind.values()).map(kind -> kind.describe("Compute Node 2")))
                .doesNotHaveDuplicates()
                .allMatch(message -> message.startsWith("Compute Node 2 "));
    }

    @Test
    void onlyTheMessageAboutAnUnreachableNodeNamesTheLossTimeout() {
        for (LossKind kind : LossKind.values()) {
            String message = kind.describe("Compute Node 2", Duration.ofSeconds(7));
            if (kind == LossKind.UNREACHABLE) {
                assertThat(message).contains("was unreachable for 7 s").contains("--loss-timeout");
            } else {
                assertThat(message).isEqualTo(kind.describe("Compute Node 2"));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLossWordNamesTheNodeAndTheKind(LossKind kind) {
        ClusterConfig config =
                ClusterConfig.builder().memoryNodes(0, 0).computeNodes(1, 1023).build();
        for (int node : new int[] {0, 1, 1023}) {
            long word = LossWord.of(node, kind);
            assertThat(word).isNotZero();
            assertThat(LossWord.isValid(word, config)).isTrue();
            assertThat(LossWord.node(word)).isEqualTo(node);
            assertThat(LossWord.kind(word)).isEqualTo(kind);
        }
        assertThat(LossWord.isValid(LossWord.of(1024, kind), config)).isFalse();
    }
}
