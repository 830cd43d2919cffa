// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.player;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.sim.RandomScheduler;
import dev.remus.fabric.sim.Simulator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecordingTest {
    private static final Caption CAPTION = new Caption("title", "replay", "");

    private final Recording recording =
            new Recording(new Simulator(1, new RandomScheduler(1), Set.of()), new RecordNames());

    @Test
    void stepsWithoutEventsAreLeftOut() throws Exception {
        recording.step(1, 100, "lane");
        recording.step(2, 200, "lane");
        recording.changed(64, 0, 1);
        recording.changed(64, 1, 2);
        recording.step(3, 300, "lane");
        assertThat(recording.moments()).singleElement().satisfies(moment -> {
            assertThat(moment.step()).isEqualTo(2);
            assertThat(moment.events()).hasSize(2);
        });
    }

    @Test
    void aVeryLongRunKeepsItsLastMomentsAndTheMemoryBeforeThem() throws Exception {
        for (int i = 0; i < Recording.MAX_MOMENTS + 5; i++) {
            recording.step(i, i, "lane");
            recording.changed(64, i, i + 1);
        }
        PageContent page = new PageContent(PlayerPage.ofFailure(recording, CAPTION));
        assertThat(page.text("dropped")).isEqualTo("5");
        assertThat(page.events("change")).hasSize(Recording.MAX_MOMENTS);
        assertThat(page.events(0)).containsExactly(List.of("change", "40", "5", "6"));
        assertThat(page.table("words").get("40"))
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.map(String.class, Object.class))
                .containsAllEntriesOf(Map.of("first", "5", "since", 0L));
        assertThat(page.violation()).isEqualTo(Recording.MAX_MOMENTS - 1);
    }

    @Test
    void wordsOutsideRecordsHaveTheNamesOfTheSegmentHeaderAndTheirPlaces() throws Exception {
        recording.step(1, 100, "lane");
        recording.changed(48, 0, 1);
        recording.changed(0x100, 0, 1);
        Map<String, Object> words = new PageContent(PlayerPage.of(recording, CAPTION)).table("words");
        assertThat(words.get("30")).hasFieldOrPropertyWithValue("name", "root");
        assertThat(words.get("100")).hasFieldOrPropertyWithValue("place", "node 0, segment 0, offset 0x100");
    }
}
