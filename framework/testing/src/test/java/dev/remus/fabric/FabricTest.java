// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Fabrics are found by their names. */
class FabricTest {
    private static Fabric named(String name) {
        return Fabric.of(ClusterConfig.builder()
                .memoryNodes(0, 0)
                .computeNodes(0, 0)
                .fabric(name)
                .build());
    }

    @Test
    void anUnknownFabricIsRefusedWithTheKnownOnesAndTheNearestOfThem() {
        assertThatThrownBy(() -> named("shmm"))
                .isInstanceOf(FabricException.class)
                .hasMessageStartingWith("fabric (--fabric): got 'shmm', needs one of ")
                .hasMessageContainingAll("shm", "verbs")
                .hasMessageEndingWith("; did you mean shm?");
        assertThatThrownBy(() -> named("pigeon")).hasMessageNotContaining("did you mean");
    }

    @Test
    void onlyOnOneMachineCanASilentNodeBeKilled() {
        ClusterConfig config = ClusterConfig.builder()
                .memoryNodes(0, 0)
                .computeNodes(0, 0)
                .killSilent(Duration.ofSeconds(4))
                .build();
        assertThat(Fabric.of(config).name()).isEqualTo("shm");
        assertThatThrownBy(() -> Fabric.of(config.toBuilder().fabric("verbs").build()))
                .isInstanceOf(FabricException.class)
                .hasMessage("killSilent (--kill-silent): got '4', needs 0 on the fabric verbs: only shm runs all nodes"
                        + " on one machine");
    }
}
