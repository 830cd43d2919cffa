// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the directory of a hash map is divided. */
@Tag("any-jdk")
class MapSectionsTest {
    private static final long LARGEST = 1L << MapWords.MAX_DEPTH;

    @Test
    void theFirstEntriesAreInSmallSections() {
        List<Integer> sections = new ArrayList<>();
        for (long first = 0; first < 512; first += 64) {
            sections.add(MapSections.of(first));
            assertThat(MapSections.of(first + 63)).isEqualTo(MapSections.of(first));
        }
        assertThat(sections).doesNotHaveDuplicates();
    }

    @Test
    void eachEntryHasOnePlace() {
        long next = 0;
        int used = 0;
        while (next < LARGEST) {
            int section = MapSections.of(next);
            assertThat(section).isBetween(used, MapSections.COUNT - 1);
            assertThat(MapSections.first(section)).isEqualTo(next);
            long entries = MapSections.entries(section);
            for (long place = 0; place < entries; place += Math.max(1, entries / 100)) {
                assertThat(MapSections.of(next + place)).isEqualTo(section);
                assertThat(MapSections.place(next + place)).isEqualTo(place);
            }
            assertThat(MapSections.of(next + entries - 1)).isEqualTo(section);
            used = section;
            next += entries;
        }
        assertThat(next).as("entries in all").isEqualTo(LARGEST);
        assertThat(used).as("the last section").isEqualTo(MapSections.COUNT - 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 10, 15, 18, 23, 28})
    void aSectionHasAtMostASixtyFourthOfTheEntriesButSixtyFour(int depth) {
        long entries = MapSections.entries(MapSections.of((1L << depth) - 1));
        assertThat(entries).isEqualTo(Math.max(64, 1L << depth - 6));
    }
}
