// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.memory.SegmentLayout;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FailureReasonTest {
    private static String passedOn(String reason) {
        long[] words = FailureReason.words(reason);
        assertThat(words).hasSize(SegmentLayout.REASON_WORDS);
        assertThat(words[0]).as("the mark of a complete text").isNotZero();
        return FailureReason.text(i -> words[i]);
    }

    @Test
    void aTextIsPassedOnInOneLine() {
        assertThat(passedOn("the books do not balance")).isEqualTo("the books do not balance");
        assertThat(passedOn("ä\n\tb\u0000c")).isEqualTo("ä b c");
        assertThat(passedOn(" ")).isEqualTo("no reason given");
        assertThat(passedOn("\u0001")).isEqualTo("no reason given");
    }

    @Test
    void aTextThatIsTooLongIsCutBetweenCharacters() {
        assertThat(passedOn("x".repeat(120))).isEqualTo("x".repeat(120));
        assertThat(passedOn("x".repeat(121))).isEqualTo("x".repeat(117) + "...");
        assertThat(passedOn("x" + "ä".repeat(100))).isEqualTo("x" + "ä".repeat(58) + "...");
        assertThat(passedOn("x" + "€".repeat(100))).isEqualTo("x" + "€".repeat(38) + "...");
    }

    @Test
    void withoutATextThereIsNone() {
        assertThat(FailureReason.text(i -> 0)).isEmpty();
    }

    @Test
    void damagedWordsMakeSomeText() {
        long[] words = LongStream.iterate(-1, w -> w * 31 + 7)
                .limit(SegmentLayout.REASON_WORDS)
                .toArray();
        assertThat(FailureReason.text(i -> words[i])).isNotEmpty().doesNotContainPattern("\\p{Cntrl}");
    }
}
