// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.simulation.Finding;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.ScheduleMix;
import org.junit.jupiter.api.Test;

class ScenarioCatalogueTest {
    @Test
    void aFlawedScenarioIsFoundByNameOnly() {
        assertThat(ScenarioCatalogue.FLAWED).isNotEmpty().allSatisfy(flawed -> {
            assertThat(ScenarioCatalogue.find(flawed.name())).contains(flawed);
            assertThat(ScenarioCatalogue.ALL).doesNotContain(flawed);
            assertThat(ScenarioCatalogue.names()).doesNotContain(flawed.name());
        });
    }

    @Test
    void aFlawedScenarioFailsSoonInItsDefaultSize() {
        for (NamedScenario flawed : ScenarioCatalogue.FLAWED) {
            Scenario scenario = flawed.factory().apply(flawed.defaultSize());
            assertThat(Finding.first(scenario, ScheduleMix.DELAYS_AND_BREAKS::schedule, 1, 300))
                    .as(flawed.name())
                    .isPresent();
        }
    }
}
