// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.memory.SegmentHeader;
import org.junit.jupiter.api.Test;

class VersionTest {
    private static final Version OWN = new Version("1.2.0", 7, 9);

    @Test
    void versionsFitIfProtocolAndLayoutAreTheSameWhateverTheSoftwareIs() {
        assertThat(OWN.fits(new Version("1.3.0-SNAPSHOT", 7, 9))).isTrue();
        assertThat(OWN.fits(new Version("1.2.0", 8, 9))).isFalse();
        assertThat(OWN.fits(new Version("1.2.0", 7, 8))).isFalse();
    }

    @Test
    void aRefusalNamesBothVersionsAndTheRemedy() {
        assertThat(OWN.refusal("Memory Node 3", new Version("2.0.0", 8, 9)))
                .hasMessage("Memory Node 3 runs Remus for Java 2.0.0 (protocol 8, layout 9), this node runs "
                        + "Remus for Java 1.2.0 (protocol 7, layout 9). All nodes of a cluster need the same protocol"
                        + " and layout: start them from one build");
    }

    @Test
    void numbersThatAreNotKnownAreLeftOut() {
        assertThat(new Version("", 3, 0)).hasToString("another version of Remus for Java (protocol 3)");
        assertThat(new Version("", 0, 4)).hasToString("another version of Remus for Java (layout 4)");
        assertThat(new Version("", 0, 0)).hasToString("another version of Remus for Java");
    }

    @Test
    void aTextThatIsNoVersionIsNotPrinted() {
        for (String software : new String[] {"1.0\n", "\u001B[31m", "x".repeat(25), "ä"}) {
            assertThat(Version.of(software, 1, 1)).isEmpty();
            assertThatThrownBy(() -> new Version(software, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(Version.of("", -1, 1)).isEmpty();
        assertThat(Version.of("", 1, 1 << 16)).isEmpty();
    }

    @Test
    void aSegmentHeaderHoldsProtocolAndLayout() {
        assertThat(SegmentHeader.version(SegmentHeader.magic(OWN))).contains(new Version("", 7, 9));
        assertThat(SegmentHeader.version(SegmentHeader.magic(new Version("", 65_535, 65_535))))
                .contains(new Version("", 65_535, 65_535));
        assertThat(SegmentHeader.version(0)).isEmpty();
        assertThat(SegmentHeader.version(-1)).isEmpty();
    }
}
